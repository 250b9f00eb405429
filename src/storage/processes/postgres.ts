/** Processes that serve a PostgreSQL database. */
import type { ClientBase } from 'pg';
import { contractSchema } from '../engine/postgres/migrate.ts';
import type { Session } from '../engine/postgres/session.ts';
import type { SeenProcess } from '../engine/state.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import { readRegistered, unregistered } from './sql.ts';
import type { ProcessStore } from './store.ts';

/** The `application_name` of releases that don't register; later releases append their version. */
const UNREGISTERED_NAME = 'stayport';

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
