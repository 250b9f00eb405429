/** The catalogue of the machine as a thread that serves has it: memory to read, and news from who writes it. */
import { type Segment, Memory } from '../catalogue/memory/memory.ts';
import { Reading } from '../catalogue/memory/publication.ts';
import type { CatalogueState } from '../following/catalogue-follower.ts';
import { machineUptime } from '../runtime/clock.ts';
import type { CatalogueView, SharedCatalogue } from '../service/machine.ts';
import type { Channel } from './channel.ts';

/** Memory of one thread that writes the catalogue. Its replacement begins with memory of its own. */
export interface Generation {
  readonly number: number;
  readonly publication: SharedArrayBuffer;
}

export interface GivenSegment {
  readonly generation: Generation;
  readonly segment: Segment;
}

/** What a thread is started with. */
export interface CataloguePlace {
  /** The one that is read when the thread is started. */
  readonly generation: Generation;
  /** Its number among the readers; no two that run have the same. */
  readonly reader: number;
}

/** What was told to other readers before one joined them. */
export interface CatalogueNews {
  readonly segments: readonly GivenSegment[];
  /** The number of the generation that is read. */
  readonly serving: number;
  /** Undefined before anything is known of it. */
  readonly state: CatalogueState | undefined;
}

/** A thread that reads, as the keeper of the catalogue sees it. */
export interface CatalogueReaderThread {
  /** The segment can be read there once this has returned, or resolved. */
  take(given: GivenSegment): unknown;
  /** From now on this generation is read, whose segments it has; those before are not needed any more. */
  serve(generation: number): void;
  /** Also while the catalogue is being read for the first time. */
  hear(state: CatalogueState): void;
  /** The catalogue can't be read, for a reason that waiting does not cure. */
  refuse(problem: string): void;
  /** It hangs: nobody waits for it any more. */
  end(problem: string): void;
}

interface View extends CatalogueView {
  readonly generation: number;
}

/** `start` is called when this thread is the first that needs the catalogue to be followed. */
export function openPlace(
  { generation: first, reader }: CataloguePlace,
  start: () => void = () => undefined,
): SharedCatalogue & CatalogueReaderThread {
  const open = ({ number, publication }: Generation): View => {
    return { generation: number, memory: new Memory(), reading: new Reading(publication, reader) };
  };
  let view = open(first);
  /** Of a replacement that reads the catalogue. */
  let next: View | undefined;
  let onReplaced: (view: CatalogueView) => void = () => undefined;
  const ready = Promise.withResolvers<void>();
  // Who is interested awaits it.
  ready.promise.catch(() => undefined);
  const startedMs = machineUptime();
  let state: CatalogueState = {
    loadsFrom: 'database',
    progressAtMs: startedMs,
    levelAtMs: startedMs,
    problem: undefined,
    revision: 0,
    lagRevisions: 0,
    lossCount: 0,
    lostAtMs: undefined,
  };
  return {
    view: () => view,
    onReplaced: (listener) => (onReplaced = listener),
    follow() {
      start();
      return { ready: ready.promise, state: () => state, stop: async () => undefined };
    },
    take({ generation, segment }) {
      if (generation.number === view.generation) return view.memory.add(segment);
      if (next?.generation !== generation.number) next = open(generation);
      next.memory.add(segment);
    },
    serve(generation) {
      if (next?.generation !== generation) return;
      view = next;
      next = undefined;
      onReplaced(view);
    },
    hear(news) {
      state = news;
      if (news.loadsFrom === undefined) ready.resolve();
    },
    refuse: (problem) => ready.reject(new Error(problem)),
    // A thread that hangs can't be told.
    end: () => undefined,
  };
}

/**
 * In the thread itself, whose place came with the data that it was started with. Before it asks to join, nobody waits
 * for it: on a busy machine a thread takes many seconds to start.
 */
export async function joinCatalogue(channel: Channel, place: CataloguePlace): Promise<SharedCatalogue> {
  const opened = openPlace(place);
  channel.answer('segment', (given) => opened.take(given as GivenSegment));
  channel.hear('generation', (generation) => opened.serve(generation as number));
  channel.hear('catalogue', (state) => opened.hear(state as CatalogueState));
  channel.hear('catalogue refused', (problem) => opened.refuse(problem as string));
  const { segments, serving, state } = (await channel.ask('join the catalogue')) as CatalogueNews;
  const isServed = ({ generation }: GivenSegment): boolean => generation.number === serving;
  for (const given of segments.filter(isServed)) opened.take(given);
  opened.serve(serving);
  for (const given of segments.filter((one) => !isServed(one))) opened.take(given);
  if (state !== undefined) opened.hear(state);
  return opened;
}

/** The thread at the other end of a channel; `end` is called with why it has to end. */
export function readerAt(channel: Channel, end: (problem: string) => void): CatalogueReaderThread {
  return {
    end,
    // One that has ended reads nothing any more.
    take: (given) => channel.ask('segment', given).catch(() => undefined),
    serve: (generation) => channel.tell('generation', generation),
    hear: (state) => channel.tell('catalogue', state),
    refuse: (problem) => channel.tell('catalogue refused', problem),
  };
}
