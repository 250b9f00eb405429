/**
 * A thread that works for this one: started when it is first needed, asked any number of things at once, and started
 * again after it ended. Its own file calls `serveJobs`.
 */
import { type MessagePort, parentPort, type ResourceLimits, Worker } from 'node:worker_threads';

export interface JobThreadOptions {
  readonly program: URL;
  /** As the operating system and a profile show it. */
  readonly name: string;
  readonly workerData?: unknown;
  /** Memory that it may take; one that takes more is lost. */
  readonly resourceLimits?: ResourceLimits;
  /** What those who wait are told when it ends by itself: out of memory, or a crash. */
  readonly whenLost: (cause: unknown) => Error;
  /** An error as `packError` of the thread sent it; a class does not survive that way. */
  readonly restoreError?: (packed: unknown) => Error;
}

export interface JobThread<Request> {
  /** So that the first job finds it ready. */
  start(): void;
  /** What is in `transfer` is the thread's from then on. */
  ask<Result>(request: Request, transfer?: readonly ArrayBuffer[]): Promise<Result>;
  /** Resolves when nothing that was asked so far is under way any more. */
  settled(): Promise<void>;
  /** Rejects what is under way and all that is asked later; resolves when the thread is gone. */
  end(reason: Error): Promise<void>;
}

interface Asked<Request> {
  readonly job: number;
  readonly request: Request;
}

type Reply = { readonly job: number } & ({ readonly result: unknown } | { readonly error: unknown });

export function makeJobThread<Request>(options: JobThreadOptions): JobThread<Request> {
  const {
    program,
    name,
    workerData,
    resourceLimits = {},
    whenLost,
    restoreError = (packed) => packed as Error,
  } = options;
  let worker: Worker | undefined;
  let jobCount = 0;
  let ended: Error | undefined;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();

  function startWorker(): Worker {
    const started = new Worker(program, { name, workerData, resourceLimits });
    started.on('message', (reply: Reply) => {
      const asker = waiting.get(reply.job);
      waiting.delete(reply.job);
      // Only work in progress keeps the process alive.
      if (waiting.size === 0) started.unref();
      if ('error' in reply) asker?.reject(restoreError(reply.error));
      else asker?.resolve(reply.result);
    });
    started.on('error', (cause) => lose(started, cause));
    started.on('exit', () => lose(started, undefined));
    started.unref();
    return started;
  }

  function lose(lost: Worker, cause: unknown): void {
    if (worker !== lost) return;
    worker = undefined;
    rejectAll(whenLost(cause));
  }

  function rejectAll(error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    start() {
      if (ended === undefined) worker ??= startWorker();
    },
    async ask<Result>(request: Request, transfer: readonly ArrayBuffer[] = []) {
      if (ended !== undefined) throw ended;
      worker ??= startWorker();
      const job = ++jobCount;
      worker.postMessage({ job, request } satisfies Asked<Request>, transfer);
      const asker = Promise.withResolvers<unknown>();
      waiting.set(job, asker);
      worker.ref();
      return (await asker.promise) as Result;
    },
    async settled() {
      await Promise.allSettled(Array.from(waiting.values(), ({ promise }) => promise));
    },
    async end(reason) {
      ended = reason;
      const last = worker;
      worker = undefined;
      rejectAll(reason);
      await last?.terminate();
    },
  };
}

export interface Answer {
  readonly result: unknown;
  /** Memory of the result that is handed over, not copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

export interface JobServing<Request> {
  readonly answer: (request: Request) => Answer | Promise<Answer>;
  readonly packError?: (error: unknown) => unknown;
}

/** For the thread's own file. Jobs that wait for something run beside one another. */
export function serveJobs<Request>({ answer, packError = asError }: JobServing<Request>): void {
  if (parentPort === null) throw new Error('this file is run as a thread');
  const port: MessagePort = parentPort;
  port.on('message', ({ job, request }: Asked<Request>) => void reply(job, request));

  async function reply(job: number, request: Request): Promise<void> {
    try {
      const { result, transfer = [] } = await answer(request);
      port.postMessage({ job, result } satisfies Reply, transfer);
    } catch (error) {
      port.postMessage({ job, error: packError(error) } satisfies Reply, []);
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
