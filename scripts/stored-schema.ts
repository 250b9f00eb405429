/** The schema after all migrations, as SQL to read: nothing runs it. */
import { DatabaseSync } from 'node:sqlite';
import { ACTIVITY_SCHEMA } from '../src/storage/activity/sqlite.ts';
import type { KnownSchema } from '../src/storage/engine/migrations.ts';
import { migrateSchema, SQLITE_SCHEMA } from '../src/storage/engine/sqlite/migrate.ts';

export const SCHEMA_FILE = 'src/storage/engine/schema.sql';

const HEAD = `-- The tables of SQLite after all migrations, written by \`npm run schema\`; only migrations change a database.
-- PostgreSQL has the same tables, columns and indexes, in its own types: \`engine-words.ts\` has what differs.`;
const OF_ACTIVITY =
  '-- The tables of activity: on SQLite in a file of their own beside the database, on PostgreSQL in the database.';

/** `CREATE` statements as the migrations wrote them, with their comments; SQLite appends columns that came later. */
export function formatSchema(): string {
  return `${[HEAD, ...statementsOf(SQLITE_SCHEMA), OF_ACTIVITY, ...statementsOf(ACTIVITY_SCHEMA)].join('\n\n')}\n`;
}

function statementsOf(known: KnownSchema): readonly string[] {
  const database = new DatabaseSync(':memory:');
  migrateSchema(database, { nowMs: 0, known });
  const rows = database
    .prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY tbl_name, type = 'index', name")
    .all();
  database.close();
  return rows.map(({ sql }) => `${String(sql)};`);
}
