/** The context of an operation on the writer thread: its one writing connection, the statements and the file. */
import type { DatabaseSync } from 'node:sqlite';
import { assertRoom } from './disk-room.ts';
import type { Session } from './session.ts';
import { inWriteTransaction } from './transactions.ts';

/** How long an import or a command waits for the write lock of another process. */
export const LOCK_WAIT_MS = 10_000;

export interface TransactOptions {
  /** Absent: LOCK_WAIT_MS. */
  readonly lockWaitMs?: number;
  /** The write may not use the reserve on the disk: `StorageUnavailable` if no other room is left. */
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
