/**
 * What passes between the main thread and the writer thread: one operation at a time, then its result.
 */
import { SchemaMismatch, StorageUnavailable } from '../storage.ts';
import type { WriterOperations } from './writer-operations.ts';

export type OperationName = keyof WriterOperations;

export interface OperationRequest {
  readonly operation: OperationName;
  readonly args: readonly unknown[];
}

export type OperationReply =
  | { readonly result: unknown }
  | { readonly error: Error; readonly errorName: string };

/** A class does not survive the way between threads: an error's name goes beside it. */
export function replyWithError(thrown: unknown): OperationReply {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { error, errorName: error.name };
}

export function restoreError({ error, errorName }: Extract<OperationReply, { error: Error }>): Error {
  if (errorName === 'StorageUnavailable')
    return new StorageUnavailable(error.message, { cause: error.cause });
  if (errorName === 'SchemaMismatch') return new SchemaMismatch(error.message);
  return error;
}
