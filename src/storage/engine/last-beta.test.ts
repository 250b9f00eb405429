/** A database of the last beta, once this release has taken it over, is one that this release has made. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { loadBetaDump, writeBetaFiles } from '../../../test/kit/beta-database.ts';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { describePostgres, openPostgres } from '../../../test/suites/storage/postgres-fixture.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import { activityPathOf } from '../activity/activity-path.ts';
import { openSqliteStorage } from '../open-sqlite.ts';

type Row = Readonly<Record<string, unknown>>;

/** Tables with columns, constraints and options, and indexes, as they were written, apart from comments and blanks. */
function shapeOfSqlite(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  database.close();
  return rows
    .map(({ sql }) =>
      String(sql)
        .replaceAll(/--.*$/gm, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?([(),]) ?/g, '$1')
        .toLowerCase(),
    )
    .toSorted();
}

function countedIn(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(COUNTED).all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

const COUNTED = `SELECT version, name, release, needs FROM schema_version JOIN schema_releases USING (version)`;

/** Columns with their types, order of text and defaults; constraints; indexes; options of tables. */
const SHAPE_OF_POSTGRES = `
  SELECT attrelid::regclass::text || ' ' || attnum AS place, concat_ws(' ', attname,
    format_type(atttypid, atttypmod), collname, attnotnull, pg_get_expr(adbin, adrelid), attidentity) AS shape
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT conrelid::regclass::text || ' ' || conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT relname, concat_ws(' ', relkind, relpersistence, reloptions::text) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace
  ORDER BY 1, 2`;

describe('A database of the last beta', () => {
  it('is, on SQLite, one that this release has made, and so is its file of activity', async () => {
    const shapes: unknown[] = [];
    for (const isOfBeta of [true, false]) {
      const { path, remove } = makeDatabasePath();
      if (isOfBeta) writeBetaFiles(path);
      const storage = await openSqliteStorage({ path, clock: () => NOW_MS, writesHere: true });
      await storage.migrate();
      await storage.close();
      shapes.push([path, activityPathOf(path)].map((file) => [shapeOfSqlite(file), countedIn(file)]));
      remove();
    }
    assert.deepEqual(shapes[0], shapes[1]);
    assert.ok(JSON.stringify(shapes).length > 10_000);
  });
});

describePostgres('A database of the last beta', (server) => {
  it('is, on PostgreSQL, one that this release has made', async () => {
    const shapes: (readonly Row[])[] = [];
    for (const url of [await loadBetaDump(server()), await server().createDatabase()]) {
      const storage = await openPostgres(url, () => NOW_MS);
      await storage.migrate();
      await storage.close();
      const { rows } = await server().query(SHAPE_OF_POSTGRES, url);
      shapes.push([...rows, ...(await server().query(COUNTED, url)).rows]);
    }
    assert.deepEqual(shapes[0], shapes[1]);
    assert.ok(shapes[0]!.length > 400, String(shapes[0]!.length));
  });
});
