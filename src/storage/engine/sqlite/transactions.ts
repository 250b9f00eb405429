import type { DatabaseSync } from 'node:sqlite';
import type { WriteResult } from '../write-result.ts';
import { waitForLock } from './lock-wait.ts';

/** All reads within see one state. */
export function inReadTransaction<T>(database: DatabaseSync, read: () => T): T {
  database.exec('BEGIN');
  return finish(database, read);
}

/** Takes the write lock first, waiting at most `waitMs` for it; all or nothing. For the writer thread only. */
export function inWriteTransaction<T>(database: DatabaseSync, waitMs: number, write: () => T): T {
  waitForLock(waitMs, () => database.exec('BEGIN IMMEDIATE'));
  return finish(database, write);
}

/** As `inWriteTransaction`; rolls back also when `write` asks for it with `isCommitted: false`. */
export function inDecidedTransaction<T>(
  database: DatabaseSync,
  waitMs: number,
  write: () => WriteResult<T>,
): T {
  waitForLock(waitMs, () => database.exec('BEGIN IMMEDIATE'));
  return finish(database, () => {
    const { result, isCommitted } = write();
    if (!isCommitted) database.exec('ROLLBACK');
    return result;
  });
}

function finish<T>(database: DatabaseSync, work: () => T): T {
  try {
    const result = work();
    if (database.isTransaction) database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk or an I/O error may have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
