/** A file of rates: a sheet in which each row is a calendar entry. */
import { Wrong } from '../../domain/wrong.ts';
import { openSheet } from '../sheet/open-sheet.ts';
import { SheetNotices } from '../sheet/sheet-notices.ts';
import { asShown, type BrokenRow, type Sheet, type SheetChoices, type SheetRow } from '../sheet/sheet.ts';
import { findSurplus, readHeader, type SheetHeader, WrongHeader } from '../sheet/sheet-header.ts';
import { isEuropean } from '../sheet/written-values.ts';
import type { ByteSource } from '../text/byte-source.ts';
import { RATES_COLUMNS, type RatesRow, readRatesRow, rejectRow, REQUIRED_COLUMNS } from './rates-row.ts';

export interface NumberedRatesRow {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly read: RatesRow;
  /** Values that may not be meant. */
  readonly notices: readonly Wrong[];
}

/** A longer line of a spreadsheet is an error. */
const ROW_LENGTH_MAX = 64 * 1024;
const ID_COLUMNS: ReadonlySet<string> = new Set(['propertyId', 'inventoryTypeId']);
const HEADER_RULES = {
  known: [...RATES_COLUMNS],
  required: REQUIRED_COLUMNS.map((name) => [name]),
  advice: new Wrong('knownColumns', { names: [...RATES_COLUMNS].join(', ') }),
};

/** Throws UnreadableFile. */
export async function openRatesSheet(
  source: ByteSource,
  { sheet, encoding }: SheetChoices = {},
): Promise<Sheet> {
  return openSheet(source, { rows: 'line', rowLengthMax: ROW_LENGTH_MAX, sheet, encoding });
}

/** Rows in order. Throws WrongHeader, and UnreadableFile after the last readable row. */
export async function* readRates(
  sheet: Sheet,
  choices: SheetChoices = {},
): AsyncGenerator<NumberedRatesRow, void, undefined> {
  const reader = new RatesReader({ european: isEuropean(sheet.facts), ...choices });
  for await (const row of sheet.rows()) {
    const read = reader.take(row);
    if (read !== undefined) yield { row: row.row, read, notices: reader.noticesOf(row) };
  }
  if (!reader.hasHeader) throw new WrongHeader(new Wrong('fileEmpty'));
}

export class RatesReader {
  readonly #european: boolean;
  readonly #ignoresUnknown: boolean;
  readonly #notices = new SheetNotices();
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
    if ('problem' in row) throw new WrongHeader(new Wrong('firstLine', { wrong: row.problem }));
    this.#header = readHeader(row.cells, { ...HEADER_RULES, ignoresUnknown: this.#ignoresUnknown });
    return undefined;
  }

  noticesOf(row: SheetRow | BrokenRow): readonly Wrong[] {
    return this.#header === undefined || 'problem' in row ? [] : this.#notices.take(this.#header, row);
  }

  #read(header: SheetHeader, row: SheetRow | BrokenRow): RatesRow {
    if ('problem' in row) return rejectRow(row.problem);
    const surplus = findSurplus(header, row.cells);
    if (surplus !== undefined) return rejectRow(surplus);
    const ofIds = asShown(row, (index) => ID_COLUMNS.has(header[index] ?? ''));
    const cells = new Map<string, string>();
    for (const [index, name] of header.entries())
      if (name !== undefined && name !== '') cells.set(name, ofIds.cells[index] ?? '');
    return withWrong(readRatesRow(cells, this.#european), header, ofIds);
  }
}

/** The row with the cells that have no value among its mistakes, and without what follows from them. */
function withWrong(read: RatesRow, header: SheetHeader, { wrong = new Map() }: SheetRow): RatesRow {
  const mistakes = [...wrong].flatMap(([index, reason]) => {
    const field = header[index] ?? '';
    return field === '' ? [] : [{ field, reason }];
  });
  if (mistakes.length === 0) return read;
  const others = read.ok
    ? []
    : read.mistakes.filter(({ field }) => field !== '' && !mistakes.some((one) => one.field === field));
  const ids = read.ok ? { propertyId: read.propertyId, inventoryTypeId: read.inventoryTypeId } : read.ids;
  return { ok: false, ids, mistakes: [...mistakes, ...others] };
}
