/**
 * The schema: which version a database has, and the way to the newest.
 */
import type { ClientBase } from 'pg';
import {
  type Migration,
  newerSchema,
  readMigrations,
  SCHEMA_TABLES,
  tableOfMigration,
} from '../migrations.ts';
import { SchemaMismatch } from '../errors.ts';
import type { SchemaState } from '../state.ts';
import { withAnswerTimeout } from './statement-timeout.ts';
import { inWriteTransaction } from './transactions.ts';

/** Longer than any single migration of another process should take. */
const MIGRATE_WAIT_MS = 60_000;
/** A new index on a table of millions takes its time. */
const MIGRATION_MS_MAX = 6 * 60 * 60 * 1000;
/** Any number, the same in every process; advisory locks belong to one database. */
const MIGRATION_LOCK = 0x73746179;

export const POSTGRES_MIGRATIONS: readonly Migration[] = readMigrations(
  new URL('./migrations/', import.meta.url),
);
export const POSTGRES_SCHEMA_VERSION = POSTGRES_MIGRATIONS.length;

/** 0 for an empty database. */
export async function readSchemaVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL',
    [SCHEMA_TABLES],
  );
  return readHighest(
    client,
    rows.map(({ name }) => name),
  );
}

async function readHighest(client: ClientBase, tables: readonly string[]): Promise<number> {
  if (tables.length === 0) return 0;
  const versions = tables.map((table) => `SELECT version FROM ${table}`).join(' UNION ALL ');
  const { rows } = await client.query<{ version: number }>(
    `SELECT coalesce(max(version), 0) AS version FROM (${versions}) AS applied`,
  );
  return rows[0]?.version ?? 0;
}

/**
 * Applies what is missing, each migration in a transaction of its own that looks at the version again under an
 * advisory lock: of several processes at once, one applies it and the others find it done. Throws SchemaMismatch
 * when the schema is newer than `migrations`.
 */
export async function migrateSchema(
  client: ClientBase,
  nowMs: number,
  migrations: readonly Migration[] = POSTGRES_MIGRATIONS,
): Promise<SchemaState> {
  await assertEncoding(client);
  const latest = migrations.length;
  for (;;) {
    const version = await readSchemaVersion(client);
    if (version > latest) throw newerSchema(version, latest);
    if (version === latest) return { version, latest };
    await inWriteTransaction(client, async () => {
      await applyNext(client, nowMs, migrations);
      return { result: undefined, isCommitted: true };
    });
  }
}

async function applyNext(client: ClientBase, nowMs: number, migrations: readonly Migration[]): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${MIGRATE_WAIT_MS}`);
  await client.query(
    withAnswerTimeout({ text: `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})` }, MIGRATION_MS_MAX),
  );
  // The tables are not looked up first: within a transaction, `to_regclass` may remember a table as missing that another process
  // has made while this one waited for the lock.
  for (const table of SCHEMA_TABLES) {
    await client.query(`
      CREATE TABLE IF NOT EXISTS ${table} (
        version integer PRIMARY KEY,
        name text NOT NULL,
        applied_at_ms bigint NOT NULL
      )`);
  }
  const migration = migrations[await readHighest(client, SCHEMA_TABLES)];
  if (migration === undefined) return;
  await client.query(withAnswerTimeout({ text: migration.sql }, MIGRATION_MS_MAX));
  await client.query(
    `INSERT INTO ${tableOfMigration(migration)} (version, name, applied_at_ms) VALUES ($1, $2, $3)`,
    [migration.version, migration.name, nowMs],
  );
}

/** Any other encoding lacks characters that names of places have. */
async function assertEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding`,
  );
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new SchemaMismatch(`the database has the encoding ${encoding}: create it with ENCODING 'UTF8'`);
  }
}
