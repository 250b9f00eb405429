/**
 * The main thread's end of the writer thread: starts it, sends one operation, waits for its reply.
 */
import { Worker } from 'node:worker_threads';
import { StorageUnavailable } from '../../storage.ts';
import type { FileOptions } from '../connection.ts';
import { isConnectionBroken } from '../sqlite-errors.ts';
import { restoreError } from '../../thread-errors.ts';
import type { OperationName, OperationReply, OperationRequest } from './writer-messages.ts';
import type { WriterOperations } from './writer-operations.ts';

export interface WriterLink {
  /** One at a time: the caller waits for the result before it sends the next. */
  send<Name extends OperationName>(
    operation: Name,
    args: Parameters<WriterOperations[Name]>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<ReturnType<WriterOperations[Name]>>;
  /** After the last reply. */
  end(): Promise<void>;
}

/** `onConnectionBroken` is called when the writer's connection had to be dropped. */
export function makeWriterLink(file: FileOptions, onConnectionBroken: () => void): WriterLink {
  let worker: Worker | undefined;
  let waiting:
    | { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }
    | undefined;

  function start(): Worker {
    const started = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      name: 'stayport storage writer',
      workerData: file,
    });
    started.on('message', (reply: OperationReply) => {
      // Only work in progress keeps the process alive.
      started.unref();
      const { resolve, reject } = take();
      if ('result' in reply) return resolve(reply.result);
      const error = restoreError(reply);
      if (isConnectionBroken(error.cause)) onConnectionBroken();
      reject(error);
    });
    // Out of memory, or a crash: what was under way is lost, the next operation starts a new thread.
    started.on('error', (cause) => lose(started, cause));
    started.on('exit', () => lose(started, undefined));
    return started;
  }

  function take() {
    const taken = waiting;
    if (taken === undefined) throw new Error('the writer thread answered without having been asked');
    waiting = undefined;
    return taken;
  }

  function lose(lost: Worker, cause: unknown): void {
    if (worker !== lost) return;
    worker = undefined;
    if (waiting !== undefined)
      take().reject(new StorageUnavailable('the writer thread has ended', { cause }));
  }

  return {
    send(operation, args, transfer = []) {
      const request: OperationRequest = { operation, args };
      return new Promise<never>((resolve, reject) => {
        const to = (worker ??= start());
        if (waiting !== undefined) throw new Error('the writer thread was asked twice at once');
        to.postMessage(request, transfer);
        waiting = { resolve: resolve as (result: unknown) => void, reject };
        to.ref();
      });
    },
    async end() {
      const ended = worker;
      worker = undefined;
      await ended?.terminate();
    },
  };
}
