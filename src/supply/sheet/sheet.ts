/** A sheet as people have it: what was found out of the file, and its rows. */

export type Encoding = 'UTF-8' | 'Windows-1252';
export type Separator = ',' | ';' | '\t';

/** Said in the result of an import. */
export interface SheetFacts {
  /** Null for a workbook. */
  readonly encoding: Encoding | null;
  /** Null for a workbook. */
  readonly separator: Separator | null;
  /** The name of the sheet in its workbook; null for CSV. */
  readonly sheet: string | null;
}

export interface SheetRow {
  /** As a spreadsheet numbers it: counted from 1, blank rows included. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** A row that cannot be read, and why, without a full stop. */
export interface BrokenRow {
  readonly row: number;
  readonly problem: string;
}

/** How a person wants a sheet to be read. */
export interface SheetChoices {
  /** The sheet of a workbook; the first one that is not hidden unless given. */
  readonly sheet?: string | undefined;
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
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}
