/**
 * Single answers: the recent ones of a thread, in memory of fixed size; and those to be stored, until they are written.
 */
import { formatAges } from '../../domain/child-ages.ts';
import type { Random } from '../../runtime/random.ts';
import type { RequestFilter, RequestRow } from '../../storage/activity/store.ts';
import type { AnsweredRequest, Asker, Subject } from '../../http/answers/answered-request.ts';

/** Answers of one thread. */
export const RECENT_REQUESTS_MAX = 4_096;

/** Recent answers of all threads of this machine. */
export interface RecentRequests {
  /** Newest first. Threads that do not answer in time are left out. */
  find(filter: RequestFilter): Promise<readonly RequestRow[]>;
}

/** Indexes of an answer's numbers. */
const [AT, STATUS, DURATION, CHECK_IN, CHECK_OUT, GUESTS, PAGE, TOTAL, NUMBERS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** Indexes of an answer's texts. */
const [OPERATION, CODE, CITY, PROPERTY, QUOTE, REASONS, AGES, TEXTS] = [0, 1, 2, 3, 4, 5, 6, 7];
/** Longer than a correlation id. */
const CORRELATION_LENGTH_MAX = 32;
/** Most property ids are shorter; longer ones are copied as texts. */
const SHORT_ID_LENGTH_MAX = 40;

export class RequestRing {
  /** NaN stands for null. */
  readonly #numbers = new Float64Array(RECENT_REQUESTS_MAX * NUMBERS);
  /** Empty stands for null. */
  readonly #texts: string[] = Array.from({ length: RECENT_REQUESTS_MAX * TEXTS }, () => '');
  readonly #correlationIds = new AsciiTexts(CORRELATION_LENGTH_MAX);
  /** Short ids; empty without one. */
  readonly #propertyIds = new AsciiTexts(SHORT_ID_LENGTH_MAX);
  readonly #own = new OwnTexts();
  readonly #askers: (Asker | undefined)[] = Array.from({ length: RECENT_REQUESTS_MAX }, () => undefined);
  #count = 0;

  /** `code` is empty for a success. Allocates only a copy of a new city or long id, and texts of reasons and ages. */
  add(
    { correlationId, operationName, subject }: AnsweredRequest,
    asker: Asker,
    atMs: number,
    result: { readonly status: number; readonly code: string; readonly durationUs: number },
  ): void {
    const place = this.#count % RECENT_REQUESTS_MAX;
    this.#count += 1;
    const numbers = this.#numbers;
    const number = place * NUMBERS;
    numbers[number + AT] = atMs;
    numbers[number + STATUS] = result.status;
    numbers[number + DURATION] = result.durationUs;
    numbers[number + CHECK_IN] = subject?.stay?.checkIn ?? Number.NaN;
    numbers[number + CHECK_OUT] = subject?.stay?.checkOut ?? Number.NaN;
    numbers[number + GUESTS] = subject?.guests ?? Number.NaN;
    numbers[number + PAGE] = subject?.page ?? Number.NaN;
    numbers[number + TOTAL] = subject?.found?.total ?? Number.NaN;
    const texts = this.#texts;
    const text = place * TEXTS;
    this.#correlationIds.write(place, correlationId);
    const propertyId = subject?.propertyId ?? '';
    const isShort = propertyId.length <= SHORT_ID_LENGTH_MAX;
    this.#propertyIds.write(place, isShort ? propertyId : '');
    this.#askers[place] = asker;
    texts[text + OPERATION] = operationName;
    texts[text + CODE] = result.code;
    texts[text + CITY] = subject?.found?.askedName ?? this.#own.of(subject?.city);
    texts[text + PROPERTY] = isShort ? '' : this.#own.of(propertyId);
    texts[text + QUOTE] = subject?.quoteId ?? '';
    texts[text + REASONS] = reasonsText(subject) ?? '';
    texts[text + AGES] = formatAges(subject?.childAges);
  }

  /** Newest first. */
  find(filter: RequestFilter): RequestRow[] {
    const found: RequestRow[] = [];
    const first = Math.max(0, this.#count - RECENT_REQUESTS_MAX);
    for (let index = this.#count - 1; index >= first && found.length < filter.limit; index -= 1) {
      const row = this.#rowAt(index % RECENT_REQUESTS_MAX);
      if (isAsked(row, filter)) found.push(row);
    }
    return found;
  }

  #rowAt(place: number): RequestRow {
    const number = (index: number): number => this.#numbers[place * NUMBERS + index]!;
    const numberOrNull = (index: number): number | null =>
      Number.isNaN(number(index)) ? null : number(index);
    const text = (index: number): string => this.#texts[place * TEXTS + index]!;
    const textOrNull = (index: number): string | null => (text(index) === '' ? null : text(index));
    const { partnerId, credentialId } = this.#askers[place]!;
    return {
      atMs: number(AT),
      correlationId: this.#correlationIds.read(place),
      partnerId,
      credentialId,
      operation: text(OPERATION),
      status: number(STATUS),
      code: textOrNull(CODE),
      durationUs: Math.round(number(DURATION)),
      city: textOrNull(CITY),
      propertyId: this.#propertyIds.read(place) || textOrNull(PROPERTY),
      checkIn: numberOrNull(CHECK_IN),
      checkOut: numberOrNull(CHECK_OUT),
      guests: numberOrNull(GUESTS),
      page: numberOrNull(PAGE),
      total: numberOrNull(TOTAL),
      quoteId: textOrNull(QUOTE),
      reasons: textOrNull(REASONS),
      childAges: textOrNull(AGES),
    };
  }
}

/** Copies of ids, one at each index: an id is a part of a longer text, which V8 would keep whole. */
class AsciiTexts {
  readonly #lengthMax: number;
  readonly #bytes: Uint8Array;
  readonly #lengths = new Uint8Array(RECENT_REQUESTS_MAX);

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
    this.#bytes = new Uint8Array(RECENT_REQUESTS_MAX * lengthMax);
  }

  write(place: number, text: string): void {
    const bytes = this.#bytes;
    const start = place * this.#lengthMax;
    const length = Math.min(text.length, this.#lengthMax);
    for (let index = 0; index < length; index += 1) bytes[start + index] = text.charCodeAt(index);
    this.#lengths[place] = length;
  }

  read(place: number): string {
    const start = place * this.#lengthMax;
    return String.fromCharCode(...this.#bytes.subarray(start, start + this.#lengths[place]!));
  }
}

/** Merges the rows of several threads. */
export function mergeRequests(lists: readonly (readonly RequestRow[])[], limit: number): RequestRow[] {
  return lists
    .flat()
    .toSorted((one, other) => (isNewer(one, other) ? -1 : 1))
    .slice(0, limit);
}

type RequestCursor = Pick<RequestRow, 'atMs' | 'correlationId'>;

function isNewer(one: RequestCursor, other: RequestCursor): boolean {
  return one.atMs === other.atMs ? one.correlationId > other.correlationId : one.atMs > other.atMs;
}

/** Filters as the database does. */
function isAsked(row: RequestRow, filter: RequestFilter): boolean {
  const { partnerId, credentialId, operation, statuses, code, sinceMs, correlationId } = filter;
  const [lowest = 0, highest = Infinity] = statuses ?? [];
  const { before } = filter;
  return (
    row.partnerId === (partnerId ?? row.partnerId) &&
    row.credentialId === (credentialId ?? row.credentialId) &&
    row.operation === (operation ?? row.operation) &&
    row.status >= lowest &&
    row.status <= highest &&
    row.code === (code ?? row.code) &&
    row.atMs >= (sinceMs ?? row.atMs) &&
    row.correlationId === (correlationId ?? row.correlationId) &&
    (before === undefined || isNewer(before, row))
  );
}

/** Copies of texts from request lines; V8 would keep a whole line for each. */
class OwnTexts {
  readonly #texts = new Map<string, string>();

  of(text: string | undefined): string {
    if (text === undefined) return '';
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    // Older texts stay in the ring.
    if (this.#texts.size === RECENT_REQUESTS_MAX) this.#texts.clear();
    const own = copyText(text);
    this.#texts.set(own, own);
    return own;
  }
}

/** As a row stores them; null without any. */
export function reasonsText(subject: Subject | undefined): string | null {
  return subject?.reasons?.join(' ') || null;
}

/** A copy, because a substring keeps the whole text in memory; safe for every database. */
export function copyText(text: string): string {
  return Buffer.from(text.toWellFormed().replaceAll('\0', ''), 'utf16le').toString('utf16le');
}

// Which answers the database gets, and those that wait for it.

/** Answers of one thread between two writes. */
export const REQUESTS_WAITING_MAX = 1_000;
/** One in so many is stored of answers that are neither refusals nor quotes. */
export const SAMPLE_ONE_IN = 100;

const TOO_MANY_REQUESTS = 429;
const CREATED = 201;

export class RequestLog {
  #waiting: RequestRow[] = [];
  #state: number;

  constructor(random: Random) {
    const [a = 1, b = 2, c = 3, d = 4] = random(4);
    this.#state = a | (b << 8) | (c << 16) | (d << 24) || 1;
  }

  /** Each refusal except those of a limit, each quote, and a sample of the rest. */
  isWanted(status: number): boolean {
    if (status === TOO_MANY_REQUESTS) return false;
    return status >= 400 || status === CREATED || this.#isSampled();
  }

  /** Too many wait: drop further rows. */
  get isFull(): boolean {
    return this.#waiting.length === REQUESTS_WAITING_MAX;
  }

  /** Call it only while it is not full. */
  add(row: RequestRow): void {
    this.#waiting.push(row);
  }

  drain(): RequestRow[] {
    const rows = this.#waiting;
    this.#waiting = [];
    return rows;
  }

  /** Marsaglia's 32-bit xorshift: a random byte for each answer would cost more than the rest. */
  #isSampled(): boolean {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) % SAMPLE_ONE_IN === 0;
  }
}
