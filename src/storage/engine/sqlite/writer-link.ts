/**
 * The main thread's end of the writer thread, whatever that thread does. The operations are functions by name, which
 * the thread's program makes; here they are typed, and sent.
 */
import { restoreError, StorageUnavailable, type ThreadError } from '../errors.ts';
import { openJobThread } from '../../../runtime/job-thread.ts';
import type { FileOptions } from './connection.ts';
import { isConnectionBroken } from './sqlite-errors.ts';

export interface OperationRequest {
  readonly operation: string;
  readonly args: readonly unknown[];
}

/** Sends the arguments, and moves the memory that `transfer` names instead of copying it. */
export type Send = (request: OperationRequest, transfer?: readonly ArrayBuffer[]) => Promise<unknown>;

/** Operations as the main thread asks for them. */
export type Remote<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (...args: infer Args) => infer Result
    ? (args: Args, transfer?: readonly ArrayBuffer[]) => Promise<Result>
    : never;
};

/** Any name is an operation: the type says which there are. */
export function makeRemote<Operations extends object>(send: Send): Remote<Operations> {
  const ask = (operation: string) => (args: readonly unknown[], transfer?: readonly ArrayBuffer[]) =>
    send({ operation, args }, transfer);
  return new Proxy<object>({}, { get: (_target, name) => ask(String(name)) }) as Remote<Operations>;
}

export interface WriterLink {
  /** One at a time: the caller waits for the result before it sends the next. */
  readonly send: Send;
  /** The first operation starts the thread. */
  readonly isStarted: () => boolean;
  /** After the last reply. */
  end(): Promise<void>;
}

export interface WriterLinkOptions {
  /** The thread's own file, which gets `file`. */
  readonly program: URL;
  readonly file: FileOptions;
  /** Called when the writer's connection had to be dropped. */
  readonly onConnectionBroken: () => void;
}

export function openWriterLink({ program, file, onConnectionBroken }: WriterLinkOptions): WriterLink {
  const thread = openJobThread<OperationRequest>({
    program,
    name: 'stayport storage writer',
    workerData: file,
    // Out of memory, or a crash: what was under way is lost, the next operation starts a new thread.
    whenLost: (cause) => new StorageUnavailable('the writer thread has ended', { cause }),
    restoreError(packed) {
      const error = restoreError(packed as ThreadError);
      if (isConnectionBroken(error.cause)) onConnectionBroken();
      return error;
    },
  });
  return {
    send: (request, transfer) => thread.ask<unknown>(request, transfer),
    isStarted: () => thread.isStarted(),
    end: () => thread.end(new StorageUnavailable('the database has been closed')),
  };
}
