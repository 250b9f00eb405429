/** Processes that serve a PostgreSQL database. */
import type { ClientBase } from 'pg';
import { latestOf } from '../engine/migrations.ts';
import { contractSchema, POSTGRES_SCHEMA } from '../engine/postgres/migrate.ts';
import type { Session } from '../engine/postgres/session.ts';
import type { SeenProcess } from '../engine/state.ts';
import type { ProgramRunner } from '../portable-sql/program.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import { processWrites, readRegistered, unregistered } from './sql.ts';
import type { ProcessStore } from './store.ts';

/** The `application_name` of releases that don't register; later releases append their version. */
const UNREGISTERED_NAME = 'stayport';

export function postgresProcesses(session: Session, runner: ProgramRunner): ProcessStore {
  return {
    ...processWrites(runner, latestOf(POSTGRES_SCHEMA)),
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
export async function readPostgresProcesses(
  client: ClientBase,
  nowMs: number,
): Promise<readonly SeenProcess[]> {
  const registered = await runPostgresProgram(client, readRegistered(nowMs));
  const { rows } = await client.query<{ address: string | null; connections: number }>(
    `SELECT host(client_addr) AS address, count(*) AS connections FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1 GROUP BY 1 ORDER BY 1`,
    [UNREGISTERED_NAME],
  );
  const others = rows.map(({ address, connections }) =>
    unregistered(`${address ?? 'this machine'}, ${connections} connections`),
  );
  return [...registered, ...others];
}
