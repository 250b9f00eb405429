/** The header of a sheet: which column is which, and everything that is wrong with it at once. */

import { withoutInvisible } from './written-values.ts';

/** The header shows that this is not the expected sheet; nothing is read. The message has no full stop. */
export class WrongHeader extends Error {
  override readonly name = 'WrongHeader';
  /** Undefined where there is no header. */
  readonly mistakes: HeaderMistakes | undefined;

  constructor(message: string, mistakes?: HeaderMistakes) {
    super(message);
    this.mistakes = mistakes;
  }
}

/** Names of columns: those that lack, those that nobody knows, as written, and those that stand twice. */
export interface HeaderMistakes {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
  readonly twice: readonly string[];
}

export interface HeaderRules {
  readonly known: readonly string[];
  /** Each by its headings; one of them is enough, and the first is named. */
  readonly required: readonly (readonly string[])[];
  /** Where to look for the known columns. */
  readonly advice: string;
  /** Whether unknown columns are left out, whatever they hold. */
  readonly ignoresUnknown?: boolean;
}

/** Columns in the order of the sheet; undefined for one without a name, LEFT_OUT for one that is not read. */
export type SheetHeader = readonly (string | undefined)[];

const LEFT_OUT = '';

export function isRead(name: string | undefined): name is string {
  return name !== undefined && name !== LEFT_OUT;
}

const SHOWN_LENGTH_MAX = 60;

/** Names match whatever their case. Throws WrongHeader. */
export function readHeader(names: readonly string[], rules: HeaderRules): SheetHeader {
  const { known, required, advice, ignoresUnknown = false } = rules;
  const given = names.map((name) => withoutInvisible(name).trim());
  const columns = given.map((name) => known.find((one) => one.toLowerCase() === name.toLowerCase()));
  const unread = given.filter((name, index) => name !== '' && columns[index] === undefined);
  const unknown = ignoresUnknown ? [] : unread;
  const named = columns.filter((column) => column !== undefined);
  const twice = [...new Set(named.filter((column, index) => named.indexOf(column) !== index))];
  const missing = required.flatMap((headings) =>
    headings.some((name) => named.includes(name)) ? [] : headings.slice(0, 1),
  );
  const wrong = [
    missing.length > 0 && `must name the columns; missing: ${missing.join(', ')}`,
    unknown.length === 1 &&
      `has an unknown column ${quoted(unknown)}; remove it, or leave it out with --ignore-columns (${advice})`,
    unknown.length > 1 &&
      `has unknown columns ${quoted(unknown)}; remove them, or leave them out with --ignore-columns (${advice})`,
    ...twice.map((column) => `names the column "${column}" twice`),
  ].filter((problem) => problem !== false);
  if (wrong.length > 0)
    throw new WrongHeader(`the first line ${wrong.join('. It ')}`, { missing, unknown, twice });
  return columns.map((column, index) => column ?? (given[index] === '' ? undefined : LEFT_OUT));
}

function quoted(names: readonly string[]): string {
  return names.map(quoteShort).join(', ');
}

/** The text in quotes, cut off where it is long. */
function quoteShort(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_LENGTH_MAX));
}

/** Why a row does not fit the header, without a full stop; undefined if it does. */
export function findSurplus(header: SheetHeader, cells: readonly string[]): string | undefined {
  const at = cells.findIndex((cell, index) => header[index] === undefined && cell.trim() !== '');
  if (at === -1) return undefined;
  if (at < header.length) return `has a cell in column ${at + 1}, which has no name in the header`;
  const advice = 'put a text that holds a separator in quotes';
  return `has ${cells.length} cells where the header names ${header.length} columns; ${advice}`;
}
