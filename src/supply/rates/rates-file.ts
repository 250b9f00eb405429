/** A file of rates: a sheet in which each row is a calendar entry. */
import type { ByteSource } from '../text/byte-source.ts';
import { type Line, readLines } from '../text/ndjson-lines.ts';
import { findSurplus, readHeader, type SheetHeader, WrongHeader } from '../sheet/sheet-header.ts';
import { type BrokenRow, LineRows, type SheetRow } from '../sheet/sheet-rows.ts';
import { RATES_COLUMNS, type RatesRow, readRatesRow, rejectRow, REQUIRED_COLUMNS } from './rates-row.ts';

export interface RatesLine {
  /** Counted from 1. */
  readonly line: number;
  readonly row: RatesRow;
}

/** A longer line of a spreadsheet is an error. */
const ROW_LENGTH_MAX = 64 * 1024;
const HEADER_RULES = {
  known: [...RATES_COLUMNS],
  required: REQUIRED_COLUMNS,
  advice: `known: ${[...RATES_COLUMNS].join(', ')}`,
};

/** Rows in order. Throws WrongHeader, and UnreadableFile after the last readable row. */
export async function* readRatesFile(source: ByteSource): AsyncGenerator<RatesLine, void, undefined> {
  const reader = new RatesReader();
  for await (const lines of readLines(source.read())) {
    for (const line of lines) {
      const row = reader.take(line);
      if (row !== undefined) yield { line: line.number, row };
    }
  }
  if (!reader.hasHeader) throw new WrongHeader('is empty: the first line must name the columns');
}

export class RatesReader {
  readonly #rows = new LineRows(ROW_LENGTH_MAX);
  #header: SheetHeader | undefined;

  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  /** Undefined for the header and for lines without a filled cell. Throws WrongHeader. */
  take(line: Line): RatesRow | undefined {
    const row = this.#rows.take(line);
    if (row === undefined) return undefined;
    if (this.#header !== undefined) return readRow(this.#header, row);
    if ('problem' in row) throw new WrongHeader(`the first line ${row.problem}`);
    this.#header = readHeader(row.cells, HEADER_RULES);
    return undefined;
  }
}

function readRow(header: SheetHeader, row: SheetRow | BrokenRow): RatesRow {
  if ('problem' in row) return rejectRow('', row.problem);
  const surplus = findSurplus(header, row.cells);
  if (surplus !== undefined) return rejectRow('', surplus);
  const cells = new Map<string, string>();
  for (const [index, name] of header.entries())
    if (name !== undefined) cells.set(name, row.cells[index] ?? '');
  return readRatesRow(cells);
}
