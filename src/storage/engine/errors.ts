/** What every engine may answer instead of data. */

/** The database is locked, full, read-only or away. Callers answer 503 and try again later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** The schema is missing, older or newer than this program; `migrate` and `serve` upgrade an older one. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** The database has answered, and the answer is no: its connection is as good as before. */
export class AnsweredError extends Error {}
