/** A sheet as people have it: what was found out of the file, and its rows. */
import { Wrong } from '../../domain/wrong.ts';
import type { Encoding } from './encodings.ts';

export const SEPARATOR_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;
export type Separator = keyof typeof SEPARATOR_NAMES;

/** Said in the result of an import. */
export interface SheetFacts {
  /** Null for a workbook. */
  readonly encoding: Encoding | null;
  /** Null for a workbook. */
  readonly separator: Separator | null;
  /** The name of the sheet in its workbook; null for CSV. */
  readonly sheet: string | null;
}

/** By their places; both are among them. */
export interface HiddenColumns {
  readonly first: number;
  readonly last: number;
}

export interface SheetRow {
  /** As a spreadsheet numbers it: counted from 1, blank rows included. */
  readonly row: number;
  readonly cells: readonly string[];
  /** The spreadsheet does not show it. */
  readonly isHidden?: boolean;
  /** Columns of the sheet that the spreadsheet does not show. */
  readonly hiddenColumns?: readonly HiddenColumns[];
  /** Cells of a workbook that are numbers, by their place, as a spreadsheet shows them: ids are meant so. */
  readonly shown?: ReadonlyMap<number, string>;
  /** Cells of a workbook that are numbers of more digits than a spreadsheet keeps: no id can be told from them. */
  readonly overlong?: ReadonlySet<number>;
  /** Cells of a workbook that have no value, by their place, and why; they are empty in `cells`. */
  readonly wrong?: ReadonlyMap<number, Wrong>;
}

/** A row that cannot be read, and why. */
export interface BrokenRow {
  readonly row: number;
  readonly problem: Wrong;
}

/** How a person wants a sheet to be read. */
export interface SheetChoices {
  /** The sheet of a workbook; the first one that is not hidden unless given. */
  readonly sheet?: string | undefined;
  /** The encoding of a CSV file; found out unless given. */
  readonly encoding?: Encoding | undefined;
  /** Leaves unknown columns out. */
  readonly ignoreColumns?: boolean;
}

/** Rows without a filled cell are left out. */
export interface Sheet {
  readonly facts: SheetFacts;
  /** Throws UnreadableFile after the last readable row. */
  rows(): AsyncGenerator<SheetRow | BrokenRow, void, undefined>;
}

export interface SheetOptions {
  /** Characters of one row. */
  readonly rowLengthMax: number;
  /**
   * `line`: each row is one line, so that a quote which is not closed spoils only its own row; no blanks around cells.
   * `spanning`: cells may hold line breaks, and are as they are.
   */
  readonly rows: 'line' | 'spanning';
  /** The sheet of a workbook; the first one that is not hidden unless given. */
  readonly sheet?: string | undefined;
  /** The encoding of a CSV file; found out unless given. */
  readonly encoding?: Encoding | undefined;
  /** The clock by which reading a workbook is bounded; tests have their own. */
  readonly monotonicMs?: () => number;
}

const OVERLONG = new Wrong('digitsLost');

/** The row with the numbers of some columns as a spreadsheet shows them; those that lost digits have no value. */
export function asShown(row: SheetRow, isText: (index: number) => boolean): SheetRow {
  const { shown, overlong = new Set() } = row;
  if (shown === undefined) return row;
  const lost = [...overlong].filter(isText);
  return {
    ...row,
    cells: row.cells.map((cell, index) => {
      if (!isText(index)) return cell;
      return lost.includes(index) ? '' : (shown.get(index) ?? cell);
    }),
    wrong: new Map([...(row.wrong ?? []), ...lost.map((index) => [index, OVERLONG] as const)]),
  };
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}
