/**
 * A catalogue as a sheet: one row per inventory type. After a property's first row, its own columns are blank or
 * repeated.
 */
import { type Told, Wrong } from '../../domain/wrong.ts';
import { ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { type CatalogueFileOptions, openCatalogueFile } from '../native/catalogue-file.ts';
import type { Finding, JsonObject } from '../../domain/document/document-fields.ts';
import { parsePropertyDocument, type ReadDocument } from '../native/property-document.ts';
import type { RejectedItem, SuppliedProperty, Supply, SupplyItem } from '../run/supply-item.ts';
import { DoubtfulEncoding } from '../sheet/csv-dialect.ts';
import { openSheet } from '../sheet/open-sheet.ts';
import { SheetNotices } from '../sheet/sheet-notices.ts';
import { asShown, type SheetChoices, type SheetFacts, type SheetRow } from '../sheet/sheet.ts';
import { findSurplus, readHeader, type SheetHeader, WrongHeader } from '../sheet/sheet-header.ts';
import { isEuropean, quoteAsWritten } from '../sheet/written-values.ts';
import { CATALOGUE_COLUMNS, type CatalogueColumn, REQUIRED_COLUMNS } from './catalogue-columns.ts';
import { readCell } from './cell.ts';

/** Characters of one row, as bytes of one line of the catalogue file. */
const ROW_LENGTH_MAX = 8 * 1024 * 1024;
/** Rows of one property: far above its limit, and low enough that a column of equal ids does not fill memory. */
const PROPERTY_ROWS_MAX = 2_000;

const COLUMNS_BY_NAME = new Map(CATALOGUE_COLUMNS.map((column) => [column.name, column]));

const HEADER_RULES = {
  known: CATALOGUE_COLUMNS.map(({ name }) => name),
  required: REQUIRED_COLUMNS,
  advice: new Wrong('columnsByTemplate', { command: '"stayport template catalogue"' }),
};

type Row = SheetRow;

interface Header {
  readonly names: SheetHeader;
  /** Undefined: a column that is not read. */
  readonly columns: readonly (CatalogueColumn | undefined)[];
  /** Where the property's id stands. */
  readonly idAt: number;
  /** As `isEuropean` tells of the sheet. */
  readonly european: boolean;
}

/** The ending of a sheet's name. */
export const SHEET_ENDING = /\.(?:csv|tsv|xlsx|xlsm)(?:\.gz)?$/i;

/** A sheet by the ending of its name, else NDJSON. */
export async function openCatalogue(options: CatalogueFileOptions & SheetChoices): Promise<Supply> {
  const { file, shownName = file } = options;
  return SHEET_ENDING.test(file)
    ? new CatalogueSpreadsheet(new ByteSource(shownName, file), options)
    : openCatalogueFile(options);
}

/** Reads the file several times. */
export class CatalogueSpreadsheet implements Supply {
  readonly #source: ByteSource;
  readonly #choices: SheetChoices;
  #facts: SheetFacts | undefined;

  constructor(source: ByteSource, choices: SheetChoices = {}) {
    this.#source = source;
    this.#choices = choices;
  }

  sheet(): SheetFacts | undefined {
    return this.#facts;
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
      const { sheet: name, encoding, ignoreColumns = false } = this.#choices;
      const sheet = await openSheet(this.#source, {
        rows: 'spanning',
        rowLengthMax: ROW_LENGTH_MAX,
        sheet: name,
        encoding,
      });
      this.#facts = sheet.facts;
      const notices = new SheetNotices();
      for await (const given of sheet.rows()) {
        if ('problem' in given)
          throw new UnreadableFile(file, new Wrong('ofRow', { row: given.row, wrong: given.problem }));
        const row: Row = header === undefined ? given : asShown(given, isText(header));
        if (header === undefined) {
          header = headerOf(
            readHeader(row.cells, { ...HEADER_RULES, ignoresUnknown: ignoreColumns }),
            sheet.facts,
          );
          continue;
        }
        for (const text of notices.take(header.names, given)) yield { kind: 'notice', text };
        const isNext = isOfAnother(header, rows[0], row);
        if (isNext && rows.length > 0) yield readProperty(file, header, rows);
        if (isNext) rows = [];
        if (rows.length <= PROPERTY_ROWS_MAX) rows.push(row);
      }
      if (header === undefined) throw new UnreadableFile(file, new Wrong('fileEmpty'));
      if (rows.length > 0) yield readProperty(file, header, rows);
    } catch (error) {
      if (!(error instanceof UnreadableFile || error instanceof WrongHeader)) throw error;
      yield {
        kind: 'ended-badly',
        file,
        reason: error instanceof DoubtfulEncoding ? error.advice : error.reason,
        header: error instanceof WrongHeader ? error.mistakes : undefined,
        encodingDoubt: error instanceof DoubtfulEncoding ? error.doubt : undefined,
      };
    }
  }
}

function headerOf(names: SheetHeader, facts: SheetFacts): Header {
  const columns = names.map((name) => COLUMNS_BY_NAME.get(name ?? ''));
  return { names, columns, idAt: names.indexOf('propertyId'), european: isEuropean(facts) };
}

/** Columns whose numbers are meant as a spreadsheet shows them: a house may be called 007. */
function isText({ columns }: Header): (index: number) => boolean {
  return (index) => columns[index]?.kind === 'text' || columns[index]?.kind === 'localized';
}

/** A row without a propertyId is another inventory type of the property above. */
function isOfAnother(header: Header, first: Row | undefined, row: Row): boolean {
  if (first === undefined) return true;
  const id = row.cells[header.idAt]?.trim() ?? '';
  return id !== '' && id !== first.cells[header.idAt]?.trim();
}

// Properties.

function readProperty(file: string, header: Header, rows: readonly Row[]): SuppliedProperty | RejectedItem {
  const [first] = rows as readonly [Row, ...Row[]];
  const reject = ([{ line, field, reason }, ...others]: readonly [
    RowFinding,
    ...RowFinding[],
  ]): RejectedItem => ({
    kind: 'rejected',
    file,
    line,
    field,
    reason,
    others,
    propertyIds: [first.cells[header.idAt]?.trim() ?? ''],
    isProperty: true,
  });
  if (rows.length > PROPERTY_ROWS_MAX)
    return reject([
      { line: first.row, field: 'propertyId', reason: new Wrong('rowsMany', { max: PROPERTY_ROWS_MAX }) },
    ]);
  // A required object is there, so that its columns are named and not the object.
  const document: Record<string, unknown> = { location: {}, inventoryTypes: rows.map(() => ({})) };
  const wrong = rows.flatMap((row, index) => {
    const type = (document['inventoryTypes'] as Record<string, unknown>[])[index]!;
    return readRow(header, row, index === 0 ? undefined : first, document, type);
  });
  const read = parsePropertyDocument(document);
  for (const { field: path, reason } of read.ok ? [] : [read, ...read.others]) {
    const mistake = { line: lineOf(rows, path), ...asColumn(path, reason, { header, rows, document }) };
    // A cell that could not be read is missing from the document.
    if (!wrong.some(({ line, field }) => line === mistake.line && field === mistake.field))
      wrong.push(mistake);
  }
  if (wrong.length > 0) return reject(wrong as [RowFinding, ...RowFinding[]]);
  const { ok: _ok, ...property } = read as ReadDocument;
  const bytes = rows.reduce((sum, { cells }) => sum + cells.join('').length, 0);
  return { kind: 'property', file, line: first.row, bytes, ...property };
}

interface RowFinding extends Finding {
  readonly line: number;
}

interface ReadRows {
  readonly header: Header;
  readonly rows: readonly Row[];
  readonly document: JsonObject;
}

/** A mistake by its column, with the cell as it is written: `inventoryTypes[1].guestsMax` is `guestsMax`. */
function asColumn(path: string, reason: Told, { header, rows, document }: ReadRows): Finding {
  const [, index] = /^inventoryTypes\[(\d+)\]\./.exec(path) ?? [];
  const own = index === undefined ? path : path.slice(`inventoryTypes[${index}].`.length);
  const steps = own.replace(/\[.*/, '');
  const isOfType = index !== undefined;
  const column = CATALOGUE_COLUMNS.find((one) => one.isOfType === isOfType && one.steps.join('.') === steps);
  if (column === undefined) return { field: path, reason };
  const field = `${column.name}${own.slice(steps.length)}`;
  const types = document['inventoryTypes'] as readonly JsonObject[];
  const read = valueAt(index === undefined ? document : types[Number(index)]!, column.steps);
  const cell = rows[Number(index ?? 0)]?.cells[header.columns.indexOf(column)]?.trim();
  return {
    field,
    reason: cell === undefined || column.kind === 'list' ? reason : quoteAsWritten(reason, read, cell),
  };
}

function valueAt(from: JsonObject, steps: readonly string[]): unknown {
  let value: unknown = from;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}

/** `first`: for later rows, the first row of the same property. Returns all mistakes. */
function readRow(
  header: Header,
  { row: line, cells, wrong }: Row,
  first: Row | undefined,
  document: Record<string, unknown>,
  type: Record<string, unknown>,
): RowFinding[] {
  const surplus = findSurplus(header.names, cells);
  if (surplus !== undefined) return [{ line, field: '', reason: surplus }];
  return header.columns.flatMap((column, index) => {
    const cell = cells[index] ?? '';
    const problem = wrong?.get(index);
    if (column !== undefined && problem !== undefined) return [{ line, field: column.name, reason: problem }];
    if (column === undefined || cell === '') return [];
    if (column.kind !== 'text' && column.kind !== 'localized' && cell.trim() === '') return [];
    const into = column.isOfType ? type : document;
    const reason = readInto(column, cell, first?.cells[index], into, header.european);
    return reason === undefined ? [] : [{ line, field: column.name, reason }];
  });
}

/** Puts the value of a cell into the document; returns why it does not belong there. */
function readInto(
  column: CatalogueColumn,
  cell: string,
  before: string | undefined,
  into: Record<string, unknown>,
  european: boolean,
): Wrong | undefined {
  if (!column.isOfType && before !== undefined) {
    if (cell.trim() === before.trim()) return undefined;
    return new Wrong('differsFromFirst');
  }
  const read = readCell(column, cell, european);
  if (!read.ok) return read.reason;
  const isPut = put(into, column.steps, read.value);
  return isPut ? undefined : new Wrong('besideText');
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
  return (rows[index] ?? rows[0]!).row;
}
