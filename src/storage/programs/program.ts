/**
 * Statements that are written once for both engines: a program yields one statement at a time, and is resumed with
 * what the database answered. SQLite runs it without a pause in its writer thread or its reader, PostgreSQL awaits
 * each answer. `?` stands for a value. See docs/decisions/036-rare-statements.md.
 */
import type { Revision } from '../history/revision.ts';
import type { WriteResult } from '../engine/write-result.ts';

export type Value = string | number | null;

export type Step =
  | {
      readonly kind: 'rows' | 'change';
      readonly text: string;
      readonly values: readonly Value[];
      /** Of a frequent statement: PostgreSQL then plans it once for each connection. */
      readonly name: string | undefined;
    }
  /** Reads that see one state, without values. */
  | { readonly kind: 'view'; readonly texts: readonly string[] }
  | { readonly kind: 'revision' };

/** The type of a step's answer is that of the function that makes it: see below. */
export type Program<T> = Generator<Step, T, unknown>;

/** The rows that a statement returns; `Row` is what its columns hold. */
export function* rows<Row>(text: string, values: readonly Value[] = [], name?: string): Program<Row[]> {
  return (yield { kind: 'rows', text, values, name }) as Row[];
}

/** How many rows a statement changed. */
export function* change(text: string, values: readonly Value[]): Program<number> {
  return (yield { kind: 'change', text, values, name: undefined }) as number;
}

/** The rows of each statement, all of one state. */
export function* view(texts: readonly string[]): Program<unknown[][]> {
  return (yield { kind: 'view', texts }) as unknown[][];
}

/** The next revision with its stamp, in a write: other writers wait from here on, so take it before you look. */
export function* takeRevision(): Program<Revision> {
  return (yield { kind: 'revision' }) as Revision;
}

/** A program in a transaction of its own. SQLite's writer thread finds it by its name. */
export interface Write<Args extends readonly unknown[], T> {
  readonly name: string;
  readonly program: (...args: Args) => Program<WriteResult<T>>;
  /** An operator must be able to do it on a full disk. */
  readonly isAdministrative: boolean;
}

export function administrative<Args extends readonly unknown[], T>(
  name: string,
  program: (...args: Args) => Program<WriteResult<T>>,
): Write<Args, T> {
  return { name, program, isAdministrative: true };
}

export function ordinary<Args extends readonly unknown[], T>(
  name: string,
  program: (...args: Args) => Program<WriteResult<T>>,
): Write<Args, T> {
  return { name, program, isAdministrative: false };
}

/** A write of whatever arguments, for lists of them. */
export type AnyWrite = Write<never, unknown>;

/** What a database does with programs; each method rejects with `StorageUnavailable` when it can't answer. */
export interface ProgramRunner {
  readonly read: <T>(program: Program<T>) => Promise<T>;
  /** For the short reads of followers. */
  readonly follow: <T>(program: Program<T>) => Promise<T>;
  readonly write: <Args extends readonly unknown[], T>(write: Write<Args, T>, ...args: Args) => Promise<T>;
}
