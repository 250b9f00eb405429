/** The schema as SQL to read: the tables that all migrations make. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { formatSchema, SCHEMA_FILE } from '../../../scripts/stored-schema.ts';

it('schema.sql has the tables that all migrations make: "npm run schema" writes it', () => {
  assert.equal(readFileSync(join(import.meta.dirname, '../../..', SCHEMA_FILE), 'utf8'), formatSchema());
});
