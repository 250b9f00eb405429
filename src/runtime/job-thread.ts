/**
 * A thread that works for this one: started when it is first needed, given any number of jobs at once, and started
 * again after it ended. Its own file calls `serveJobs`.
 */
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { answerCall, type Answering, type Call, OpenCalls, type Reply } from './thread-calls.ts';

export interface JobThreadOptions {
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

export interface JobThread<Request> {
  /** So that the first job finds it ready. */
  start(): void;
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
