/**
 * The schema: which version a file has, and the way to the newest.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  type Migration,
  newerSchema,
  readMigrations,
  SCHEMA_TABLES,
  tableOfMigration,
} from '../migrations.ts';
import type { SchemaState } from '../state.ts';
import { inWriteTransaction } from './transactions.ts';

/** Longer than any single migration of another process should take. */
const MIGRATE_WAIT_MS = 60_000;

export const SQLITE_MIGRATIONS: readonly Migration[] = readMigrations(
  new URL('./migrations/', import.meta.url),
);
export const SQLITE_SCHEMA_VERSION = SQLITE_MIGRATIONS.length;

/** 0 for an empty database. */
export function readSchemaVersion(database: DatabaseSync): number {
  return Math.max(...SCHEMA_TABLES.map((table) => readHighest(database, table)));
}

function readHighest(database: DatabaseSync, table: string): number {
  const known = database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`);
  if (known.get(table) === undefined) return 0;
  return Number(
    database.prepare(`SELECT coalesce(max(version), 0) AS version FROM ${table}`).get()?.['version'],
  );
}

export function readSchemaState(database: DatabaseSync): SchemaState {
  return { version: readSchemaVersion(database), latest: SQLITE_SCHEMA_VERSION };
}

/**
 * Applies what is missing, each migration in a transaction of its own that looks at the version again under the
 * write lock: of several processes at once, one applies it and the others find it done. Throws SchemaMismatch when
 * the schema is newer than `migrations`.
 */
export function migrateSchema(
  database: DatabaseSync,
  nowMs: number,
  migrations: readonly Migration[] = SQLITE_MIGRATIONS,
  waitMs = MIGRATE_WAIT_MS,
): SchemaState {
  const latest = migrations.length;
  for (;;) {
    const version = readSchemaVersion(database);
    if (version > latest) throw newerSchema(version, latest);
    if (version === latest) return { version, latest };
    inWriteTransaction(database, waitMs, () => applyNext(database, nowMs, migrations));
  }
}

function applyNext(database: DatabaseSync, nowMs: number, migrations: readonly Migration[]): void {
  const migration = migrations[readSchemaVersion(database)];
  if (migration === undefined) return;
  for (const table of SCHEMA_TABLES) {
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${table} (
        version INTEGER NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        applied_at_ms INTEGER NOT NULL
      ) STRICT`);
  }
  database.exec(migration.sql);
  database
    .prepare(`INSERT INTO ${tableOfMigration(migration)} (version, name, applied_at_ms) VALUES (?, ?, ?)`)
    .run(migration.version, migration.name, nowMs);
}
