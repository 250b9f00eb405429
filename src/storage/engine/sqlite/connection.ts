/**
 * Connections to the one file: one that writes (in the writer thread only), any number that read.
 *
 * The journal is a write-ahead log: readers see the newest commit and never wait for a writer, nor it for them.
 * `synchronous = FULL` syncs the log at each commit, so that a commit survives a loss of power, not only of the
 * process; group commit pays for it.
 */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StorageUnavailable } from '../errors.ts';
import { createForOwner } from './file-modes.ts';
import { waitForLock } from './transactions.ts';

/** Rows are 1 to 3 KB: pages of 4 KB would be half empty. Only a new file takes it. */
const PAGE_SIZE_BYTES = 8_192;
const WRITER_CACHE_KIB = 65_536;
const READER_CACHE_KIB = 16_384;
/** A log that an import or a long snapshot has blown up shrinks to this when it is next reset. */
const LOG_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** Only one connection can switch a new file to the write-ahead log. */
const OPEN_WAIT_MS = 10_000;

export interface FileOptions {
  readonly path: string;
  /** The file may not grow beyond this; undefined is SQLite's own bound. */
  readonly pageCountMax: number | undefined;
}

/** Creates the folder and the file where they don't exist. */
export function openWriter({ path, pageCountMax }: FileOptions, openWaitMs = OPEN_WAIT_MS): DatabaseSync {
  assertLogHasFile(path);
  createForOwner(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(`PRAGMA page_size = ${PAGE_SIZE_BYTES}`);
    waitForLock(openWaitMs, () => database.exec('PRAGMA journal_mode = WAL'));
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -${WRITER_CACHE_KIB};
      PRAGMA journal_size_limit = ${LOG_SIZE_LIMIT_BYTES};
      PRAGMA trusted_schema = OFF;`);
    if (pageCountMax !== undefined) database.exec(`PRAGMA max_page_count = ${pageCountMax}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Never waits for a lock: a reader works on the thread that answers requests. */
export function openReader(path: string): DatabaseSync {
  assertLogHasFile(path);
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  database.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}; PRAGMA trusted_schema = OFF;`);
  return database;
}

/** SQLite would delete the log beside an empty file: commits of a database whose file is elsewhere. */
function assertLogHasFile(path: string): void {
  const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;
  const log = `${path}-wal`;
  const size = sizeOf(path) ?? 0;
  if (size > 0 || (sizeOf(log) ?? 0) === 0) return;
  const how = sizeOf(path) === undefined ? 'missing' : 'empty';
  throw new StorageUnavailable(
    `${path} is ${how}, and ${log} holds commits of the file that was there: put that file back, or move the log away`,
  );
}
