/**
 * Questions that may take long. Question and answer are values that can go from thread to thread: what is long is
 * answered by another thread, from the same memory.
 */
import type { CitySuggestion, CityQuery } from '../cities/city-suggestions.ts';
import type { DaysQuestion } from '../prices/city-days.ts';
import type { FlexibleSearch } from '../prices/flexible-search.ts';
import type { PricedPage } from '../prices/priced-moment.ts';
import type { CalendarQuestion, PricedProperty, PropertiesQuestion } from '../prices/stay-prices.ts';
import type { PricedSearch } from '../prices/stay-search.ts';

/** Question and answer by kind. */
interface Kinds {
  readonly search: [PricedSearch, PricedPage];
  /** Each property with the best of its stays. */
  readonly flexible: [FlexibleSearch, PricedPage];
  /** JSON. */
  readonly days: [DaysQuestion, Uint8Array];
  /** In the order of the ids. */
  readonly properties: [PropertiesQuestion, readonly PricedProperty[]];
  /** JSON; undefined when the property is unknown to the partner. */
  readonly calendar: [CalendarQuestion, Uint8Array | undefined];
  /** The best first. */
  readonly cities: [CityQuery, readonly CitySuggestion[]];
}

export type QuestionKind = keyof Kinds;
export type About<Kind extends QuestionKind> = Kinds[Kind][0];
export type AnswerTo<Kind extends QuestionKind> = Kinds[Kind][1];

/** A question for another thread. */
export interface Question<Kind extends QuestionKind = QuestionKind> {
  readonly kind: Kind;
  readonly about: About<Kind>;
  /** The moment of which it is asked, Unix ms. */
  readonly nowMs: number;
}

export interface Asked {
  /** Who shares the time of the other thread with others, such as a credential. */
  readonly asker: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

/** A promise, where another thread answers: `busy` when too many wait, or this one would take too long. */
export type Ask = <Kind extends QuestionKind>(
  kind: Kind,
  about: About<Kind>,
  asked: () => Asked,
) => AnswerTo<Kind> | Promise<AnswerTo<Kind> | 'busy'>;

/** Another thread that answers; `busy`: too many wait, or this one would take too long. */
export type AskElsewhere = (question: Question, asked: Asked) => Promise<unknown>;

/** The same answer with bytes of its own, and their memory, which can go to another thread. */
export function withOwnBytes(answer: unknown): {
  readonly result: unknown;
  readonly transfer: ArrayBuffer[];
} {
  if (answer instanceof Uint8Array) {
    const bytes = ownBytes(answer);
    return { result: bytes, transfer: [bytes.buffer] };
  }
  const { body } = (answer ?? {}) as Partial<PricedPage>;
  if (body === undefined) return { result: answer, transfer: [] };
  const bytes = ownBytes(body);
  return { result: { ...(answer as PricedPage), body: bytes }, transfer: [bytes.buffer] };
}

/** Small buffers share memory. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isOwn = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  return isOwn ? (bytes as Uint8Array<ArrayBuffer>) : Uint8Array.from(bytes);
}
