/** Errors of a storage thread on their way to the main thread: a class does not survive it, nor do own properties. */
import { SchemaMismatch, StorageUnavailable } from './errors.ts';

export interface ThreadError {
  readonly error: Error;
  readonly errorName: string;
  /** Of the SQLite error behind it, if there is one. */
  readonly sqliteCode: unknown;
}

export function replyWithError(thrown: unknown): ThreadError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { cause } = error;
  return {
    error,
    errorName: error.name,
    sqliteCode: cause instanceof Error && 'errcode' in cause && cause.errcode,
  };
}

export function restoreError({ error, errorName, sqliteCode }: ThreadError): Error {
  if (errorName === 'SchemaMismatch') return new SchemaMismatch(error.message);
  if (errorName !== 'StorageUnavailable') return error;
  const { cause } = error;
  if (cause instanceof Error) Object.assign(cause, { errcode: sqliteCode });
  return new StorageUnavailable(error.message, { cause });
}
