/** The catalogue of the machine as a thread that serves has it: memory to read, and news from who writes it. */
import { type Segment, Memory } from '../catalogue/memory/memory.ts';
import { Reading } from '../catalogue/memory/publication.ts';
import type { CatalogueState } from '../following/catalogue-follower.ts';
import { machineUptime } from '../runtime/clock.ts';
import type { SharedCatalogue } from '../service/machine.ts';
import type { Channel } from './channel.ts';

/** What a thread is started with. */
export interface CataloguePlace {
  readonly publication: SharedArrayBuffer;
  /** Its number among the readers; no two that run have the same. */
  readonly reader: number;
}

/** What was told to other readers before one joined them. */
export interface CatalogueNews {
  readonly segments: readonly Segment[];
  /** Undefined before anything is known of it. */
  readonly state: CatalogueState | undefined;
}

/** A thread that reads, as the keeper of the catalogue sees it. */
export interface CatalogueReaderThread {
  /** The segment can be read there once this has returned, or resolved. */
  take(segment: Segment): unknown;
  drop(below: number): void;
  /** Also while the catalogue is being read for the first time. */
  hear(state: CatalogueState): void;
  /** The catalogue can't be read, for a reason that waiting does not cure. */
  refuse(problem: string): void;
  /** It hangs: nobody waits for it any more. */
  end(problem: string): void;
}

/** `start` is called when this thread is the first that needs the catalogue to be followed. */
export function openPlace(
  { publication, reader }: CataloguePlace,
  start: () => void = () => undefined,
): SharedCatalogue & CatalogueReaderThread {
  const memory = new Memory();
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
    memory,
    reading: new Reading(publication, reader),
    follow() {
      start();
      return { ready: ready.promise, state: () => state, stop: async () => undefined };
    },
    take: (segment) => memory.add(segment),
    drop: (below) => memory.dropBelow(below),
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
  channel.answer('segment', (segment) => opened.take(segment as Segment));
  channel.hear('segments to drop', (below) => opened.drop(below as number));
  channel.hear('catalogue', (state) => opened.hear(state as CatalogueState));
  channel.hear('catalogue refused', (problem) => opened.refuse(problem as string));
  const { segments, state } = (await channel.ask('join the catalogue')) as CatalogueNews;
  for (const segment of segments) opened.take(segment);
  if (state !== undefined) opened.hear(state);
  return opened;
}

/** The thread at the other end of a channel; `end` is called with why it has to end. */
export function readerAt(channel: Channel, end: (problem: string) => void): CatalogueReaderThread {
  return {
    end,
    // One that has ended reads nothing any more.
    take: (segment) => channel.ask('segment', segment).catch(() => undefined),
    drop: (below) => channel.tell('segments to drop', below),
    hear: (state) => channel.tell('catalogue', state),
    refuse: (problem) => channel.tell('catalogue refused', problem),
  };
}
