/** The schema: the version of a database, and the migration to the newest. */
import type { ClientBase } from 'pg';
import { SchemaMismatch } from '../errors.ts';
import {
  type AppliedMigration,
  assertSchemaServes,
  createSchemaTables,
  findMissing,
  insertReleasesSql,
  judgeSchema,
  type KnownSchema,
  type Migration,
  OF_BOTH_ENGINES,
  planContraction,
  readContractions,
  readMigrations,
  RELEASES_TABLE,
  SCHEMA_TABLES,
  selectAppliedSql,
  tableOf,
} from '../migrations.ts';
import type { Contraction, SchemaState, SeenProcess } from '../state.ts';
import { commit, rollBack } from '../write-result.ts';
import { withAnswerTimeout } from './statement-timeout.ts';
import { inWriteTransaction } from './transactions.ts';

/** Longer than any single migration in another process should take. */
const MIGRATE_WAIT_MS = 60_000;
/** A new index on a table of millions takes its time. */
const MIGRATION_MS_MAX = 6 * 60 * 60 * 1000;
/** Any number, the same in every process; advisory locks belong to one database. */
const MIGRATION_LOCK = 0x73746179;

export const POSTGRES_SCHEMA: KnownSchema = {
  migrations: readMigrations(new URL('./migrations/', import.meta.url), OF_BOTH_ENGINES),
  contractions: readContractions(new URL('./contractions/', import.meta.url)),
};

/** Empty for an empty database. */
export async function readApplied(client: ClientBase): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL',
    [[...SCHEMA_TABLES, RELEASES_TABLE]],
  );
  const text = selectAppliedSql(rows.map(({ name }) => name));
  return text === undefined ? [] : (await client.query<AppliedMigration>(text)).rows;
}

export async function readSchemaState(client: ClientBase, known = POSTGRES_SCHEMA): Promise<SchemaState> {
  return judgeSchema(await readApplied(client), known);
}

/**
 * Applies missing migrations, each in its own transaction, which looks again under an advisory lock. So of several
 * processes at once, one applies a migration and the others find it done. Throws SchemaMismatch if the schema does not
 * fit this program.
 */
export async function migrateSchema(
  client: ClientBase,
  nowMs: number,
  known: KnownSchema = POSTGRES_SCHEMA,
): Promise<SchemaState> {
  await assertEncoding(client);
  for (;;) {
    const state = await readSchemaState(client, known);
    if (state.tooNew !== undefined) throw new SchemaMismatch(state.tooNew);
    if (!state.isBehind) return state;
    await inWriteTransaction(client, async () => {
      const [next] = findMissing(await lockSchema(client), known);
      if (next !== undefined) await apply(client, next, { nowMs, known });
      return { result: undefined, isCommitted: true };
    });
  }
}

/**
 * Removes everything that only older releases need, or nothing if `findOlder` finds a process that does not know the
 * given migration. A process that starts meanwhile waits at the lock and then finds the contracted schema.
 */
export async function contractSchema(
  client: ClientBase,
  nowMs: number,
  findOlder: (needs: number) => Promise<readonly SeenProcess[]>,
  known: KnownSchema = POSTGRES_SCHEMA,
): Promise<Contraction> {
  return inWriteTransaction<Contraction>(client, async () => {
    const applied = await lockSchema(client);
    assertSchemaServes(applied, known);
    await client.query('LOCK TABLE running_processes IN SHARE ROW EXCLUSIVE MODE');
    const { contractions, needs } = planContraction(applied, known);
    const older = await findOlder(needs);
    if (older.length > 0) return rollBack({ ok: false, older });
    for (const contraction of contractions) await apply(client, contraction, { nowMs, known });
    const { version } = judgeSchema(await lockSchema(client), known);
    return commit({ ok: true, version, contracted: contractions.map(({ name }) => name) });
  });
}

/** Locks the schema and returns the applied migrations. */
async function lockSchema(client: ClientBase): Promise<readonly AppliedMigration[]> {
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${MIGRATE_WAIT_MS}`);
  await client.query(
    withAnswerTimeout({ text: `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})` }, MIGRATION_MS_MAX),
  );
  // The tables are not looked up first: within a transaction, `to_regclass` may remember a table as missing that another
  // process has made while this one waited for the lock.
  await client.query(createSchemaTables('bigint', ''));
  const text = selectAppliedSql([...SCHEMA_TABLES, RELEASES_TABLE]) ?? '';
  return (await client.query<AppliedMigration>(text)).rows;
}

async function apply(
  client: ClientBase,
  migration: Migration,
  { nowMs, known }: { readonly nowMs: number; readonly known: KnownSchema },
): Promise<void> {
  const { version, name, sql } = migration;
  await client.query(withAnswerTimeout({ text: sql }, MIGRATION_MS_MAX));
  await client.query(
    `INSERT INTO ${tableOf(migration, known)} (version, name, applied_at_ms) VALUES ($1, $2, $3)`,
    [version, name, nowMs],
  );
  const { rows: applied } = await client.query<AppliedMigration>(selectAppliedSql(SCHEMA_TABLES) ?? '');
  await client.query(insertReleasesSql(applied, known));
}

/** Other encodings lack characters that occur in place names. */
async function assertEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding`,
  );
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new SchemaMismatch(`the database has the encoding ${encoding}: create it with ENCODING 'UTF8'`);
  }
}
