/** What an operation of the writer thread works with: the one connection that writes, its statements, its file. */
import type { DatabaseSync } from 'node:sqlite';
import { assertRoom } from './disk-room.ts';
import type { Session } from './session.ts';
import { inWriteTransaction } from './transactions.ts';

/** How long an import or a command waits for the write lock of another process. */
export const LOCK_WAIT_MS = 10_000;

export interface TransactOptions {
  /** LOCK_WAIT_MS unless it says otherwise. */
  readonly lockWaitMs?: number;
  /** It may not take the last room on the disk: `StorageUnavailable` where there is no more. */
  readonly needsRoom?: boolean;
}

export interface WriteContext<Statements> {
  /** Without a transaction. */
  readonly run: <T>(work: (statements: Statements, database: DatabaseSync) => T) => T;
  /** All or nothing. */
  readonly transact: <T>(
    write: (statements: Statements, database: DatabaseSync) => T,
    options?: TransactOptions,
  ) => T;
}

export function makeWriteContext<Statements>(
  session: Session<Statements>,
  path: string,
): WriteContext<Statements> {
  return {
    run: (work) => session.run(work),
    transact: (write, { lockWaitMs = LOCK_WAIT_MS, needsRoom = false } = {}) =>
      session.run((statements, database) => {
        if (needsRoom) assertRoom(path);
        return inWriteTransaction(database, lockWaitMs, () => write(statements, database));
      }),
  };
}
