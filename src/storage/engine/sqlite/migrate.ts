/**
 * The schema: which version a file has, and the way to the newest.
 */
import type { DatabaseSync } from 'node:sqlite';
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
  SCHEMA_TABLES,
  selectAppliedSql,
  tableOf,
} from '../migrations.ts';
import type { Contraction, SchemaState, SeenProcess } from '../state.ts';
import { inWriteTransaction } from './transactions.ts';

/** Longer than any single migration of another process should take. */
const MIGRATE_WAIT_MS = 60_000;

export const SQLITE_SCHEMA: KnownSchema = {
  migrations: readMigrations(new URL('./migrations/', import.meta.url), OF_BOTH_ENGINES),
  contractions: readContractions(new URL('./contractions/', import.meta.url)),
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

/**
 * Applies what is missing, each migration in a transaction of its own that looks again under the write lock: of several
 * processes at once, one applies it and the others find it done. In a new file all are one transaction. Throws
 * SchemaMismatch on a schema that does not serve this program.
 */
export function migrateSchema(
  database: DatabaseSync,
  nowMs: number,
  known: KnownSchema = SQLITE_SCHEMA,
  waitMs = MIGRATE_WAIT_MS,
): SchemaState {
  for (;;) {
    const state = readSchemaState(database, known);
    if (state.tooNew !== undefined) throw new SchemaMismatch(state.tooNew);
    if (!state.isBehind) return state;
    inWriteTransaction(database, waitMs, () => {
      const applied = readApplied(database);
      const missing = findMissing(applied, known);
      // Each commit waits for the disk; a new file has no rows, and nobody waits for its lock.
      const next = applied.length === 0 ? missing : missing.slice(0, 1);
      for (const migration of next) apply(database, migration, { nowMs, known });
    });
  }
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
    for (const contraction of contractions) apply(database, contraction, { nowMs, known });
    const { version } = readSchemaState(database, known);
    return { ok: true, version, contracted: contractions.map(({ name }) => name) };
  });
}

function apply(
  database: DatabaseSync,
  migration: Migration,
  { nowMs, known }: { readonly nowMs: number; readonly known: KnownSchema },
): void {
  const { version, name, sql } = migration;
  database.exec(createSchemaTables('integer', 'STRICT'));
  database.exec(sql);
  database
    .prepare(`INSERT INTO ${tableOf(migration, known)} (version, name, applied_at_ms) VALUES (?, ?, ?)`)
    .run(version, name, nowMs);
  const applied = database.prepare(selectAppliedSql(SCHEMA_TABLES) ?? '').all();
  database.exec(insertReleasesSql(applied as unknown as AppliedMigration[], known));
}
