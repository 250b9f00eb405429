/**
 * Looks after the thread that follows the catalogue: starts it, tells the threads that serve what it says, and
 * replaces it when it ends. Until the replacement has read the database, the others serve what there is.
 */
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Segment } from '../catalogue/memory/memory.ts';
import { allocatePublication, releaseReader } from '../catalogue/memory/publication.ts';
import type { CatalogueState } from '../following/catalogue-follower.ts';
import type { Environment } from '../settings/settings.ts';
import type { CatalogueNews, CataloguePlace, CatalogueReaderThread } from './catalogue-place.ts';
import { openChannel } from './channel.ts';
import { createRestarts, startThread } from './threads.ts';

/**
 * How long a reader may take to answer, in seconds. One that hangs is ended: while it has not taken new memory, nobody
 * can be shown what is in it, and what it was reading can't be used again.
 */
export const READER_SILENCE_SECONDS_MAX = 10;
/** Longer than a query that is under way takes, and in most places than a large catalogue takes to be saved. */
const STOP_MS_MAX = 15_000;

export interface CatalogueKeeperOptions {
  readonly program: URL;
  readonly environment: Environment;
  readonly isTerminal: boolean;
  readonly readerCount: number;
  /** Another limit in tests. */
  readonly readerSilenceSecondsMax?: number;
  readonly logger: Logger;
  /** The thread ends again and again, or can't read the database for a reason that waiting does not cure. */
  readonly onFailed: (problem: string) => void;
}

/** What the thread is started with. */
export interface CatalogueThreadData {
  readonly publication: SharedArrayBuffer;
  readonly firstSegment: number;
  readonly isTerminal: boolean;
}

export class CatalogueKeeper {
  readonly #options: CatalogueKeeperOptions;
  readonly #publication: SharedArrayBuffer;
  readonly #readers = new Set<CatalogueReaderThread>();
  readonly #restarts = createRestarts();
  #segments: Segment[] = [];
  #state: CatalogueState | undefined;
  #worker: Worker | undefined;
  #tellStop: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: CatalogueKeeperOptions) {
    this.#options = options;
    this.#publication = allocatePublication(options.readerCount);
  }

  /** What a reader is started with. */
  place(reader: number): CataloguePlace {
    return { publication: this.#publication, reader };
  }

  /** From now on the reader is told of everything; what came before is in the answer. */
  join(thread: CatalogueReaderThread): CatalogueNews {
    this.#readers.add(thread);
    return { segments: [...this.#segments], state: this.#state };
  }

  /** A reader has ended: what it was reading is free. */
  leave(thread: CatalogueReaderThread, reader: number): void {
    this.#readers.delete(thread);
    releaseReader(this.#publication, reader);
  }

  start(): void {
    const { program, environment, isTerminal } = this.#options;
    const firstSegment = (this.#segments.at(-1)?.number ?? -1) + 1;
    const data: CatalogueThreadData = { publication: this.#publication, firstSegment, isTerminal };
    const worker = startThread(program, 'stayport catalogue', data, environment);
    const channel = openChannel(worker);
    this.#worker = worker;
    this.#tellStop = () => channel.tell('stop');
    let problem: string | undefined;
    channel.answer('segment', (segment) => this.#take(segment as Segment));
    channel.hear('catalogue', (state) => this.#hear(state as CatalogueState, firstSegment));
    channel.hear('refused', (why) => (problem = String(why)));
    worker.once('error', (error) => (problem ??= (error as Error).message));
    worker.once('exit', (code) => {
      channel.close();
      if (!this.#isStopping) this.#replace(problem ?? `exit code ${code}`);
    });
  }

  /** Resolves when the thread has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker === undefined || worker.threadId === -1) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.#tellStop();
    const killer = setTimeout(() => void worker.terminate(), STOP_MS_MAX);
    await ended;
    clearTimeout(killer);
  }

  get #isLoaded(): boolean {
    return this.#state !== undefined && this.#state.loadsFrom === undefined;
  }

  /** Resolves when every reader has the segment: what is in it may be shown. */
  async #take(segment: Segment): Promise<void> {
    this.#segments.push(segment);
    await Promise.all([...this.#readers].map((reader) => this.#give(segment, reader)));
  }

  async #give(segment: Segment, reader: CatalogueReaderThread): Promise<void> {
    const { logger, readerSilenceSecondsMax = READER_SILENCE_SECONDS_MAX } = this.#options;
    const taken = Promise.resolve(reader.take(segment));
    if (await isDoneWithin(readerSilenceSecondsMax, taken)) return;
    this.#readers.delete(reader);
    const problem = `it did not answer for ${readerSilenceSecondsMax} seconds`;
    logger.error({ problem }, 'a thread hangs: it is ended, so that the others get what changes');
    reader.end(problem);
  }

  /** Once a thread has shown the catalogue, nobody reads what one before it wrote. */
  #hear(state: CatalogueState, firstSegment: number): void {
    // How a replacement gets on says nothing of what is served meanwhile.
    if (state.loadsFrom !== undefined && this.#isLoaded) return;
    this.#state = state;
    for (const reader of this.#readers) reader.hear(state);
    if (state.loadsFrom !== undefined || this.#segments[0]!.number >= firstSegment) return;
    this.#segments = this.#segments.filter(({ number }) => number >= firstSegment);
    for (const reader of this.#readers) reader.drop(firstSegment);
  }

  #replace(how: string): void {
    const { logger, onFailed } = this.#options;
    // What keeps the first thread from reading the catalogue will keep its replacement from it too.
    const delayMs = this.#isLoaded ? this.#restarts.delayAfterDeath(performance.now()) : undefined;
    if (delayMs === undefined) {
      for (const reader of this.#readers) reader.refuse(how);
      onFailed(`the catalogue thread ended: ${how}`);
      return;
    }
    logger.error({ how, delayMs }, 'catalogue thread ended: starting a replacement');
    this.#timer = setTimeout(() => this.start(), delayMs);
  }
}

/** Seconds in which this thread was not running, as in a machine that was suspended, do not count. */
async function isDoneWithin(seconds: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  let secondCount = 0;
  const timer = setInterval(() => {
    secondCount += 1;
    if (secondCount >= seconds) late.resolve(false);
  }, 1_000);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearInterval(timer);
  }
}
