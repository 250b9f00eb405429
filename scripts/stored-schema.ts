/** The schema of each engine after all migrations, as SQL to read: nothing runs it. */
import { DatabaseSync } from 'node:sqlite';
import { parsePostgresUrl } from '../src/storage/engine/postgres/postgres-url.ts';
import { migrateSchema, SQLITE_SCHEMA } from '../src/storage/engine/sqlite/migrate.ts';
import { ACTIVITY_SCHEMA } from '../src/storage/activity/sqlite.ts';
import { openPostgresStorage } from '../src/storage/open-postgres.ts';
import type { SharedPostgres } from '../test/kit/postgres-server.ts';

export const SCHEMA_FILES = {
  sqlite: 'src/storage/engine/schema.sqlite.sql',
  postgres: 'src/storage/engine/schema.postgres.sql',
} as const;

const HEAD =
  '-- The tables after all migrations, written by `npm run schema`; only migrations change a database.';
const OF_ACTIVITY = '-- The tables of the file of activity, which lies beside the database.';

/** `CREATE` statements as the migrations wrote them, with their comments; SQLite appends columns that came later. */
export function sqliteSchema(): string {
  const [tables, activity] = [SQLITE_SCHEMA, ACTIVITY_SCHEMA].map((known) => {
    const database = new DatabaseSync(':memory:');
    migrateSchema(database, 0, known);
    const rows = database.prepare(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY tbl_name, type = 'index', name",
    );
    const statements = rows.all().map(({ sql }) => `${String(sql)};`);
    database.close();
    return statements;
  });
  return fileOf([...tables!, OF_ACTIVITY, ...activity!]);
}

/** In a database of its own on this server. */
export async function postgresSchema(server: SharedPostgres): Promise<string> {
  const databaseUrl = await server.createDatabase();
  const parsed = parsePostgresUrl(databaseUrl);
  if (!parsed.ok) throw new Error('the server has a URL of its own kind');
  const storage = await openPostgresStorage({ databaseUrl, target: parsed.target, clock: () => 0 });
  await storage.migrate();
  await storage.close();
  const { rows } = await server.query(POSTGRES_STATEMENTS, databaseUrl);
  return fileOf(rows.map(({ statement }: { statement: string }) => statement));
}

/** Tables with their columns and constraints, each followed by the indexes that no constraint made. */
const POSTGRES_STATEMENTS = `
  WITH tables AS (
    SELECT oid, relname, reloptions FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
  ), parts AS (
    SELECT attrelid AS oid, 1 AS kind, attnum::int AS place, '' AS name,
      concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
        CASE WHEN attcollation <> typcollation THEN 'COLLATE ' || quote_ident(collname) END,
        CASE WHEN attnotnull THEN 'NOT NULL' END,
        'DEFAULT ' || pg_get_expr(adbin, adrelid)) AS part
    FROM pg_attribute
    JOIN pg_type ON pg_type.oid = atttypid
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT conrelid, 2, 0, conname, 'CONSTRAINT ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE contype <> 'n'
  )
  SELECT relname::text COLLATE "C" AS about, '' COLLATE "C" AS name,
    'CREATE TABLE ' || quote_ident(relname) || E' (\\n  ' ||
      string_agg(part, E',\\n  ' ORDER BY kind, place, parts.name COLLATE "C") || E'\\n)' ||
      coalesce(' WITH (' || array_to_string(reloptions, ', ') || ')', '') || ';' AS statement
  FROM tables JOIN parts USING (oid) GROUP BY oid, relname, reloptions
  UNION ALL
  SELECT relname::text COLLATE "C", indexrelid::regclass::text COLLATE "C", pg_get_indexdef(indexrelid) || ';'
  FROM tables JOIN pg_index ON indrelid = tables.oid
  WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
  ORDER BY about, name`;

function fileOf(statements: readonly string[]): string {
  return `${[HEAD, ...statements].join('\n\n')}\n`;
}
