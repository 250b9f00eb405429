/**
 * A catalogue as spreadsheets save it: CSV in UTF-8, commas or semicolons, one row per inventory type. After a
 * property's first row, its own columns are blank or repeated.
 */
import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { type CatalogueFileOptions, openCatalogueFile } from '../native/catalogue-file.ts';
import { parsePropertyDocument } from '../native/property-document.ts';
import type { RejectedItem, SuppliedProperty, Supply, SupplyItem } from '../run/supply-item.ts';
import { CATALOGUE_COLUMNS, type CatalogueColumn } from './catalogue-columns.ts';
import { readCell } from './cell.ts';

/** Characters of one row, as bytes of one line of the catalogue file. */
const ROW_LENGTH_MAX = 8 * 1024 * 1024;
/** Rows of one property: far above its limit, and low enough that a column of equal ids does not fill memory. */
const PROPERTY_ROWS_MAX = 2_000;

const COLUMNS_BY_NAME = new Map(CATALOGUE_COLUMNS.map((column) => [column.name, column]));

interface Row {
  /** First line, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

type Header = readonly CatalogueColumn[];

/** A spreadsheet if the name ends in .csv, else NDJSON. */
export async function openCatalogue(options: CatalogueFileOptions): Promise<Supply> {
  const { file } = options;
  return /\.csv(?:\.gz)?$/i.test(file)
    ? new CatalogueSpreadsheet(new ByteSource(file))
    : openCatalogueFile(options);
}

/** Reads a file, or a stream once. */
export class CatalogueSpreadsheet implements Supply {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  progress(): ReturnType<ByteSource['progress']> {
    return this.#source.progress();
  }

  async close(): Promise<void> {}

  async *open(): AsyncGenerator<SupplyItem, void, undefined> {
    const { file } = this.#source;
    let header: Header | undefined;
    let rows: Row[] = [];
    try {
      for await (const row of readRows(this.#source)) {
        if (header === undefined) {
          header = readHeader(file, row.cells);
          continue;
        }
        if (row.cells.every((cell) => cell === '')) continue;
        const isNext = isOfAnother(header, rows[0], row);
        if (isNext && rows.length > 0) yield readProperty(file, header, rows);
        if (isNext) rows = [];
        if (rows.length <= PROPERTY_ROWS_MAX) rows.push(row);
      }
      if (header === undefined)
        throw new UnreadableFile(file, 'is empty: the first line must name the columns');
      if (rows.length > 0) yield readProperty(file, header, rows);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      yield { kind: 'ended-badly', file, reason: error.message };
    }
  }
}

// Rows.

async function* readRows(source: ByteSource): AsyncGenerator<Row, void, undefined> {
  const texts = readTexts(source);
  const beginning = await readBeginning(texts);
  const separatorLine = SEPARATOR_LINE.exec(beginning)?.[0] ?? '';
  const header = beginning.slice(separatorLine.length);
  let broken: CsvError | undefined;
  const parser = parse({
    delimiter: delimiterOf(header),
    info: true,
    relax_column_count: true,
    max_record_size: ROW_LENGTH_MAX,
    // Rows before a broken one may still be on their way when the parser meets it.
    skip_records_with_error: true,
    on_skip: (error) => void (broken ??= error),
  });
  // The loop below throws errors of the file.
  pipeline(Readable.from(concat(header, texts)), parser, () => undefined);
  const linesBefore = separatorLine === '' ? 0 : 1;
  let line = linesBefore + 1;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    // After a broken row, the start of the next row is a guess.
    if (broken !== undefined && info.lines >= Number(broken['lines'])) break;
    yield { line, cells: record };
    line = linesBefore + info.lines + 1;
  }
  if (broken === undefined) return;
  throw new UnreadableFile(source.file, `the row that begins on line ${line} ${describeCsvError(broken)}`);
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Excel writes, and reads, this as the first line of some files. */
const SEPARATOR_LINE = /^sep=.\r?\n/i;
const HEADER_LENGTH_MAX = 64 * 1024;

/** Throws UnreadableFile. */
async function* readTexts(source: ByteSource): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new UnreadableFile(source.file, 'is not valid UTF-8: save the file as "CSV UTF-8"');
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

/** Column names contain neither character. */
function delimiterOf(header: string): string {
  const [line = ''] = header.split('\n', 1);
  return [';', '\t'].find((delimiter) => line.includes(delimiter)) ?? ',';
}

function describeCsvError({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') return `is longer than ${ROW_LENGTH_MAX} bytes`;
  return 'has a quote that is not closed, or is inside a cell: double it or remove it';
}

/** Throws UnreadableFile. */
function readHeader(file: string, names: readonly string[]): Header {
  const wrong = (reason: string): never => {
    throw new UnreadableFile(file, `the header ${reason}`);
  };
  const header = names.map((given) => {
    const name = given.trim();
    const column = COLUMNS_BY_NAME.get(name);
    if (column !== undefined) return column;
    return wrong(
      `has an unknown column "${name.slice(0, 60)}"; remove it ("stayport template catalogue" prints all columns)`,
    );
  });
  const twice = header.find((column, index) => header.indexOf(column) !== index);
  if (twice !== undefined) wrong(`names the column "${twice.name}" twice`);
  const missing = ['propertyId', 'inventoryTypeId'].filter(
    (name) => !header.some((column) => column.name === name),
  );
  if (missing.length > 0) wrong(`lacks the column ${missing.join(', ')}`);
  return header;
}

/** A row without a propertyId is another inventory type of the property above. */
function isOfAnother(header: Header, first: Row | undefined, row: Row): boolean {
  if (first === undefined) return true;
  const at = header.findIndex(({ name }) => name === 'propertyId');
  const id = row.cells[at]?.trim() ?? '';
  return id !== '' && id !== first.cells[at]?.trim();
}

// Properties.

function readProperty(file: string, header: Header, rows: readonly Row[]): SuppliedProperty | RejectedItem {
  const [first] = rows as readonly [Row, ...Row[]];
  const reject = (line: number, field: string, reason: string): RejectedItem => ({
    kind: 'rejected',
    file,
    line,
    field,
    reason,
    propertyIds: [first.cells[header.findIndex(({ name }) => name === 'propertyId')] ?? ''],
    isProperty: true,
  });
  if (rows.length > PROPERTY_ROWS_MAX)
    return reject(first.line, 'propertyId', `has more than ${PROPERTY_ROWS_MAX} rows`);
  const document: Record<string, unknown> = { inventoryTypes: rows.map(() => ({})) };
  for (const [index, row] of rows.entries()) {
    const type = (document['inventoryTypes'] as Record<string, unknown>[])[index]!;
    const wrong = readRow(header, row, index === 0 ? undefined : first, document, type);
    if (wrong !== undefined) return reject(row.line, wrong.field, wrong.reason);
  }
  const read = parsePropertyDocument(document);
  if (!read.ok) return reject(lineOf(rows, read.field), read.field, read.reason);
  const { ok: _ok, ...property } = read;
  const bytes = rows.reduce((sum, { cells }) => sum + cells.join('').length, 0);
  return { kind: 'property', file, line: first.line, bytes, ...property };
}

type Wrong = { readonly field: string; readonly reason: string };

/** `first`: for later rows, the first row of the same property. */
function readRow(
  header: Header,
  { cells }: Row,
  first: Row | undefined,
  document: Record<string, unknown>,
  type: Record<string, unknown>,
): Wrong | undefined {
  if (cells.slice(header.length).some((cell) => cell !== ''))
    return {
      field: '',
      reason: `has ${cells.length} cells where the header names ${header.length} columns; put texts with a comma or semicolon in quotes`,
    };
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '' || (column.kind !== 'text' && column.kind !== 'localized' && cell.trim() === ''))
      continue;
    if (!column.isOfType && first !== undefined) {
      if (cell.trim() === (first.cells[index] ?? '').trim()) continue;
      return {
        field: column.name,
        reason: 'differs from the first row of this property; leave it blank or repeat it',
      };
    }
    const read = readCell(column, cell);
    if (!read.ok) return { field: column.name, reason: read.reason };
    if (!put(column.isOfType ? type : document, column.steps, read.value))
      return { field: column.name, reason: 'stands beside a text for all languages; fill in one of them' };
  }
  return undefined;
}

/** False if a text for all locales is in the way. */
function put(into: Record<string, unknown>, steps: readonly string[], value: unknown): boolean {
  let object = into;
  for (const step of steps.slice(0, -1)) {
    const next = (object[step] ??= {});
    if (typeof next !== 'object') return false;
    object = next as Record<string, unknown>;
  }
  object[steps.at(-1)!] = value;
  return true;
}

/** An error in `inventoryTypes[1].guestsMax` is on the second row. */
function lineOf(rows: readonly Row[], field: string): number {
  const index = Number(/^inventoryTypes\[(\d+)\]/.exec(field)?.[1] ?? 0);
  return (rows[index] ?? rows[0]!).line;
}
