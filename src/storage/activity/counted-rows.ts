/**
 * Rows of activity as their tables store them: rows with the same key are added up, and the oldest are deleted by key.
 */
import { commit } from '../engine/write-result.ts';
import { change, ordinary, type Program, type Value } from '../portable-sql/program.ts';
import type { DayRange } from './store.ts';
import { columnOf } from '../portable-sql/stored-row.ts';

/** A sum as each engine returns it: PostgreSQL returns text for wide types. */
export type Sum = number | string;

/** The first `keyLength` columns are the primary key. */
export interface KeyedTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly keyLength: number;
}

/** Columns as written and read; those after the key are added up. */
export interface Counted<Row> extends KeyedTable {
  /** A column whose highest value is kept, in place of a sum. */
  readonly highest?: string;
  readonly values: (row: Row) => readonly Value[];
}

/** Columns and values of fields that have the same order in both. */
export function ofFields<Row>(
  fields: readonly (keyof Row & string)[],
): Pick<Counted<Row>, 'columns' | 'values'> {
  return {
    columns: fields.map(columnOf),
    values: (row) => fields.map((field) => row[field] as Value),
  };
}

/** Rows per statement. A few fixed lengths keep the number of prepared texts small. */
const ROWS_AT_ONCE = [32, 8, 1] as const;

/** Writes rows in key order. All writers use this order, so two that add at once cannot deadlock. */
export function* addRows<Row>(
  counted: Counted<Row>,
  added: readonly Row[],
  onConflict?: 'NOTHING',
): Program<void> {
  const { table, columns, keyLength, highest, values } = counted;
  const sorted = added.map(values).toSorted((one, other) => compareKeys(one, other, keyLength));
  const keys = columns.slice(0, keyLength).join(', ');
  const sums = columns.slice(keyLength).map((name) => {
    const [here, more] = [`stored.${name}`, `excluded.${name}`];
    if (name !== highest) return `${name} = ${here} + ${more}`;
    return `${name} = CASE WHEN ${here} > ${more} THEN ${here} ELSE ${more} END`;
  });
  const action = onConflict ?? `UPDATE SET ${sums.join(', ')}`;
  let done = 0;
  while (done < sorted.length) {
    const count = ROWS_AT_ONCE.find((length) => length <= sorted.length - done)!;
    const places = Array.from({ length: count }, () => `(${columns.map(() => '?').join(', ')})`);
    yield* change(
      `INSERT INTO ${table} AS stored (${columns.join(', ')}) VALUES ${places.join(', ')}
       ON CONFLICT (${keys}) DO ${action}`,
      sorted.slice(done, done + count).flat(),
    );
    done += count;
  }
}

export function compareKeys(one: readonly Value[], other: readonly Value[], keyLength: number): number {
  for (let index = 0; index < keyLength; index += 1) {
    const left = one[index]!;
    const right = other[index]!;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** A write that deletes the oldest rows before a bound, up to a limit; returns how many. */
export function deletion<const Name extends string>(
  name: Name,
  table: KeyedTable,
  column: string,
  also = '',
) {
  return ordinary(name, function* (before: number, limit: number) {
    return commit(yield* deleteOldest(table, column, { before, limit, also }));
  });
}

/** The oldest `limit` rows before a bound, by key. */
export function deleteOldest(
  { table, columns, keyLength }: KeyedTable,
  column: string,
  { before, limit, also = '' }: { readonly before: number; readonly limit: number; readonly also?: string },
): Program<number> {
  const keys = columns.slice(0, keyLength).join(', ');
  return change(
    `DELETE FROM ${table} WHERE (${keys}) IN
       (SELECT ${keys} FROM ${table} WHERE ${column} < ?${also} ORDER BY ${column} LIMIT ?)`,
    [before, limit],
  );
}

/** ` LIMIT ?` if there is a limit. */
export function limited({ rowsMax }: Pick<DayRange, 'rowsMax'>): {
  readonly text: string;
  readonly values: readonly Value[];
} {
  return rowsMax === undefined ? { text: '', values: [] } : { text: ' LIMIT ?', values: [rowsMax] };
}
