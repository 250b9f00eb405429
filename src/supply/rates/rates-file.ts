/** A file of rates: a sheet in which each row is a calendar entry. */
import { openSheet } from '../sheet/open-sheet.ts';
import type { BrokenRow, Sheet, SheetChoices, SheetRow } from '../sheet/sheet.ts';
import { findSurplus, readHeader, type SheetHeader, WrongHeader } from '../sheet/sheet-header.ts';
import { isEuropean } from '../sheet/written-values.ts';
import type { ByteSource } from '../text/byte-source.ts';
import { RATES_COLUMNS, type RatesRow, readRatesRow, rejectRow, REQUIRED_COLUMNS } from './rates-row.ts';

export interface NumberedRatesRow {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly read: RatesRow;
}

/** A longer line of a spreadsheet is an error. */
const ROW_LENGTH_MAX = 64 * 1024;
const HEADER_RULES = {
  known: [...RATES_COLUMNS],
  required: REQUIRED_COLUMNS,
  advice: `known: ${[...RATES_COLUMNS].join(', ')}`,
};

/** Throws UnreadableFile. */
export async function openRatesSheet(source: ByteSource, { sheet }: SheetChoices = {}): Promise<Sheet> {
  return openSheet(source, { rows: 'line', rowLengthMax: ROW_LENGTH_MAX, sheet });
}

/** Rows in order. Throws WrongHeader, and UnreadableFile after the last readable row. */
export async function* readRates(
  sheet: Sheet,
  choices: SheetChoices = {},
): AsyncGenerator<NumberedRatesRow, void, undefined> {
  const reader = new RatesReader({ european: isEuropean(sheet.facts), ...choices });
  for await (const row of sheet.rows()) {
    const read = reader.take(row);
    if (read !== undefined) yield { row: row.row, read };
  }
  if (!reader.hasHeader) throw new WrongHeader('is empty: the first line must name the columns');
}

export class RatesReader {
  readonly #european: boolean;
  readonly #ignoresUnknown: boolean;
  #header: SheetHeader | undefined;

  /** `european`: as `isEuropean` tells of the sheet. */
  constructor({ european, ignoreColumns = false }: SheetChoices & { readonly european: boolean }) {
    this.#european = european;
    this.#ignoresUnknown = ignoreColumns;
  }

  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  /** Undefined for the header. Throws WrongHeader. */
  take(row: SheetRow | BrokenRow): RatesRow | undefined {
    if (this.#header !== undefined) return this.#read(this.#header, row);
    if ('problem' in row) throw new WrongHeader(`the first line ${row.problem}`);
    this.#header = readHeader(row.cells, { ...HEADER_RULES, ignoresUnknown: this.#ignoresUnknown });
    return undefined;
  }

  #read(header: SheetHeader, row: SheetRow | BrokenRow): RatesRow {
    if ('problem' in row) return rejectRow(row.problem);
    const surplus = findSurplus(header, row.cells);
    if (surplus !== undefined) return rejectRow(surplus);
    const cells = new Map<string, string>();
    for (const [index, name] of header.entries())
      if (name !== undefined && name !== '') cells.set(name, row.cells[index] ?? '');
    return readRatesRow(cells, this.#european);
  }
}
