/** The schema of each engine as SQL to read: the tables that all migrations make. `npm run schema` writes both files. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { postgresSchema, SCHEMA_FILES, sqliteSchema } from '../../../scripts/stored-schema.ts';
import { describePostgres } from '../../../test/suites/storage/postgres-fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('The schema of SQLite', () => {
  it('is in schema.sqlite.sql as all migrations make it: "npm run schema" writes it', () => {
    assert.equal(readFileSync(join(ROOT, SCHEMA_FILES.sqlite), 'utf8'), sqliteSchema());
  });
});

describePostgres('The schema of PostgreSQL', (server) => {
  it('is in schema.postgres.sql as all migrations make it: "npm run schema" writes it', async () => {
    assert.equal(readFileSync(join(ROOT, SCHEMA_FILES.postgres), 'utf8'), await postgresSchema(server()));
  });
});
