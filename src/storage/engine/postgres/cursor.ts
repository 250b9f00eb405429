/**
 * Reading long results row by row through a cursor of the server, in a transaction that is open already.
 */
import type { ClientBase, QueryArrayConfig } from 'pg';
import { withAnswerTimeout } from './statement-timeout.ts';

/** The first rows may have to wait until the server has sorted all of them. */
export const CURSOR_WAIT_MS = 10 * 60 * 1000;

/** As many rows at once as should make so much text, by the size of those before. */
const FETCH_ROWS_FIRST = 100;
const FETCH_ROWS_MAX = 1_000;
const FETCH_BYTES_WANTED = 2_000_000;

/**
 * All of it is going to be read, so the plan that is fastest to its end is the right one; a sort may take this much
 * memory before it goes to disk.
 */
const SETTINGS = `
  SET LOCAL cursor_tuple_fraction = 1;
  SET LOCAL work_mem = '64MB';
  SET LOCAL statement_timeout = ${CURSOR_WAIT_MS}`;

let cursorCount = 0;

/** Rows as arrays of their columns, in batches that are never empty. `sql` is one SELECT without parameters. */
export async function* readByCursor<Row extends readonly unknown[]>(
  client: ClientBase,
  sql: string,
): AsyncGenerator<readonly Row[], void> {
  const cursor = `rows_${++cursorCount}`;
  await client.query(`${SETTINGS}; DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
  try {
    for (let limit = FETCH_ROWS_FIRST; ;) {
      const fetch: QueryArrayConfig = { text: `FETCH ${limit} FROM ${cursor}`, rowMode: 'array' };
      const { rows } = await client.query<unknown[]>(withAnswerTimeout(fetch, CURSOR_WAIT_MS));
      if (rows.length === 0) return;
      yield rows as unknown as readonly Row[];
      limit = Math.ceil(Math.min(FETCH_ROWS_MAX, (FETCH_BYTES_WANTED * rows.length) / sizeOf(rows)));
    }
  } finally {
    // On a lost connection this fails as well, and there is nothing left to close.
    await client.query(`CLOSE ${cursor}`).catch(() => undefined);
  }
}

/** About; at least 1. */
function sizeOf(rows: readonly (readonly unknown[])[]): number {
  let size = rows.length;
  for (const row of rows) {
    for (const value of row) {
      if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
    }
  }
  return size;
}
