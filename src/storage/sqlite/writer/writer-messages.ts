/**
 * What passes between the main thread and the writer thread: one operation at a time, then its result.
 */
import { SchemaMismatch, StorageUnavailable } from '../../storage.ts';
import type { WriterOperations } from './writer-operations.ts';

export type OperationName = keyof WriterOperations;

export interface OperationRequest {
  readonly operation: OperationName;
  readonly args: readonly unknown[];
}

export interface OperationError {
  readonly error: Error;
  /** A class does not survive the way between threads, nor do an error's own properties. */
  readonly errorName: string;
  /** Of the SQLite error behind it, if there is one. */
  readonly sqliteCode: unknown;
}

export type OperationReply = { readonly result: unknown } | OperationError;

export function replyWithError(thrown: unknown): OperationError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { cause } = error;
  return {
    error,
    errorName: error.name,
    sqliteCode: cause instanceof Error && 'errcode' in cause && cause.errcode,
  };
}

export function restoreError({ error, errorName, sqliteCode }: OperationError): Error {
  if (errorName === 'SchemaMismatch') return new SchemaMismatch(error.message);
  if (errorName !== 'StorageUnavailable') return error;
  const { cause } = error;
  if (cause instanceof Error) Object.assign(cause, { errcode: sqliteCode });
  return new StorageUnavailable(error.message, { cause });
}
