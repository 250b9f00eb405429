/**
 * Statements that are written once for both engines: a program yields one statement at a time, and is resumed with
 * what the database answered. SQLite runs it without a pause in its writer thread or its reader, PostgreSQL awaits
 * each answer. `?` stands for a value. See docs/decisions/036-rare-statements.md.
 */
import type { Revision } from '../history/revision.ts';
import type { WriteResult } from '../engine/write-result.ts';

/** JSON without secrets; null: there was, or is, nothing to name. */
export type AuditedState = Readonly<Record<string, unknown>> | string | null;

/** Who changes something, and by which act. */
export interface Author {
  /** The name of a session of the console, or `command line`. */
  readonly person: string;
  /** Null for the command line. */
  readonly role: string | null;
  /** As its command is called: `credential rotate`. */
  readonly act: string;
}

export interface AuditChange {
  /** What was changed, such as an id. */
  readonly on: string;
  readonly from: AuditedState;
  readonly to: AuditedState;
}

export type Value = string | number | null;

/** Behind a SELECT of rows to be deleted: leaves out those that another transaction holds. SQLite has one writer. */
export const SKIP_LOCKED = '/* FOR UPDATE SKIP LOCKED */';

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
  | { readonly kind: 'revision' }
  /** For the audit trail; `author` where the program alone knows who it is. */
  | { readonly kind: 'note'; readonly change: AuditChange; readonly author: Partial<Author> };

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

/**
 * Notes for the audit trail that `on` had the state `before` and has the state `after`; undefined: it is not there. Of
 * two states only what differs is noted, and nothing when they are the same.
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

export interface SignableRunner extends ProgramRunner {
  /** The same, with the notes of each write kept under this name. */
  readonly asAuthor: (author: Author) => SignableRunner;
}
