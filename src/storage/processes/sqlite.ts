/** Processes that serve a SQLite file. */
import { contractSchema } from '../engine/sqlite/migrate.ts';
import type { Session } from '../engine/sqlite/session.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import type { SeenProcess } from '../engine/state.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import { readRegistered } from './sql.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { ProcessStore } from './store.ts';

export function sqliteProcesses(
  writer: Remote<ReturnType<typeof processOperations>>,
): Pick<ProcessStore, 'readProcesses' | 'contract'> {
  return {
    readProcesses: (nowMs) => writer.readProcesses([nowMs]),
    contract: (nowMs) => writer.contract([nowMs]),
  };
}

/** Operations of the writer thread. */
export function processOperations(session: Session<unknown>) {
  return {
    readProcesses: (nowMs: number) =>
      session.run((_statements, database) => readSqliteProcesses(database, nowMs)),
    contract: (nowMs: number) =>
      session.runRaw((database) =>
        contractSchema(database, nowMs, (needs) =>
          readSqliteProcesses(database, nowMs).filter(({ knows }) => knows < needs),
        ),
      ),
  };
}

/** Works on any connection. */
export function readSqliteProcesses(database: DatabaseSync, nowMs: number): readonly SeenProcess[] {
  return runProgram(database, readRegistered(nowMs));
}
