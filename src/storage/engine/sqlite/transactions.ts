import type { DatabaseSync } from 'node:sqlite';
import type { WriteResult } from '../write-result.ts';
import { isBusy } from './sqlite-errors.ts';

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

// Waiting for SQLite's one write lock. For the writer thread only: it sleeps.
//
// The lock has no queue: the process that asks while it is free gets it. SQLite's own busy handler asks less and less
// often, at last ten times a second, and loses to a process that imports without pause; asking every POLL_MS finds the
// moments in which that one prepares its next transaction (docs/decisions/007-sqlite-writer-thread.md).

const POLL_MS = 1;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Runs `attempt` until it finds the lock free; after `waitMs` its own busy error is thrown. */
export function waitForLock<T>(waitMs: number, attempt: () => T): T {
  const giveUpAtMs = performance.now() + waitMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error;
    }
    Atomics.wait(sleeper, 0, 0, POLL_MS);
  }
}
