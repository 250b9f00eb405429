/**
 * Statements written once for both engines. A program yields one statement at a time and is resumed with the database's
 * answer. SQLite runs it without a pause on its writer thread or its reader; PostgreSQL awaits each answer. `?` stands
 * for a value. See docs/decisions/036-rare-statements.md.
 */
import type { Revision } from '../history/revision.ts';
import type { WriteResult } from '../engine/write-result.ts';

/** JSON without secrets; null: nothing to name, before or after. */
export type AuditedState = Readonly<Record<string, unknown>> | string | null;

/** The author of a change, and the act that made it. */
export interface Author {
  /** The name of a session of the console, or `command line`. */
  readonly person: string;
  /** Null for the command line. */
  readonly role: string | null;
  /** The name of the act's command: `credential rotate`. */
  readonly act: string;
}

export interface AuditChange {
  /** The object of the change, such as an id. */
  readonly on: string;
  readonly from: AuditedState;
  readonly to: AuditedState;
}

export type Value = string | number | null;

/** Append to a SELECT of rows to delete: skips rows locked by another transaction. SQLite has a single writer. */
export const SKIP_LOCKED = '/* FOR UPDATE SKIP LOCKED */';

export type Step =
  | {
      readonly kind: 'rows' | 'change';
      readonly text: string;
      readonly values: readonly Value[];
      /** Name a frequent statement: PostgreSQL then plans it once per connection. */
      readonly name: string | undefined;
    }
  /** Reads without values, all in one view. */
  | { readonly kind: 'view'; readonly texts: readonly string[] }
  | { readonly kind: 'revision' }
  /** An entry for the audit trail; `author` fields that only the program knows. */
  | { readonly kind: 'note'; readonly change: AuditChange; readonly author: Partial<Author> };

/** The answer to a step has the type of the function that makes the step: see below. */
export type Program<T> = Generator<Step, T, unknown>;

/** The rows that a statement returns; `Row` describes its columns. */
export function* rows<Row>(text: string, values: readonly Value[] = [], name?: string): Program<Row[]> {
  return (yield { kind: 'rows', text, values, name }) as Row[];
}

/** Text of `IN (...)`. Prepared statements are kept by text, so lists are padded to a few fixed lengths. */
export function placeholders(values: readonly string[]): { readonly text: string; readonly values: Value[] } {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
  const filled = Array.from({ length }, (_, index) => values[index] ?? null);
  return { text: filled.map(() => '?').join(', '), values: filled };
}

/** How many rows a statement changed. */
export function* change(text: string, values: readonly Value[]): Program<number> {
  return (yield { kind: 'change', text, values, name: undefined }) as number;
}

/** The rows of each statement, all in one view. */
export function* view(texts: readonly string[]): Program<unknown[][]> {
  return (yield { kind: 'view', texts }) as unknown[][];
}

/** Takes the next revision with its stamp, in a write. Other writers wait from here on, so call it before you read. */
export function* takeRevision(): Program<Revision> {
  return (yield { kind: 'revision' }) as Revision;
}

/**
 * Notes for the audit trail that `on` changed from the state `before` to `after`; undefined: it does not exist. Of two
 * states only the differences are noted; equal states leave no note.
 */
export function* note(
  on: string,
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>> | undefined,
  author: Partial<Author> = {},
): Program<void> {
  const isChanged = (name: string): boolean =>
    JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]);
  const names = Object.keys({ ...before, ...after }).filter(isChanged);
  if (names.length === 0) return;
  const pick = (state: Readonly<Record<string, unknown>> | undefined): AuditedState =>
    state === undefined ? null : Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  yield { kind: 'note', change: { on, from: pick(before), to: pick(after) }, author };
}

/** A program in its own transaction. SQLite's writer thread finds it by name. */
export interface Write<Name extends string, Args extends readonly unknown[], T> {
  readonly name: Name;
  readonly program: (...args: Args) => Program<WriteResult<T>>;
  /** Operators must be able to do this on a full disk. */
  readonly isAdministrative: boolean;
}

export function administrative<const Name extends string, Args extends readonly unknown[], T>(
  name: Name,
  program: (...args: Args) => Program<WriteResult<T>>,
): Write<Name, Args, T> {
  return { name, program, isAdministrative: true };
}

export function ordinary<const Name extends string, Args extends readonly unknown[], T>(
  name: Name,
  program: (...args: Args) => Program<WriteResult<T>>,
): Write<Name, Args, T> {
  return { name, program, isAdministrative: false };
}

/** A write with any arguments, for lists. */
export type AnyWrite = Write<string, never, unknown>;

/**
 * Finds writes by name, as another thread asks for them. Their arguments came from the same list there, where their
 * types were checked.
 */
export function writesByName(
  writes: readonly AnyWrite[],
): (name: string) => Write<string, readonly unknown[], unknown> {
  const known = new Map(
    writes.map((write) => [write.name, write as unknown as Write<string, readonly unknown[], unknown>]),
  );
  return (name) => {
    const write = known.get(name);
    if (write === undefined) throw new Error(`${name} is not in the list of writes`);
    return write;
  };
}

/**
 * A database that runs programs; each method rejects with `StorageUnavailable` if the database cannot answer. `Name`:
 * names of the writes that it runs.
 */
export interface ProgramRunner<Name extends string = string> {
  readonly read: <T>(program: Program<T>) => Promise<T>;
  /** For the short reads of followers. */
  readonly follow: <T>(program: Program<T>) => Promise<T>;
  readonly write: <Args extends readonly unknown[], T>(
    write: Write<Name, Args, T>,
    ...args: Args
  ) => Promise<T>;
  /** Days that one statement adds up; Infinity: all of them. */
  readonly daysAtOnce: number;
  /** The highest migration that this program knows. */
  readonly knows: number;
}

export interface SignableRunner extends ProgramRunner {
  /** A runner whose writes store their notes under this author. */
  readonly asAuthor: (author: Author) => SignableRunner;
}
