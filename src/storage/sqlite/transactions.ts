import type { DatabaseSync } from 'node:sqlite';
import { type Turns, waitForLock } from './lock-turns.ts';

/** All reads within see one state. */
export function inReadTransaction<T>(database: DatabaseSync, read: () => T): T {
  database.exec('BEGIN');
  return finish(database, read);
}

/**
 * Takes the write lock first, waiting at most `waitMs` for it; all or nothing. For the writer thread only.
 * `turns` is left out by writers that never take the lock many times in a row.
 */
export function inWriteTransaction<T>(
  database: DatabaseSync,
  waitMs: number,
  write: () => T,
  turns?: Turns,
): T {
  turns?.leaveGap();
  waitForLock(waitMs, () => database.exec('BEGIN IMMEDIATE'));
  const lockedAtMs = performance.now();
  try {
    return finish(database, write);
  } finally {
    turns?.held(lockedAtMs, performance.now());
  }
}

function finish<T>(database: DatabaseSync, work: () => T): T {
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk or an I/O error may have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
