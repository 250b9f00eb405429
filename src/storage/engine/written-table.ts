/** Tables that SQLite writes a row at a time and PostgreSQL a batch at a time: each column stands once. */

export type ColumnValue = string | Uint8Array | number | null;

export interface WrittenColumn<Row> {
  readonly name: string;
  readonly type: 'text' | 'bytea' | 'int' | 'bigint';
  readonly of: (row: Row) => ColumnValue;
}

export interface WrittenTable<Row> {
  readonly name: string;
  readonly key: readonly string[];
  /** With those of the key. */
  readonly columns: readonly WrittenColumn<Row>[];
  /** A row that equals the stored one is not written; no column but the key may be null then. */
  readonly leavesEqual?: boolean;
}

/** Inserts the rows that `values` gives, in the order of the columns, or updates those that are there. */
export function upsertText({ name, key, columns, leavesEqual }: WrittenTable<never>, values: string): string {
  const names = columns.map((column) => column.name);
  const others = names.filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const differs = others.map((column) => `stored.${column} <> excluded.${column}`).join(' OR ');
  return `
    INSERT INTO ${name} AS stored (${names.join(', ')})
    ${values}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set}${leavesEqual === true ? ` WHERE ${differs}` : ''}`;
}

/** One row at a time, for SQLite. */
export function upsertRowText(table: WrittenTable<never>): string {
  return upsertText(table, `VALUES (${table.columns.map(() => '?').join(', ')})`);
}

export function valuesOf<Row>({ columns }: WrittenTable<Row>, row: Row): ColumnValue[] {
  return columns.map((column) => column.of(row));
}
