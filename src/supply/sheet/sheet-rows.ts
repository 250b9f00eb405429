/**
 * Rows of a sheet as spreadsheets save it: CSV with commas, semicolons or tabs, with or without a byte-order mark, LF or
 * CR LF. Rows without a filled cell are left out. Readers of other kinds of sheets give the same rows.
 */
import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { LINE_BYTES_MAX, type Line, readLines } from '../text/ndjson-lines.ts';

export interface SheetRow {
  /** On which it begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row that cannot be read, and why, without a full stop. */
export interface BrokenRow {
  readonly line: number;
  readonly problem: string;
}

/** Excel writes, and reads, this as the first line of some files. */
const SEPARATOR_LINE = /^sep=.$/i;
const NOT_UTF8 = 'is not valid UTF-8: save the file as "CSV UTF-8"';
const WRONG_QUOTE = 'has a quote that is not closed, or is inside a cell: double it or remove it';

/** Names of columns have none of these characters. */
function delimiterOf(header: string): string {
  return [';', '\t'].find((delimiter) => header.includes(delimiter)) ?? ',';
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

// Each row a line, so that a quote which is not closed spoils only its own row.

/** Cells have no blanks around them. Throws UnreadableFile after the last readable row. */
export async function* readLineRows(
  source: ByteSource,
  lengthMax: number,
): AsyncGenerator<SheetRow | BrokenRow, void, undefined> {
  const rows = new LineRows(lengthMax);
  for await (const lines of readLines(source.read())) {
    for (const line of lines) {
      const row = rows.take(line);
      if (row !== undefined) yield row;
    }
  }
}

export class LineRows {
  readonly #lengthMax: number;
  #delimiter: string | undefined;

  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  /** Undefined for a line that makes no row. */
  take(line: Line): SheetRow | BrokenRow | undefined {
    const broken = (problem: string): BrokenRow => ({ line: line.number, problem });
    if (line.kind === 'broken')
      return broken(line.reason === 'not-utf8' ? NOT_UTF8 : `is longer than ${LINE_BYTES_MAX} bytes`);
    if (this.#delimiter === undefined && SEPARATOR_LINE.test(line.text.trim())) return undefined;
    this.#delimiter ??= delimiterOf(line.text);
    if (line.text.length > this.#lengthMax) return broken(`is longer than ${this.#lengthMax} characters`);
    const cells = splitRow(line.text, this.#delimiter);
    if (cells === undefined) return broken(WRONG_QUOTE);
    return isBlank(cells) ? undefined : { line: line.number, cells };
  }
}

/** Undefined when its quotes are wrong. */
function splitRow(text: string, delimiter: string): readonly string[] | undefined {
  // The usual line; csv-parse takes several times as long.
  if (!text.includes('"')) return text.split(delimiter).map((cell) => cell.trim());
  try {
    // csv-parse throws on wrong quotes. It would accept a line break inside quotes, but this text is one line.
    const [cells = []] = parseText(text, { delimiter, trim: true, record_delimiter: '\n' });
    return cells;
  } catch {
    return undefined;
  }
}

// Cells that hold line breaks.

/** Cells as they are. Throws UnreadableFile after the last readable row. */
export async function* readSpanningRows(
  source: ByteSource,
  lengthMax: number,
): AsyncGenerator<SheetRow, void, undefined> {
  const texts = readTexts(source);
  const beginning = await readBeginning(texts);
  const [firstLine = ''] = beginning.split('\n', 1);
  const hasSeparatorLine = SEPARATOR_LINE.test(firstLine.trim());
  const header = hasSeparatorLine ? beginning.slice(firstLine.length + 1) : beginning;
  let broken: CsvError | undefined;
  const parser = parse({
    delimiter: delimiterOf(header.split('\n', 1)[0]!),
    info: true,
    relax_column_count: true,
    max_record_size: lengthMax,
    // Rows before a broken one may still be on their way when the parser meets it.
    skip_records_with_error: true,
    on_skip: (error) => void (broken ??= error),
  });
  // The loop below throws errors of the file.
  pipeline(Readable.from(concat(header, texts)), parser, () => undefined);
  const linesBefore = hasSeparatorLine ? 1 : 0;
  let line = linesBefore + 1;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    // After a broken row, the start of the next row is a guess.
    if (broken !== undefined && info.lines >= Number(broken['lines'])) break;
    if (!isBlank(record)) yield { line, cells: record };
    line = linesBefore + info.lines + 1;
  }
  if (broken === undefined) return;
  const problem = broken.code === 'CSV_MAX_RECORD_SIZE' ? `is longer than ${lengthMax} bytes` : WRONG_QUOTE;
  throw new UnreadableFile(source.file, `the row that begins on line ${line} ${problem}`);
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const HEADER_LENGTH_MAX = 64 * 1024;

/** Throws UnreadableFile. */
async function* readTexts(source: ByteSource): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new UnreadableFile(source.file, NOT_UTF8);
    }
  };
  for await (const bytes of source.read()) yield decode(bytes);
  yield decode();
}

/** At least the header, if the file has one. */
async function readBeginning(texts: AsyncGenerator<string, void, undefined>): Promise<string> {
  let beginning = '';
  while (beginning.length < HEADER_LENGTH_MAX && !/\n[^\n]*\n/.test(beginning)) {
    const next = await texts.next();
    if (next.done === true) break;
    beginning += next.value;
  }
  return beginning;
}

async function* concat(
  beginning: string,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  yield beginning;
  yield* rest;
}
