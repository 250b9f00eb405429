/** A PostgreSQL database, on one connection that writes nothing. */
import { Wrong } from '../../domain/wrong.ts';
import { Client, type ClientBase } from 'pg';
import { getTypeParser } from '../engine/postgres/connections.ts';
import { readSchemaState } from '../engine/postgres/migrate.ts';
import { toConnectError } from '../engine/postgres/postgres-errors.ts';
import type { PostgresTarget } from '../engine/postgres/postgres-url.ts';
import type { SchemaState } from '../engine/state.ts';
import { readPostgresProcesses } from '../processes/postgres.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import {
  type DatabaseContent,
  type DatabaseInspection,
  INSPECTION_MS_MAX,
  INSPECTION_NAME,
  type ModeProblem,
  readContent,
} from './inspection.ts';

interface ServerRow {
  readonly version: string;
  readonly now_ms: string;
  readonly standby: boolean;
  readonly read_only: string;
  readonly may_create: boolean;
  readonly max: number;
  readonly others: number;
  /** JSON: settings by name. */
  readonly modes: string;
}

const SERVER = `
  SELECT current_setting('server_version') AS version,
    extract(epoch FROM clock_timestamp()) * 1000 AS now_ms,
    pg_is_in_recovery() AS standby,
    current_setting('default_transaction_read_only') AS read_only,
    has_schema_privilege(current_schema(), 'CREATE') AS may_create,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) AS max,
    (SELECT count(*) FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND application_name NOT LIKE 'stayport%') AS others,
    json_build_object('fsync', current_setting('fsync'), 'full_page_writes', current_setting('full_page_writes'),
      'synchronous_commit', current_setting('synchronous_commit'))::text AS modes`;

/** Rejects with `StorageUnavailable` when there is no connection. */
export async function inspectPostgres(
  target: PostgresTarget,
  clock: () => number,
): Promise<DatabaseInspection> {
  const client = new Client({
    ...target,
    types: { getTypeParser },
    application_name: INSPECTION_NAME,
    connectionTimeoutMillis: INSPECTION_MS_MAX,
    statement_timeout: INSPECTION_MS_MAX,
    query_timeout: INSPECTION_MS_MAX,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw toConnectError(error);
  }
  try {
    return await inspect(client, target, clock);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function inspect(
  client: ClientBase,
  { host, port, database }: PostgresTarget,
  clock: () => number,
): Promise<DatabaseInspection> {
  const askedAtMs = clock();
  const server = (await client.query<ServerRow>(SERVER)).rows[0];
  const answeredAtMs = clock();
  if (server === undefined) throw new Error('the server says nothing of itself');
  await client.query('BEGIN READ ONLY');
  const schema = await readSchemaState(client);
  return {
    name: `PostgreSQL ${server.version.split(' ')[0]} at ${host}:${port}/${database}`,
    schema,
    readOnly: findReadOnly(server),
    modes: findModeProblems(server),
    clockAheadMs: Number(server.now_ms) - (askedAtMs + answeredAtMs) / 2,
    folder: undefined,
    connections: { max: server.max, others: server.others },
    content: await readPostgresContent(client, schema, answeredAtMs),
  };
}

function findReadOnly({ standby, read_only, may_create }: ServerRow): string | undefined {
  if (standby) return 'the server is a standby: the URL must lead to the primary';
  if (read_only === 'on') return 'the database is set to default_transaction_read_only = on';
  return may_create ? undefined : 'the user may not create tables in its schema';
}

function findModeProblems({ modes }: ServerRow): readonly ModeProblem[] {
  return Object.entries(JSON.parse(modes) as Record<string, string>).flatMap(([name, value]) =>
    value === 'off'
      ? [{ detail: new Wrong('commitsLost', { name }), fix: new Wrong('fixCommits', { name }) }]
      : [],
  );
}

async function readPostgresContent(
  client: ClientBase,
  { isBehind, refusal }: SchemaState,
  nowMs: number,
): Promise<DatabaseContent | undefined> {
  if (isBehind || refusal !== undefined) return undefined;
  const content = await runPostgresProgram(client, readContent(nowMs));
  return { ...content, processes: await readPostgresProcesses(client, nowMs) };
}
