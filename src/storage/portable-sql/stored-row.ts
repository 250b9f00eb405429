/** Rows of a table as objects of the program. A field is the column of its name. */
import type { Value } from './program.ts';

/** `flag`: 0 or 1. `json`: its text. */
type Kind = 'flag' | 'json' | 'plain';
type KindOf<T> = T extends boolean ? 'flag' : T extends Value ? 'plain' : 'json';

export interface StoredRow<Row> {
  /** For statements, in one order: the columns, a place for the value of each, and the values. */
  readonly columns: string;
  readonly places: string;
  readonly assignments: string;
  readonly values: (row: Row) => readonly Value[];
  readonly read: (stored: object) => Row;
}

export function storedRow<Row extends object>(kinds: {
  readonly [Field in keyof Row]: KindOf<Row[Field]>;
}): StoredRow<Row> {
  const fields = Object.entries<Kind>(kinds).map(([name, kind]) => {
    return { name: name as keyof Row & string, column: columnOf(name), kind };
  });
  return {
    columns: fields.map(({ column }) => column).join(', '),
    places: fields.map(() => '?').join(', '),
    assignments: fields.map(({ column }) => `${column} = ?`).join(', '),
    values: (row) => fields.map(({ name, kind }) => toColumn(kind, row[name])),
    read(stored) {
      const columns = stored as Readonly<Record<string, Value>>;
      return Object.fromEntries(
        fields.map(({ name, column, kind }) => [name, fromColumn(kind, columns[column]!)]),
      ) as Row;
    },
  };
}

/** `partnerId` is in the column `partner_id`. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toColumn(kind: Kind, value: unknown): Value {
  if (kind === 'json') return JSON.stringify(value);
  return kind === 'flag' ? Number(value) : (value as Value);
}

function fromColumn(kind: Kind, value: Value): unknown {
  if (kind === 'json') return JSON.parse(value as string);
  return kind === 'flag' ? value === 1 : value;
}
