/**
 * Supervises the thread that answers long questions of partners: one for a machine, one question at a time, in turn by
 * asker. A question that takes too long ends the thread, and another one begins; serving threads notice nothing.
 */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { AskElsewhere, Question } from '../../read-model/catalogue/questions/questions.ts';
import { Deadlines } from '../../runtime/deadlines.ts';
import { FairQueue, type QueueLimits } from '../../runtime/fair-queue.ts';
import type { Environment } from '../settings/settings.ts';
import type { CatalogueKeeper } from './catalogue-keeper.ts';
import { type CatalogueStart, type CatalogueReaderThread, readerAt } from './catalogue-place.ts';
import { type Channel, openChannel } from './channel.ts';
import { createRestarts, DEATHS_WINDOW_MS, startThread } from './threads.ts';

/** The work of one question; then its thread is ended. */
export const ANSWER_MS_MAX = 5_000;
/** Each holds its text, and the request that waits. */
export const WAITING_LIMITS: QueueLimits = { waitingMax: 1_024, waitingPerAskerMax: 64 };
/** Until its turn; longer waits end with 503. */
export const WAITING_MS_MAX = 20_000;

export interface ReaderKeeperOptions {
  readonly program: URL;
  readonly environment: Environment;
  /** Its number among the readers of the catalogue. */
  readonly reader: number;
  readonly catalogue: Pick<CatalogueKeeper, 'place' | 'join' | 'leave'>;
  readonly logger: Logger;
  /** Tests set other limits. */
  readonly answerMsMax?: number;
  readonly waitingMsMax?: number;
  readonly limits?: QueueLimits;
  /** From the last of too many deaths to the next thread, and for the asker of a question that took too long. */
  readonly restMs?: number;
}

export interface ReaderThreadData {
  readonly catalogue: CatalogueStart;
  /** The segments of the catalogue come here. */
  readonly segments: MessagePort;
}

interface Waiting {
  readonly question: Question;
  readonly asker: string;
  readonly settle: (answer: unknown) => void;
  readonly fail: (error: unknown) => void;
}

interface Running {
  readonly channel: Channel;
  /** It has joined the catalogue. */
  isReady: boolean;
  readonly end: (problem: string) => void;
}

const BUSY = 'busy';

export class ReaderKeeper {
  readonly #options: ReaderKeeperOptions;
  readonly #queue: FairQueue<Waiting>;
  readonly #deadlines: Deadlines;
  /** When each asker whose question took too long may ask again: one alone can't end too many threads. */
  readonly #restingUntilMs = new Map<string, number>();
  #restarts = createRestarts();
  #worker: Worker | undefined;
  #running: Running | undefined;
  /** Ends the question that the thread works on, and begins another one. */
  #endCurrent: (() => void) | undefined;
  /** Too many threads died. */
  #isResting = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: ReaderKeeperOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options.limits ?? WAITING_LIMITS);
    this.#deadlines = new Deadlines(options.waitingMsMax ?? WAITING_MS_MAX);
  }

  /** Rejects when the question fails in the thread, which is a bug. */
  readonly ask: AskElsewhere = (question, { asker, gone }) => {
    if (this.#isResting || this.#isStopping || gone.aborted || this.#rests(asker))
      return Promise.resolve(BUSY);
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<unknown>();
    const waiting = { question, asker, settle, fail };
    const drop = (): void => {
      if (this.#queue.remove(asker, waiting)) settle(BUSY);
    };
    const deadline = this.#deadlines.start(drop);
    gone.addEventListener('abort', drop, { once: true });
    this.#queue.add(asker, waiting)?.settle(BUSY);
    this.#next();
    return promise.finally(() => this.#deadlines.end(deadline));
  };

  #rests(asker: string): boolean {
    return performance.now() < (this.#restingUntilMs.get(asker) ?? 0);
  }

  /** No more are kept than threads end within that time. */
  #letRest(asker: string): void {
    const { restMs = DEATHS_WINDOW_MS } = this.#options;
    const nowMs = performance.now();
    for (const [other, untilMs] of this.#restingUntilMs)
      if (untilMs <= nowMs) this.#restingUntilMs.delete(other);
    this.#restingUntilMs.set(asker, nowMs + restMs);
  }

  start(): void {
    const { catalogue, environment, program, reader: number } = this.#options;
    const segments = new MessageChannel();
    const data: ReaderThreadData = {
      catalogue: catalogue.place(number),
      segments: segments.port2,
    };
    const worker = startThread(program, 'stayport reader', data, environment, [segments.port2]);
    const channel = openChannel(worker);
    let problem: string | undefined;
    const end = (why: string): void => {
      problem ??= why;
      void worker.terminate();
    };
    const running: Running = { channel, isReady: false, end };
    this.#worker = worker;
    this.#running = running;
    const reader: CatalogueReaderThread = {
      ...readerAt(channel, end),
      // Nobody waits: it takes them before its next answer (`LateReading`).
      take: (given) => segments.port1.postMessage(given),
      // Its answers say nothing of how memory follows: each state would wake it for nothing.
      receive: () => undefined,
    };
    channel.answer('join the catalogue', () => catalogue.join(reader));
    channel.on('ready', () => {
      running.isReady = true;
      this.#next();
    });
    worker.once('error', (error) => (problem ??= (error as Error).message));
    worker.once('exit', (code) => {
      catalogue.leave(reader, number);
      segments.port1.close();
      this.#running = undefined;
      const how = problem ?? `exit code ${code}`;
      if (!this.#isStopping) this.#replace(how);
      this.#endCurrent?.();
      channel.close();
    });
  }

  /** Resolves when the thread has ended; all questions are `busy`. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    this.#refuseAll();
    await this.#worker?.terminate();
  }

  #next(): void {
    const running = this.#running;
    if (running?.isReady !== true || this.#endCurrent !== undefined) return;
    const waiting = this.#queue.take()?.work;
    if (waiting !== undefined) this.#answer(waiting, running);
  }

  #answer({ question, asker, settle, fail }: Waiting, { channel, end }: Running): void {
    const { answerMsMax = ANSWER_MS_MAX } = this.#options;
    const beganAtMs = performance.now();
    const killer = setTimeout(() => {
      this.#letRest(asker);
      end(`a question took more than ${answerMsMax} ms`);
    }, answerMsMax);
    let hasEnded = false;
    const endOnce = (how: () => void): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(killer);
      this.#queue.charge(asker, performance.now() - beganAtMs);
      this.#endCurrent = undefined;
      how();
      this.#next();
    };
    this.#endCurrent = () => endOnce(() => settle(BUSY));
    channel.ask('question', question).then(
      (answer) => endOnce(() => settle(answer)),
      (error: unknown) => endOnce(() => fail(error)),
    );
  }

  #replace(how: string): void {
    const { logger, restMs = DEATHS_WINDOW_MS } = this.#options;
    const delayMs = this.#restarts.delayAfterDeath(performance.now());
    logger.error(
      { how, delayMs: delayMs ?? restMs },
      'the thread for long questions ended: starting another',
    );
    if (delayMs === undefined) this.#rest(restMs);
    else this.#timer = setTimeout(() => this.start(), delayMs);
  }

  /** Long questions are refused meanwhile. */
  #rest(restMs: number): void {
    this.#isResting = true;
    this.#refuseAll();
    this.#timer = setTimeout(() => {
      this.#isResting = false;
      this.#restarts = createRestarts();
      this.start();
    }, restMs);
  }

  #refuseAll(): void {
    for (const { settle } of this.#queue.clear()) settle(BUSY);
  }
}
