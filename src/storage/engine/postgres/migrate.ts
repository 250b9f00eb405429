/** The schema: the version of a database, and the migration to the newest. */
import type { ClientBase } from 'pg';
import { SchemaMismatch } from '../errors.ts';
import {
  assertNoBetaServes,
  BASELINE,
  FORGET_BETA_SQL,
  isOfBeta,
  LAST_BETA_MIGRATIONS,
} from '../last-beta.ts';
import {
  type AppliedMigration,
  assertSchemaServes,
  countMigrationSql,
  createSchemaTables,
  findMissing,
  judgeSchema,
  type KnownSchema,
  type Migration,
  planContraction,
  readSchema,
  SCHEMA_TABLES,
  selectAppliedSql,
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
  subject: 'the database',
  ...readSchema('postgres', ['truth', 'activity']),
  ofLastBeta: LAST_BETA_MIGRATIONS.postgres,
};

/** Empty for an empty database. */
export async function readApplied(client: ClientBase): Promise<readonly AppliedMigration[]> {
  // Not `to_regclass`: within a transaction, it may remember a table as missing that another process has made.
  const { rows } = await client.query<{ name: string }>(
    'SELECT relname AS name FROM pg_class WHERE relname = ANY($1) AND pg_table_is_visible(oid)',
    [SCHEMA_TABLES],
  );
  const text = selectAppliedSql(rows.map(({ name }) => name));
  return text === undefined ? [] : (await client.query<AppliedMigration>(text)).rows;
}

export async function readSchemaState(client: ClientBase, known = POSTGRES_SCHEMA): Promise<SchemaState> {
  return judgeSchema(await readApplied(client), known);
}

export interface MigrateOptions {
  readonly nowMs: number;
  readonly known?: KnownSchema;
  /** The processes that serve a database of the last beta. */
  readonly findServing?: () => Promise<readonly SeenProcess[]>;
}

/**
 * Applies missing migrations, each in its own transaction, which looks again under an advisory lock. So of several
 * processes at once, one applies a migration and the others find it done. Throws SchemaMismatch if the schema does not
 * fit this program, and beside a beta.
 */
export async function migrateSchema(client: ClientBase, options: MigrateOptions): Promise<SchemaState> {
  const { nowMs, known = POSTGRES_SCHEMA, findServing = async () => [] } = options;
  await assertEncoding(client);
  for (;;) {
    const state = await readSchemaState(client, known);
    if (state.refusal !== undefined) throw new SchemaMismatch(state.refusal);
    if (!state.isBehind) return state;
    await inWriteTransaction(client, async () => {
      const applied = await lockSchema(client);
      if (isOfBeta(applied)) {
        await lockProcesses(client);
        assertNoBetaServes(await findServing());
        await takeOver(client, nowMs, known);
      } else {
        const [next] = findMissing(applied, known);
        if (next !== undefined) await apply(client, next, nowMs);
      }
      return { result: undefined, isCommitted: true };
    });
  }
}

/** The tables of the last beta are those of the first release. */
async function takeOver(client: ClientBase, nowMs: number, { migrations }: KnownSchema): Promise<void> {
  await client.query(FORGET_BETA_SQL);
  for (const migration of migrations.filter(({ version }) => version === BASELINE))
    await client.query(countMigrationSql(migration, nowMs));
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
    await lockProcesses(client);
    const { contractions, needs } = planContraction(applied, known);
    const older = await findOlder(needs);
    if (older.length > 0) return rollBack({ ok: false, older });
    for (const contraction of contractions) await apply(client, contraction, nowMs);
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
  await client.query(createSchemaTables('postgres'));
  return readApplied(client);
}

/** A process that registers meanwhile waits, and then finds the new schema. */
async function lockProcesses(client: ClientBase): Promise<void> {
  await client.query('LOCK TABLE running_processes IN SHARE ROW EXCLUSIVE MODE');
}

async function apply(client: ClientBase, migration: Migration, nowMs: number): Promise<void> {
  await client.query(withAnswerTimeout({ text: migration.sql }, MIGRATION_MS_MAX));
  await client.query(countMigrationSql(migration, nowMs));
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
