/** Processes that serve a PostgreSQL database. */
import type { ClientBase } from 'pg';
import { contractSchema } from '../engine/postgres/migrate.ts';
import type { Session } from '../engine/postgres/session.ts';
import type { SeenProcess } from '../engine/state.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import { readRegistered } from './sql.ts';
import type { ProcessStore } from './store.ts';

export function postgresProcesses(session: Session): Pick<ProcessStore, 'readProcesses' | 'contract'> {
  return {
    readProcesses: (nowMs) => session.run((client) => readPostgresProcesses(client, nowMs)),
    contract: (nowMs) =>
      session.runRaw((client) =>
        contractSchema(client, nowMs, async (needs) =>
          (await readPostgresProcesses(client, nowMs)).filter(({ knows }) => knows < needs),
        ),
      ),
  };
}

/** Works on any connection. */
export function readPostgresProcesses(client: ClientBase, nowMs: number): Promise<readonly SeenProcess[]> {
  return runPostgresProgram(client, readRegistered(nowMs));
}
