/**
 * A file of rates as spreadsheets save it: CSV with a header line, semicolons or commas, with or without a byte-order
 * mark, LF or CR LF. Each row is one line, so an unclosed quote spoils only its own row.
 */
import { parse } from 'csv-parse/sync';
import type { ByteSource } from '../text/byte-source.ts';
import { LINE_BYTES_MAX, type Line, readLines } from '../text/ndjson-lines.ts';
import { RATES_COLUMNS, type RatesRow, readRatesRow, REQUIRED_COLUMNS } from './rates-row.ts';

export interface RatesLine {
  /** Counted from 1. */
  readonly line: number;
  readonly row: RatesRow;
}

/** The header shows that this is not a file of rates; nothing is read. The message has no full stop. */
export class WrongHeader extends Error {
  override readonly name = 'WrongHeader';
}

/** A longer line of a spreadsheet is an error. */
const ROW_LENGTH_MAX = 64 * 1024;
/** Excel writes, and reads, this as the first line of some files. */
const SEPARATOR_LINE = /^sep=.$/i;

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
  #columns: readonly string[] | undefined;
  #delimiter = ',';

  get hasHeader(): boolean {
    return this.#columns !== undefined;
  }

  /** Undefined for the header. Throws WrongHeader. */
  take(line: Line): RatesRow | undefined {
    if (line.kind === 'broken') return this.#takeBroken(line.reason);
    if (this.#columns !== undefined) return this.#readRow(line.text, this.#columns);
    if (SEPARATOR_LINE.test(line.text.trim())) return undefined;
    this.#delimiter = line.text.includes(';') ? ';' : ',';
    this.#columns = checkHeader(splitRow(line.text, this.#delimiter));
    return undefined;
  }

  #takeBroken(reason: 'too-long' | 'not-utf8'): RatesRow {
    const said =
      reason === 'not-utf8'
        ? 'is not valid UTF-8: save the file as "CSV UTF-8"'
        : `is longer than ${LINE_BYTES_MAX} bytes`;
    if (this.#columns === undefined) throw new WrongHeader(`the first line ${said}`);
    return reject('', said);
  }

  #readRow(text: string, columns: readonly string[]): RatesRow {
    if (text.length > ROW_LENGTH_MAX) return reject('', `is longer than ${ROW_LENGTH_MAX} characters`);
    const cells = splitRow(text, this.#delimiter);
    if (cells === undefined) {
      return reject('', 'has a quote that is not closed, or is inside a cell: double it or remove it');
    }
    const surplus = cells.slice(columns.length);
    if (surplus.some((cell) => cell !== '')) return reject('', countReason(cells.length, columns.length));
    return readRatesRow(new Map(columns.map((name, index) => [name, cells[index] ?? ''])));
  }
}

function countReason(cellCount: number, columnCount: number): string {
  const advice = 'a number with a decimal comma needs a point instead (120.50)';
  return `has ${cellCount} cells where the header names ${columnCount} columns; ${advice}`;
}

/** The cells of one line, blanks around them removed; undefined when its quotes are wrong. */
function splitRow(text: string, delimiter: string): readonly string[] | undefined {
  // The usual line; csv-parse takes several times as long.
  if (!text.includes('"')) return text.split(delimiter).map((cell) => cell.trim());
  try {
    // csv-parse throws on wrong quotes. It would accept a line break inside quotes, but this text is one line.
    const [cells = []] = parse(text, { delimiter, trim: true, record_delimiter: '\n' });
    return cells;
  } catch {
    return undefined;
  }
}

function checkHeader(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) throw new WrongHeader('the first line has a quote that is not closed');
  const known = [...RATES_COLUMNS];
  const columns = names.map((name) => known.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name);
  // Spreadsheets leave unnamed columns at the end.
  while (columns.at(-1) === '') columns.pop();
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw new WrongHeader(`the first line must name the columns; missing: ${missing.join(', ')}`);
  }
  for (const [index, name] of columns.entries()) {
    if (columns.indexOf(name) !== index) throw new WrongHeader(`names the column "${name}" twice`);
    if (RATES_COLUMNS.has(name)) continue;
    const shown = JSON.stringify(name.slice(0, 60));
    throw new WrongHeader(`has an unknown column ${shown}; remove it (known: ${known.join(', ')})`);
  }
  return columns;
}

function reject(field: string, reason: string): RatesRow {
  return { ok: false, field, reason };
}
