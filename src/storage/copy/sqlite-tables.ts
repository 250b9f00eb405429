/** The tables of SQLite as plain rows, for copying a whole database. For commands, which may block on the disk. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../runtime/clock.ts';
import { activityPathOf } from '../activity/activity-path.ts';
import { prepareActivityFile } from '../activity/sqlite.ts';
import { assertSchemaServes } from '../engine/migrations.ts';
import {
  ACTIVITY_TABLES,
  type Row,
  selectRowsSql,
  type TableAccess,
  type TableReader,
  type TableWriter,
} from './tables.ts';
import { openReader, openWriter } from '../engine/sqlite/connection.ts';
import { waitForLock } from '../engine/sqlite/transactions.ts';
import { migrateSchema, readApplied, SQLITE_SCHEMA } from '../engine/sqlite/migrate.ts';
import { toStorageError } from '../engine/sqlite/sqlite-errors.ts';

/** A batch ends with whichever comes first. */
const BATCH_ROWS_MAX = 1_000;
const BATCH_BYTES_MAX = 2_000_000;
const LOCK_WAIT_MS = 10_000;

/** Reading never creates the file; writing does. */
export function openSqliteTables(path: string, clock: Clock): TableAccess {
  const file = { path: resolve(path), pageCountMax: undefined };
  return {
    openReader: async () => translating(() => beginReading(openReader(file.path), file.path)),
    openWriter: async () => translating(() => beginWriting(openWriter(file), file.path, clock)),
  };
}

function beginReading(database: DatabaseSync, path: string): TableReader {
  return orClose(database, () => {
    attachActivity(database, path);
    database.exec('BEGIN');
    // The view is fixed by the first read.
    assertSchemaServes(readApplied(database), SQLITE_SCHEMA);
    return makeReader(database);
  });
}

function beginWriting(database: DatabaseSync, path: string, clock: Clock): TableWriter {
  return orClose(database, () => {
    if (readApplied(database).length === 0) migrateSchema(database, { nowMs: clock() });
    assertSchemaServes(readApplied(database), SQLITE_SCHEMA);
    prepareActivityFile(path, clock());
    attachActivity(database, path);
    waitForLock(LOCK_WAIT_MS, () => database.exec('BEGIN IMMEDIATE'));
    return {
      ...makeReader(database),
      async insertRows({ name, columns }, rows) {
        const names = columns.map((column) => column.name).join(', ');
        const marks = columns.map(() => '?').join(', ');
        const insert = database.prepare(`INSERT INTO ${name} (${names}) VALUES (${marks})`);
        translating(() => {
          for (const row of rows) insert.run(...(row as SQLInputValue[]));
        });
      },
      async setRevision(revision) {
        translating(() => {
          database.prepare('UPDATE revision SET revision = ?').run(revision);
          database.exec('DELETE FROM revision_stamps');
        });
      },
      async commit() {
        translating(() => database.exec('COMMIT'));
      },
    };
  });
}

/**
 * Makes the activity tables available beside the others. Without an activity file, as for a database of an earlier
 * release, they are empty tables of this connection.
 */
function attachActivity(database: DatabaseSync, path: string): void {
  const file = activityPathOf(path);
  if (existsSync(file)) {
    database.prepare('ATTACH DATABASE ? AS activity').run(file);
    return;
  }
  for (const { name, columns } of ACTIVITY_TABLES)
    database.exec(`CREATE TEMP TABLE ${name} (${columns.map((column) => column.name).join(', ')})`);
}

function makeReader(database: DatabaseSync): TableReader {
  return {
    countRows: async ({ name }) =>
      translating(() => Number(database.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.['count'])),
    async *readRows(table) {
      const statement = database.prepare(selectRowsSql(table));
      statement.setReturnArrays(true);
      const batches = batchRows(statement.iterate() as unknown as Iterable<Row>);
      try {
        for (;;) {
          const { value: batch } = translating(() => batches.next());
          if (batch === undefined) return;
          yield batch;
          await nextTurn();
        }
      } finally {
        // Ends the statement if the reader stops early.
        batches.return(undefined);
      }
    },
    async close() {
      // Closing rolls back uncommitted writes.
      if (database.isOpen) database.close();
    },
  };
}

function* batchRows(rows: Iterable<Row>): Generator<Row[], undefined> {
  let batch: Row[] = [];
  let byteCount = 0;
  for (const row of rows) {
    batch.push(row);
    for (const value of row)
      byteCount += typeof value === 'object' ? (value?.length ?? 0) : String(value).length;
    if (batch.length < BATCH_ROWS_MAX && byteCount < BATCH_BYTES_MAX) continue;
    yield batch;
    batch = [];
    byteCount = 0;
  }
  if (batch.length > 0) yield batch;
}

function orClose<T>(database: DatabaseSync, start: () => T): T {
  try {
    return start();
  } catch (error) {
    database.close();
    throw error;
  }
}

function translating<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error);
  }
}
