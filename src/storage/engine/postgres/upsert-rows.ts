/** Writes rows of a table in one statement: an array for each column. */
import type { ClientBase } from 'pg';
import { type ColumnValue, upsertText, type WrittenColumn, type WrittenTable } from '../written-table.ts';
import { bigintArray, bytesArray, intArray, textArray } from './binary-array.ts';

const ARRAYS: Readonly<Record<WrittenColumn<never>['type'], (values: readonly ColumnValue[]) => Buffer>> = {
  text: (values) => textArray(values as readonly (string | null)[]),
  bytea: (values) => bytesArray(values as readonly (Uint8Array | null)[]),
  int: (values) => intArray(values as readonly number[]),
  bigint: (values) => bigintArray(values as readonly (number | null)[]),
};

/** Each key once. */
export async function upsertRows<Row>(
  client: ClientBase,
  table: WrittenTable<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const arrays = table.columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  await client.query({
    name: `put-${table.name}`,
    text: upsertText(table, `SELECT * FROM unnest(${arrays})`),
    values: table.columns.map(({ type, of }) => ARRAYS[type](rows.map(of))),
  });
}
