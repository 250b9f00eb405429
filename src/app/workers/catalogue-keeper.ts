/**
 * Supervises the thread that follows the catalogue: starts it, forwards its states to the serving threads, and replaces
 * it when it ends. Until the replacement has the catalogue, the others serve the present one: the replacement writes
 * memory of its own, a generation, so that it can begin with the saved catalogue as a start does.
 */
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Segment } from '../../read-model/catalogue/memory/memory.ts';
import { allocatePublication, releaseReader } from '../../read-model/catalogue/memory/publication.ts';
import type { CatalogueState } from '../../read-model/following/catalogue-follower.ts';
import type { Environment } from '../settings/settings.ts';
import { countFailure } from '../../storage/tasks/repeat.ts';
import type {
  JoinedCatalogue,
  CatalogueStart,
  CatalogueReaderThread,
  Generation,
  GivenSegment,
} from './catalogue-place.ts';
import { openChannel } from './channel.ts';
import { createRestarts, startThread } from './threads.ts';

/**
 * Time for a reader to answer, in seconds. A hanging one is ended: without its confirmation new memory can't be
 * published, and memory that it reads can't be freed.
 */
export const READER_SILENCE_SECONDS_MAX = 10;
/** Longer than a running query takes, and mostly than saving a large catalogue takes. */
const STOP_MS_MAX = 15_000;

export interface CatalogueKeeperOptions {
  readonly program: URL;
  readonly environment: Environment;
  readonly isTerminal: boolean;
  readonly readerCount: number;
  /** Tests set another limit. */
  readonly readerSilenceSecondsMax?: number;
  readonly logger: Logger;
  /** The thread ends repeatedly, or can't read the database for a reason that waiting does not cure. */
  readonly onFailed: (problem: string) => void;
}

export interface CatalogueThreadData {
  readonly publication: SharedArrayBuffer;
  /** Whether it is the first such thread of this process. */
  readonly isFirst: boolean;
  /** False after a thread that ended while it read the catalogue. */
  readonly readsFile: boolean;
  readonly isTerminal: boolean;
}

/** A generation, and its parts that readers know. */
interface Written {
  readonly generation: Generation;
  readonly segments: GivenSegment[];
}

function begin(number: number, readerCount: number): Written {
  return { generation: { number, publication: allocatePublication(readerCount) }, segments: [] };
}

export class CatalogueKeeper {
  readonly #options: CatalogueKeeperOptions;
  readonly #readers = new Set<CatalogueReaderThread>();
  readonly #restarts = createRestarts();
  /** The generation that is read. */
  #serving: Written;
  /** The generation of the newest thread; differs only while a replacement reads the catalogue. */
  #newest: Written;
  #state: CatalogueState | undefined;
  #worker: Worker | undefined;
  #sendStop: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: CatalogueKeeperOptions) {
    this.#options = options;
    this.#serving = this.#newest = begin(0, options.readerCount);
  }

  /** Start data of a reader. */
  place(reader: number): CatalogueStart {
    return { generation: this.#serving.generation, reader };
  }

  /** Sends all later states to the reader; earlier ones are in the answer. */
  join(thread: CatalogueReaderThread): JoinedCatalogue {
    this.#readers.add(thread);
    const segments = [...this.#written].flatMap((written) => written.segments);
    return { segments, serving: this.#serving.generation.number, state: this.#state };
  }

  /** Frees the claims of a reader that ended. */
  leave(thread: CatalogueReaderThread, reader: number): void {
    this.#readers.delete(thread);
    for (const { generation } of this.#written) releaseReader(generation.publication, reader);
  }

  start(): void {
    const { program, environment, isTerminal, readerCount } = this.#options;
    const isFirst = this.#worker === undefined;
    const readsFile = this.#newest === this.#serving;
    if (!isFirst) this.#newest = begin(this.#newest.generation.number + 1, readerCount);
    const written = this.#newest;
    const { publication } = written.generation;
    const data: CatalogueThreadData = { publication, isFirst, readsFile, isTerminal };
    const worker = startThread(program, 'stayport catalogue', data, environment);
    const channel = openChannel(worker);
    this.#worker = worker;
    this.#sendStop = () => channel.emit('stop');
    let problem: string | undefined;
    channel.answer('segment', (segment) => this.#take(segment as Segment, written));
    channel.on('catalogue', (state) => this.#receive(state as CatalogueState, written));
    channel.on('failed', (failed) => {
      const { name, by } = failed as { readonly name: string; readonly by: 0 | 1 };
      countFailure(name, by);
    });
    channel.on('refused', (why) => (problem = String(why)));
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
    this.#sendStop();
    const killer = setTimeout(() => void worker.terminate(), STOP_MS_MAX);
    await ended;
    clearTimeout(killer);
  }

  get #isLoaded(): boolean {
    return this.#state !== undefined && this.#state.loadsFrom === undefined;
  }

  /** Resolves when every reader has the segment: then it may be published. */
  async #take(segment: Segment, { generation, segments }: Written): Promise<void> {
    const given = { generation, segment };
    segments.push(given);
    await Promise.all([...this.#readers].map((reader) => this.#give(given, reader)));
  }

  async #give(given: GivenSegment, reader: CatalogueReaderThread): Promise<void> {
    const { logger, readerSilenceSecondsMax = READER_SILENCE_SECONDS_MAX } = this.#options;
    const taken = Promise.resolve(reader.take(given));
    if (await isDoneWithin(readerSilenceSecondsMax, taken)) return;
    this.#readers.delete(reader);
    const problem = `it did not answer for ${readerSilenceSecondsMax} seconds`;
    logger.error({ problem }, 'a thread hangs: it is ended, so that the others get what changes');
    reader.end(problem);
  }

  /** Drops the former generation once a replacement has published the catalogue. */
  #receive(state: CatalogueState, written: Written): void {
    // How a replacement gets on says nothing of what is served meanwhile.
    if (state.loadsFrom !== undefined && this.#isLoaded) return;
    if (written !== this.#serving) {
      this.#serving = written;
      for (const reader of this.#readers) reader.serve(written.generation.number);
    }
    this.#state = state;
    for (const reader of this.#readers) reader.receive(state);
  }

  get #written(): ReadonlySet<Written> {
    return new Set([this.#serving, this.#newest]);
  }

  #replace(how: string): void {
    const { logger, onFailed } = this.#options;
    // A fault that stops the first thread from reading the catalogue will stop its replacement too.
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

/** Ignores seconds in which this thread did not run, as in a suspended machine. */
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
