/** Sorts errors of SQLite: the database cannot answer now, or there is a bug. */
import { StorageUnavailable } from '../errors.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

const CONNECTION_BROKEN: ReadonlySet<number> = new Set([
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_CORRUPT,
  SQLITE_CANTOPEN,
  SQLITE_NOTADB,
]);

/** Primary result codes (https://sqlite.org/rescode.html) that reflect the state of the database or disk, not a bug. */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [3, 'access to the database is not permitted'],
  [SQLITE_BUSY, 'the database is locked by another process'],
  [SQLITE_LOCKED, 'the database is locked'],
  [7, 'out of memory'],
  [SQLITE_READONLY, 'the database is read-only'],
  [SQLITE_IOERR, 'the disk reports an error'],
  [SQLITE_CORRUPT, 'the database is damaged'],
  [13, 'the disk is full'],
  [SQLITE_CANTOPEN, 'the database cannot be opened'],
  [15, 'the database is locked by another process'],
  [SQLITE_NOTADB, 'the file is not a database'],
]);

/** `StorageUnavailable` in place of SQLite errors that mean it; others are returned unchanged. */
export function toStorageError(error: unknown): unknown {
  const code = primaryCode(error);
  const reason = code === undefined ? undefined : UNAVAILABLE.get(code);
  return reason === undefined ? error : new StorageUnavailable(reason, { cause: error });
}

/** Another connection holds the lock; a retry may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** The connection's file was replaced or cannot be written through it; a new connection may succeed. */
export function isConnectionBroken(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && CONNECTION_BROKEN.has(code);
}

/** The extended code's low byte. */
function primaryCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}
