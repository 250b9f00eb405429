/**
 * A worker thread for this one: started on first use, with any number of concurrent jobs, and restarted after its end.
 * Its own file calls `serveJobs`.
 */
import {
  type MessagePort,
  parentPort,
  type ResourceLimits,
  type Transferable,
  Worker,
} from 'node:worker_threads';
import { inTime } from './time-limit.ts';

interface JobThreadOptions {
  readonly program: URL;
  /** As the operating system and a profile show it. */
  readonly name: string;
  readonly workerData?: unknown;
  /** Its memory limit; a thread that exceeds it is lost. */
  readonly resourceLimits?: ResourceLimits;
  /** The error of waiting callers after an unexpected end: out of memory, or a crash. */
  readonly whenLost: (cause: unknown) => Error;
  /** Restores an error from the thread's `packError`; classes do not survive the transfer. */
  readonly restoreError?: (packed: unknown) => Error;
  /** Answers the thread's own questions, sent by the function that `serveJobs` returns there. */
  readonly answerBack?: (question: unknown) => unknown;
  /** A thread with work that is silent for so long is lost. */
  readonly silenceMsMax?: number;
  /** A thread without work for so long is ended; the next job starts another. */
  readonly idleMs?: number;
  /** Time for its `close` at the end; without it, the thread ends at once. */
  readonly closeMsMax?: number;
}

interface JobThread<Request> {
  /** Starts the thread before its first job. */
  start(): void;
  /** Whether a thread runs. */
  isStarted(): boolean;
  /** Buffers in `transfer` then belong to the thread. */
  ask<Result>(request: Request, transfer?: readonly ArrayBuffer[]): Promise<Result>;
  /** Resolves when all calls made so far have ended. */
  settled(): Promise<void>;
  /** Rejects calls under way and all later ones; resolves when the thread has ended. */
  end(reason: Error): Promise<void>;
}

export function openJobThread<Request>(options: JobThreadOptions): JobThread<Request> {
  return new StartedWhenNeeded<Request>(options);
}

class StartedWhenNeeded<Request> implements JobThread<Request> {
  readonly #options: JobThreadOptions;
  readonly #calls = new OpenCalls();
  #worker: Worker | undefined;
  #ended: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#ended === undefined) this.#worker ??= this.#startWorker();
  }

  isStarted(): boolean {
    return this.#worker !== undefined;
  }

  async ask<Result>(request: Request, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
    if (this.#ended !== undefined) throw this.#ended;
    const asked = (this.#worker ??= this.#startWorker());
    const result = this.#calls.open<Request, Result>(request, (call) => {
      asked.postMessage(call, transfer);
      asked.ref();
    });
    // One that had work already is silent since before.
    if (this.#calls.count === 1) this.#watch(asked);
    return await result;
  }

  settled(): Promise<void> {
    return this.#calls.settled();
  }

  async end(reason: Error): Promise<void> {
    this.#ended = reason;
    const last = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    this.#calls.rejectAll(reason);
    if (last !== undefined) await closeThread(last, this.#options.closeMsMax);
  }

  #startWorker(): Worker {
    const { program, name, workerData, resourceLimits = {}, restoreError, answerBack } = this.#options;
    const started = new Worker(program, { name, workerData, resourceLimits });
    const answer = async (question: unknown): Promise<Answer> => ({ result: await answerBack?.(question) });
    started.on('message', (message: Reply | Call<unknown> | SentWarning) => {
      if ('warning' in message) process.emitWarning(restoreWarning(message));
      else if ('call' in message) void answerCall(started, message, { answer });
      else this.#calls.settle(message, restoreError);
      // Only work in progress keeps the process alive.
      if (this.#calls.count === 0) started.unref();
      this.#watch(started);
    });
    started.on('error', (cause) => this.#lose(started, cause));
    started.on('exit', () => this.#lose(started, undefined));
    started.unref();
    return started;
  }

  #lose(lost: Worker, cause: unknown): void {
    if (this.#worker !== lost) return;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    this.#calls.rejectAll(this.#options.whenLost(cause));
    void lost.terminate();
  }

  /** With work it must report in time; without, it may end after a while. */
  #watch(watched: Worker): void {
    if (this.#worker !== watched) return;
    const { silenceMsMax, idleMs, closeMsMax } = this.#options;
    clearTimeout(this.#timer);
    if (this.#calls.count > 0 && silenceMsMax !== undefined) {
      const silence = () => this.#lose(watched, new Error(`it said nothing for ${silenceMsMax} ms`));
      this.#timer = setTimeout(silence, silenceMsMax).unref();
    }
    if (this.#calls.count > 0 || idleMs === undefined) return;
    const retire = (): void => {
      this.#worker = undefined;
      void closeThread(watched, closeMsMax);
    };
    this.#timer = setTimeout(retire, idleMs).unref();
  }
}

/** Lets the thread close its resources, and ends it then or at the limit. */
async function closeThread(worker: Worker, limitMs = 0): Promise<void> {
  if (limitMs > 0 && worker.threadId !== -1) {
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage(CLOSE);
    await inTime(exited, limitMs, () => undefined);
  }
  await worker.terminate();
}

/** A warning of Node in a thread: the thread has no log, and Node would write text between the lines of another's. */
interface SentWarning {
  readonly warning: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: string | undefined;
}

function sendWarnings(port: MessagePort): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack, code }: NodeJS.ErrnoException) => {
    port.postMessage({ warning: name, message, stack, code } satisfies SentWarning);
  });
}

function restoreWarning({ warning, message, stack, code }: SentWarning): Error {
  return Object.assign(new Error(message), { name: warning, stack, code });
}

const CLOSE = 'close';

/** Sends a question to the thread that gives the jobs. */
export type AskBack = (question: unknown) => Promise<unknown>;

/** For the thread's own file. Waiting jobs run concurrently. */
export function serveJobs<Request>(answering: ServedJobs<Request>): AskBack {
  const port = parentPort;
  if (port === null) throw new Error('this file is run as a thread');
  sendWarnings(port);
  const calls = new OpenCalls();
  const close = async (): Promise<void> => {
    await answering.close?.();
    process.exit();
  };
  port.on('message', (message: Call<Request> | Reply | typeof CLOSE) => {
    if (message === CLOSE) void close();
    else if ('call' in message) void answerCall(port, message, answering);
    else calls.settle(message);
  });
  return (question) => calls.open(question, (call) => port.postMessage(call));
}

// Calls of one thread to another over a message port. They are numbered, so that answers may come in any order:
// `OpenCalls` is the caller's side, `answerCall` the other.

export interface Call<Request> {
  readonly call: number;
  readonly request: Request;
}

export type Reply = { readonly replyTo: number } & (
  | { readonly result: unknown }
  | { readonly error: unknown }
);

/** Calls that wait for replies of one thread. */
export class OpenCalls {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #callCount = 0;

  get count(): number {
    return this.#waiting.size;
  }

  /** Rejects when `send` throws, with the other thread's error, or with that of `rejectAll`. */
  async open<Request, Result>(request: Request, send: (call: Call<Request>) => void): Promise<Result> {
    const call = ++this.#callCount;
    send({ call, request });
    const asker = Promise.withResolvers<unknown>();
    this.#waiting.set(call, asker);
    return (await asker.promise) as Result;
  }

  /** Classes do not survive the transfer between threads: `restoreError` makes one. */
  settle(reply: Reply, restoreError: (packed: unknown) => Error = asError): void {
    const asker = this.#waiting.get(reply.replyTo);
    this.#waiting.delete(reply.replyTo);
    if ('error' in reply) asker?.reject(restoreError(reply.error));
    else asker?.resolve(reply.result);
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** Resolves when all calls made so far have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#waiting.values(), ({ promise }) => promise));
  }
}

export interface Answer {
  readonly result: unknown;
  /** Memory of the result that is transferred instead of copied. */
  readonly transfer?: readonly Transferable[];
}

interface Answering<Request> {
  readonly answer: (request: Request) => Answer | Promise<Answer>;
  readonly packError?: (error: unknown) => unknown;
}

interface ServedJobs<Request> extends Answering<Request> {
  /** Closes the thread's resources, if there is time. */
  readonly close?: () => Promise<void>;
}

/** Receives replies. */
interface ReplyPort {
  postMessage(reply: Reply, transfer?: readonly Transferable[]): void;
}

/** Never rejects: an error goes to the caller, also that a result can't be sent. */
export async function answerCall<Request>(
  port: ReplyPort,
  { call, request }: Call<Request>,
  { answer, packError = asError }: Answering<Request>,
): Promise<void> {
  try {
    const { result, transfer = [] } = await answer(request);
    port.postMessage({ replyTo: call, result }, transfer);
  } catch (error) {
    port.postMessage({ replyTo: call, error: packError(error) }, []);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
