/** The columns of a table, said once: the type of its rows and the parts of its statements derive from them. */
import type { Value } from './program.ts';

type Kind = 'flag' | 'json' | 'plain';

/** The column of a field; `T` is what the program reads and writes. */
interface Column<T> {
  readonly kind: Kind;
  /** Never set: it carries the type. */
  readonly type?: T;
}

export function plain<T extends Value>(): Column<T> {
  return { kind: 'plain' };
}

/** Stored as its text; null as null. */
export function json<T>(): Column<T> {
  return { kind: 'json' };
}

/** Stored as 0 or 1. */
export const flag: Column<boolean> = { kind: 'flag' };

export interface StoredRow<Row> {
  /** For statements, in one order: the columns, a place for the value of each, and the values. */
  readonly columns: string;
  readonly places: string;
  readonly assignments: string;
  /** Behind `ON CONFLICT ... DO UPDATE SET`, where the new row replaces the stored one. */
  readonly replacements: string;
  readonly values: (row: Row) => readonly Value[];
  readonly read: (stored: object) => Row;
}

export type RowOf<Table> = Table extends StoredRow<infer Row> ? Row : never;

type Columns = Readonly<Record<string, Column<unknown>>>;
type RowWith<Map extends Columns> = {
  readonly [Field in keyof Map]: Map[Field] extends Column<infer T> ? T : never;
};

/** A field is the column of its name. */
export function storedRow<Map extends Columns>(map: Map): StoredRow<RowWith<Map>> {
  const fields = Object.entries(map).map(([name, { kind }]) => ({ name, column: columnOf(name), kind }));
  const columns = fields.map(({ column }) => column);
  return {
    columns: columns.join(', '),
    places: columns.map(() => '?').join(', '),
    assignments: columns.map((column) => `${column} = ?`).join(', '),
    replacements: columns.map((column) => `${column} = excluded.${column}`).join(', '),
    values: (row) => fields.map(({ name, kind }) => toColumn(kind, row[name])),
    read(stored) {
      const found = stored as Readonly<Record<string, Value>>;
      return Object.fromEntries(
        fields.map(({ name, column, kind }) => [name, fromColumn(kind, found[column]!)]),
      ) as RowWith<Map>;
    },
  };
}

/** Fields to change; those that are absent or undefined stay as they are. */
export type ChangesOf<Terms> = { readonly [Field in keyof Terms]?: Terms[Field] | undefined };

export function changed<Row extends object>(row: Row, changes: ChangesOf<NoInfer<Row>>): Row {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(given) };
}

/** `partnerId` is in the column `partner_id`. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toColumn(kind: Kind, value: unknown): Value {
  if (kind === 'json') return value === null ? null : JSON.stringify(value);
  return kind === 'flag' ? Number(value) : (value as Value);
}

function fromColumn(kind: Kind, value: Value): unknown {
  if (kind === 'json') return JSON.parse(value as string);
  return kind === 'flag' ? value === 1 : value;
}
