/**
 * A thread that works for this one: started when it is first needed, given any number of jobs at once, and started
 * again after it ended. Its own file calls `serveJobs`.
 */
import { parentPort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';

interface JobThreadOptions {
  readonly program: URL;
  /** As the operating system and a profile show it. */
  readonly name: string;
  readonly workerData?: unknown;
  /** Memory that it may take; one that takes more is lost. */
  readonly resourceLimits?: ResourceLimits;
  /** The error of waiting callers when it ends unexpectedly: out of memory, or a crash. */
  readonly whenLost: (cause: unknown) => Error;
  /** An error as `packError` of the thread sent it; a class does not survive that way. */
  readonly restoreError?: (packed: unknown) => Error;
}

interface JobThread<Request> {
  /** So that the first job finds it ready. */
  start(): void;
  /** A thread runs: there was a start or a job, and it was not lost since. */
  isStarted(): boolean;
  /** What is in `transfer` is the thread's from then on. */
  ask<Result>(request: Request, transfer?: readonly ArrayBuffer[]): Promise<Result>;
  /** Resolves when all calls made so far have ended. */
  settled(): Promise<void>;
  /** Rejects calls under way and all later ones; resolves when the thread has ended. */
  end(reason: Error): Promise<void>;
}

export function openJobThread<Request>(options: JobThreadOptions): JobThread<Request> {
  const { program, name, workerData, resourceLimits = {}, whenLost, restoreError } = options;
  const calls = new OpenCalls();
  let worker: Worker | undefined;
  let ended: Error | undefined;

  function startWorker(): Worker {
    const started = new Worker(program, { name, workerData, resourceLimits });
    started.on('message', (reply: Reply) => {
      calls.settle(reply, restoreError);
      // Only work in progress keeps the process alive.
      if (calls.count === 0) started.unref();
    });
    started.on('error', (cause) => lose(started, cause));
    started.on('exit', () => lose(started, undefined));
    started.unref();
    return started;
  }

  function lose(lost: Worker, cause: unknown): void {
    if (worker !== lost) return;
    worker = undefined;
    calls.rejectAll(whenLost(cause));
  }

  return {
    start() {
      if (ended === undefined) worker ??= startWorker();
    },
    isStarted: () => worker !== undefined,
    async ask<Result>(request: Request, transfer: readonly ArrayBuffer[] = []) {
      if (ended !== undefined) throw ended;
      const asked = (worker ??= startWorker());
      return await calls.open<Request, Result>(request, (call) => {
        asked.postMessage(call, transfer);
        asked.ref();
      });
    },
    settled: () => calls.settled(),
    async end(reason) {
      ended = reason;
      const last = worker;
      worker = undefined;
      calls.rejectAll(reason);
      await last?.terminate();
    },
  };
}

/** For the thread's own file. Jobs that wait for something run beside one another. */
export function serveJobs<Request>(answering: Answering<Request>): void {
  const port = parentPort;
  if (port === null) throw new Error('this file is run as a thread');
  port.on('message', (call: Call<Request>) => void answerCall(port, call, answering));
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

/** What waits for replies of one thread. */
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

  /** A class does not survive the way between threads: `restoreError` makes one of what arrived. */
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
  /** Memory of the result that is handed over, not copied. */
  readonly transfer?: readonly Transferable[];
}

interface Answering<Request> {
  readonly answer: (request: Request) => Answer | Promise<Answer>;
  readonly packError?: (error: unknown) => unknown;
}

/** Where replies go. */
interface ReplyPort {
  postMessage(reply: Reply, transfer?: readonly Transferable[]): void;
}

/** Never rejects: an error is sent to the caller, also that a result can't be sent. */
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
