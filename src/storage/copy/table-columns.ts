/**
 * How a table is described to the code that copies it.
 */
export interface Column {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'bytes';
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** So many of the first columns are the primary key. */
  readonly keyLength: number;
}

export function text(name: string): Column {
  return { name, kind: 'text' };
}

export function integer(name: string): Column {
  return { name, kind: 'integer' };
}

export function bytes(name: string): Column {
  return { name, kind: 'bytes' };
}
