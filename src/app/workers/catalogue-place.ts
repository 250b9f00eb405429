/** A serving thread's side of the machine's catalogue: memory to read, and the states that its writer sends. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type Address, type Segment, Memory } from '../../read-model/catalogue/memory/memory.ts';
import { Reading } from '../../read-model/catalogue/memory/publication.ts';
import type { CatalogueState } from '../../read-model/following/catalogue-follower.ts';
import { type Clock, machineUptime } from '../../runtime/clock.ts';
import type { CatalogueView, SharedCatalogue } from '../service/context/machine.ts';
import type { Channel } from './channel.ts';

/** Memory of one thread that writes the catalogue. Its replacement begins another one. */
export interface Generation {
  readonly number: number;
  readonly publication: SharedArrayBuffer;
}

export interface GivenSegment {
  readonly generation: Generation;
  readonly segment: Segment;
}

/** Start data of a thread. */
export interface CatalogueStart {
  /** The generation read at the start. */
  readonly generation: Generation;
  /** Its number among the readers, unique among running ones. */
  readonly reader: number;
}

/** News to other readers before this one joined. */
export interface JoinedCatalogue {
  readonly segments: readonly GivenSegment[];
  /** Number of the generation that is read. */
  readonly serving: number;
  /** Undefined before the first state. */
  readonly state: CatalogueState | undefined;
}

/** A reading thread, from the keeper's side. */
export interface CatalogueReaderThread {
  /** Gives it a segment; it can be read once this has returned, or resolved. */
  take(given: GivenSegment): unknown;
  /** Switches to this generation, whose segments it has; earlier ones can be dropped. */
  serve(generation: number): void;
  /** Also during the first load. */
  receive(state: CatalogueState): void;
  /** The catalogue can't be read, for a reason that waiting does not cure. */
  refuse(problem: string): void;
  /** It hangs: others stop waiting for it. */
  end(problem: string): void;
}

interface View extends CatalogueView {
  readonly generation: number;
}

/** The thread that writes the catalogue, where its only reader starts and stops it. */
export interface OwnWriter {
  start(): void;
  stop(): Promise<void>;
}

/** The reading of a thread that takes segments late, when it begins to read. */
class LateReading extends Reading {
  readonly #takeSegments: () => void;

  constructor(shared: SharedArrayBuffer, reader: number, takeSegments: () => void) {
    super(shared, reader);
    this.#takeSegments = takeSegments;
  }

  /** A segment is sent before a version with it is published. */
  override enter(): Address {
    const root = super.enter();
    this.#takeSegments();
    return root;
  }
}

interface PlaceOptions {
  /** Undefined where others use the catalogue too. */
  readonly writer?: OwnWriter;
  readonly uptimeMs?: Clock;
  /** Takes the segments that were sent; undefined where the writer waits for each to be taken. */
  readonly takeSent?: () => void;
}

export function openPlace(
  { generation: first, reader }: CatalogueStart,
  { writer, uptimeMs = machineUptime, takeSent }: PlaceOptions = {},
): SharedCatalogue & CatalogueReaderThread {
  const open = ({ number, publication }: Generation): View => {
    const reading =
      takeSent === undefined
        ? new Reading(publication, reader)
        : new LateReading(publication, reader, takeSent);
    return { generation: number, memory: new Memory(), reading };
  };
  let view = open(first);
  /** The view of a replacement that is still loading. */
  let next: View | undefined;
  let onReplaced: (view: CatalogueView) => void = () => undefined;
  const ready = Promise.withResolvers<void>();
  // Who is interested awaits it.
  ready.promise.catch(() => undefined);
  const startedMs = uptimeMs();
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
      writer?.start();
      return { ready: ready.promise, state: () => state, stop: async () => writer?.stop() };
    },
    take({ generation, segment }) {
      if (generation.number === view.generation) return view.memory.add(segment);
      if (next?.generation !== generation.number) next = open(generation);
      next.memory.add(segment);
    },
    serve(generation) {
      takeSent?.();
      if (next?.generation !== generation) return;
      view = next;
      next = undefined;
      onReplaced(view);
    },
    receive(sent) {
      state = sent;
      if (sent.loadsFrom === undefined) ready.resolve();
    },
    refuse: (problem) => ready.reject(new Error(problem)),
    // A thread that hangs can't be told.
    end: () => undefined,
  };
}

/**
 * Runs in the thread itself, whose place came with its start data. The keeper waits only after it asks to join: on a
 * busy machine a thread takes many seconds to start. With a port of `segments` it never waits for the thread.
 */
export async function joinCatalogue(
  channel: Channel,
  place: CatalogueStart,
  segmentsSent?: MessagePort,
): Promise<SharedCatalogue> {
  const takeSent = (): void => {
    for (let sent; (sent = receiveMessageOnPort(segmentsSent!)) !== undefined;)
      opened.take(sent.message as GivenSegment);
  };
  const opened = openPlace(place, segmentsSent === undefined ? {} : { takeSent });
  channel.answer('segment', (given) => opened.take(given as GivenSegment));
  channel.on('generation', (generation) => opened.serve(generation as number));
  channel.on('catalogue', (state) => opened.receive(state as CatalogueState));
  channel.on('catalogue refused', (problem) => opened.refuse(problem as string));
  const { segments, serving, state } = (await channel.ask('join the catalogue')) as JoinedCatalogue;
  const isServed = ({ generation }: GivenSegment): boolean => generation.number === serving;
  for (const given of segments.filter(isServed)) opened.take(given);
  opened.serve(serving);
  for (const given of segments.filter((one) => !isServed(one))) opened.take(given);
  if (state !== undefined) opened.receive(state);
  return opened;
}

/** The thread at the other end of a channel; calls `end` with the reason when it must end. */
export function readerAt(channel: Channel, end: (problem: string) => void): CatalogueReaderThread {
  return {
    end,
    // One that has ended reads nothing any more.
    take: (given) => channel.ask('segment', given).catch(() => undefined),
    serve: (generation) => channel.emit('generation', generation),
    receive: (state) => channel.emit('catalogue', state),
    refuse: (problem) => channel.emit('catalogue refused', problem),
  };
}
