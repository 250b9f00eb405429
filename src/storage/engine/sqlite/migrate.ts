/**
 * The schema: which version a file has, and the way to the newest.
 */
import type { DatabaseSync } from 'node:sqlite';
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
  selectAppliedSql,
} from '../migrations.ts';
import type { Contraction, SchemaState, SeenProcess } from '../state.ts';
import { inWriteTransaction } from './transactions.ts';

/** Longer than any single migration of another process should take. */
const MIGRATE_WAIT_MS = 60_000;

export const SQLITE_SCHEMA: KnownSchema = {
  subject: 'the database',
  ...readSchema('sqlite', ['truth']),
  ofLastBeta: LAST_BETA_MIGRATIONS.sqlite,
};

/** Empty for an empty database. */
export function readApplied(database: DatabaseSync): readonly AppliedMigration[] {
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
  const text = selectAppliedSql(tables.map((row) => String(row['name'])));
  return text === undefined ? [] : (database.prepare(text).all() as unknown as AppliedMigration[]);
}

export function readSchemaState(database: DatabaseSync, known = SQLITE_SCHEMA): SchemaState {
  return judgeSchema(readApplied(database), known);
}

export interface MigrateOptions {
  readonly nowMs: number;
  readonly known?: KnownSchema;
  readonly waitMs?: number;
  /** The processes that serve a database of the last beta. */
  readonly findServing?: () => readonly SeenProcess[];
}

/**
 * Applies what is missing, each migration in a transaction of its own that looks again under the write lock: of several
 * processes at once, one applies it and the others find it done. In a new file all are one transaction. Throws
 * SchemaMismatch on a schema that does not serve this program, and beside a beta.
 */
export function migrateSchema(database: DatabaseSync, options: MigrateOptions): SchemaState {
  const { nowMs, known = SQLITE_SCHEMA, waitMs = MIGRATE_WAIT_MS, findServing = () => [] } = options;
  for (;;) {
    const state = readSchemaState(database, known);
    if (state.refusal !== undefined) throw new SchemaMismatch(state.refusal);
    if (!state.isBehind) return state;
    inWriteTransaction(database, waitMs, () => {
      const applied = readApplied(database);
      if (isOfBeta(applied)) {
        assertNoBetaServes(findServing());
        takeOver(database, nowMs, known);
        return;
      }
      const missing = findMissing(applied, known);
      // Each commit waits for the disk; a new file has no rows, and nobody waits for its lock.
      const next = applied.length === 0 ? missing : missing.slice(0, 1);
      for (const migration of next) apply(database, migration, nowMs);
    });
  }
}

/** The tables of the last beta are those of the first release. */
function takeOver(database: DatabaseSync, nowMs: number, { migrations }: KnownSchema): void {
  database.exec(createSchemaTables('sqlite'));
  database.exec(FORGET_BETA_SQL);
  for (const migration of migrations.filter(({ version }) => version === BASELINE))
    database.exec(countMigrationSql(migration, nowMs));
}

/**
 * Removes what only older releases need, all of it or nothing: nothing while `findOlder` finds a process that does not
 * know the given migration.
 */
export function contractSchema(
  database: DatabaseSync,
  nowMs: number,
  findOlder: (needs: number) => readonly SeenProcess[],
  known: KnownSchema = SQLITE_SCHEMA,
): Contraction {
  return inWriteTransaction<Contraction>(database, MIGRATE_WAIT_MS, () => {
    const applied = readApplied(database);
    assertSchemaServes(applied, known);
    const { contractions, needs } = planContraction(applied, known);
    const older = findOlder(needs);
    if (older.length > 0) return { ok: false, older };
    for (const contraction of contractions) apply(database, contraction, nowMs);
    const { version } = readSchemaState(database, known);
    return { ok: true, version, contracted: contractions.map(({ name }) => name) };
  });
}

function apply(database: DatabaseSync, migration: Migration, nowMs: number): void {
  database.exec(createSchemaTables('sqlite'));
  database.exec(migration.sql);
  database.exec(countMigrationSql(migration, nowMs));
}
