/** The header of a sheet: which column is which, and everything that is wrong with it at once. */

import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { withoutInvisible } from './written-values.ts';

/** The header shows that this is not the expected sheet; nothing is read. */
export class WrongHeader extends Error {
  override readonly name = 'WrongHeader';
  /** Undefined where there is no header. */
  readonly mistakes: HeaderMistakes | undefined;

  readonly reason: Wrong;

  constructor(reason: Wrong, mistakes?: HeaderMistakes) {
    super(inEnglish(reason));
    this.reason = reason;
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
  readonly advice: Wrong;
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
  const mistakes: readonly Wrong[] = [
    ...(missing.length === 0 ? [] : [new Wrong('columnsMissing', { names: missing.join(', ') })]),
    ...(unknown.length === 0
      ? []
      : [
          new Wrong(unknown.length === 1 ? 'columnUnknown' : 'columnsUnknown', {
            names: quoted(unknown),
            option: '--ignore-columns',
            advice,
          }),
        ]),
    ...twice.map((name) => new Wrong('columnTwice', { name })),
  ];
  if (mistakes.length > 0) {
    const wrong = mistakes.reduce((before, other) => new Wrong('andIt', { wrong: before, other }));
    throw new WrongHeader(new Wrong('firstLine', { wrong }), { missing, unknown, twice });
  }
  return columns.map((column, index) => column ?? (given[index] === '' ? undefined : LEFT_OUT));
}

function quoted(names: readonly string[]): string {
  return names.map(quoteShort).join(', ');
}

/** The text in quotes, cut off where it is long. */
function quoteShort(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_LENGTH_MAX));
}

/** Why a row does not fit the header; undefined if it does. */
export function findSurplus(header: SheetHeader, cells: readonly string[]): Wrong | undefined {
  const at = cells.findIndex((cell, index) => header[index] === undefined && cell.trim() !== '');
  if (at === -1) return undefined;
  if (at < header.length) return new Wrong('cellNameless', { column: at + 1 });
  return new Wrong('cellsSurplus', { count: cells.length, named: header.length });
}
