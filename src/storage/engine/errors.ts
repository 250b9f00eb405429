/** Errors that every engine may answer with. */

/** The database is locked, full, read-only or away. Callers answer 503 and try again later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** The schema is missing, older or newer than this program; `migrate` and `serve` upgrade an older one. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** The database answered with a refusal: the connection remains usable. */
export class AnsweredError extends Error {}

// Errors of a storage thread on their way to the main thread, which neither classes nor own properties survive.

export interface ThreadError {
  readonly error: Error;
  readonly errorName: string;
  /** The code of the underlying SQLite error, if there is one. */
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
