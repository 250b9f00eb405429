import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { KnownSchema, Migration } from '../migrations.ts';
import { migrateSchema, readApplied, SQLITE_SCHEMA } from './migrate.ts';

const NOW_MS = Date.UTC(2026, 10, 23);

const migration = (version: number, sql: string): Migration => ({
  version,
  name: `${version}.sql`,
  needs: 0,
  sql,
});
const FIRST = migration(101, 'CREATE TABLE first (id integer) STRICT');
const SECOND = migration(102, 'CREATE TABLE second (id integer) STRICT');
const BROKEN = migration(103, 'CREATE TABLE first (id integer) STRICT');

const knownOf = (...migrations: readonly Migration[]): KnownSchema => ({
  ...SQLITE_SCHEMA,
  migrations,
});

function versionsAfterFailure(...before: readonly Migration[]): readonly number[] {
  const database = new DatabaseSync(':memory:');
  try {
    if (before.length > 0) migrateSchema(database, { nowMs: NOW_MS, known: knownOf(...before) });
    assert.throws(
      () => migrateSchema(database, { nowMs: NOW_MS, known: knownOf(FIRST, SECOND, BROKEN) }),
      /already exists/,
    );
    return readApplied(database).map(({ version }) => version);
  } finally {
    database.close();
  }
}

describe('A migration that fails', () => {
  it('leaves a new file as it was', () => {
    assert.deepEqual(versionsAfterFailure(), []);
  });

  it('keeps what the ones before it have done to a file with data', () => {
    assert.deepEqual(versionsAfterFailure(FIRST), [101, 102]);
  });
});
