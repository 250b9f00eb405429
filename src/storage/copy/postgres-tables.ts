/**
 * The tables of PostgreSQL as plain rows, for copying a whole database.
 */
import type { ClientBase } from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import { assertSchemaServes } from '../engine/migrations.ts';
import {
  type Column,
  type Row,
  selectRowsSql,
  type Table,
  type TableAccess,
  type TableReader,
  type TableWriter,
} from './tables.ts';
import { bigintArray, bytesArray, textArray } from '../engine/postgres/binary-array.ts';
import { readByCursor } from '../engine/postgres/cursor.ts';
import { migrateSchema, POSTGRES_SCHEMA, readApplied } from '../engine/postgres/migrate.ts';
import { toStorageError } from '../engine/postgres/postgres-errors.ts';
import type { PostgresTarget } from '../engine/postgres/postgres-url.ts';
import { openSession } from '../engine/postgres/session.ts';

/** While the other database works. */
const IDLE_MS_MAX = 10 * 60 * 1000;

export function openPostgresTables(target: PostgresTarget, clock: Clock): TableAccess {
  return {
    openReader: () => hold(target, beginReading),
    openWriter: () => hold(target, (client) => beginWriting(client, clock)),
  };
}

/** A connection for as long as what `start` makes of it is not closed. */
async function hold<T extends TableReader>(
  target: PostgresTarget,
  start: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const session = openSession(target);
  const opened = Promise.withResolvers<T>();
  const released = Promise.withResolvers<void>();
  async function holdUntilReleased(): Promise<void> {
    try {
      await session.runRaw(async (client) => {
        opened.resolve(await start(client));
        await released.promise;
      });
    } catch (error) {
      opened.reject(error);
    }
    await session.end();
  }
  const underway = holdUntilReleased();
  const held = await opened.promise;
  return {
    ...held,
    async close() {
      await held.close();
      released.resolve();
      await underway;
    },
  };
}

async function beginReading(client: ClientBase): Promise<TableReader> {
  await client.query(`
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS_MAX}`);
  // The first read is what fixes the view.
  assertSchemaServes(await readApplied(client), POSTGRES_SCHEMA);
  return makeReader(client);
}

async function beginWriting(client: ClientBase, clock: Clock): Promise<TableWriter> {
  if ((await readApplied(client)).length === 0) await migrateSchema(client, { nowMs: clock() });
  assertSchemaServes(await readApplied(client), POSTGRES_SCHEMA);
  await client.query(`
    BEGIN;
    SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS_MAX};
    SELECT revision FROM revision FOR UPDATE`);
  return {
    ...makeReader(client),
    insertRows: (table, rows) => toRejection(insertRows(client, table, rows)),
    async setRevision(revision) {
      await toRejection(client.query('UPDATE revision SET revision = $1', [revision]));
      await toRejection(client.query('DELETE FROM revision_stamps'));
    },
    async commit() {
      await toRejection(client.query('COMMIT'));
      // The first snapshot is then planned by what is there.
      await client.query('ANALYZE').catch(() => undefined);
    },
  };
}

function makeReader(client: ClientBase): TableReader {
  return {
    async countRows({ name }) {
      const { rows } = await toRejection(
        client.query<{ count: number }>(`SELECT count(*) AS count FROM ${name}`),
      );
      return rows[0]?.count ?? 0;
    },
    async *readRows(table) {
      try {
        yield* readByCursor<Row>(client, selectRowsSql(table));
      } catch (error) {
        throw toStorageError(error);
      }
    },
    async close() {
      await client.query('ROLLBACK').catch(() => undefined);
    },
  };
}

async function insertRows(client: ClientBase, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const names = columns.map((column) => column.name).join(', ');
  const parameters = columns.map(({ kind }, index) => `$${index + 1}::${ARRAY_TYPES[kind]}`).join(', ');
  await client.query(
    `INSERT INTO ${name} (${names}) SELECT * FROM unnest(${parameters})`,
    columns.map((column, index) =>
      encodeColumn(
        column,
        rows.map((row) => row[index] ?? null),
      ),
    ),
  );
}

const ARRAY_TYPES = { text: 'text[]', integer: 'bigint[]', bytes: 'bytea[]' } as const;

/** The values of a column are of its kind, in every engine. */
function encodeColumn({ kind }: Column, values: Row): Buffer {
  if (kind === 'text') return textArray(values as readonly (string | null)[]);
  return kind === 'integer'
    ? bigintArray(values as readonly (number | null)[])
    : bytesArray(values as readonly (Uint8Array | null)[]);
}

async function toRejection<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toStorageError(error);
  }
}
