/** The cells of a sheet of a workbook, row by row. */
import { Wrong } from '../../domain/wrong.ts';
import { type BrokenRow, type HiddenColumns, isBlank, type SheetOptions, type SheetRow } from './sheet.ts';
import { columnNumber, type Merge, type Merges } from './merged-cells.ts';
import { type DateSystem, displayNumber, formatValue, GENERAL, type NumberFormat } from './number-format.ts';
import { CELL_LENGTH_MAX, TextReader } from './shared-texts.ts';
import { BadXml, tooMany, type ReadingTime, readXml } from './workbook-xml.ts';

/** Far more than a sheet of ours has. */
const COLUMNS_MAX = 1_000;
/** As spreadsheets have it. */
const ROWS_MAX = 1_048_576;
/** With the empty ones before the last of a row: as many as 256 MB of XML spell. */
export const CELLS_MAX = 20_000_000;

/** Whole numbers from here on have more than the 15 digits that spreadsheets keep. */
const DIGITS_KEPT_MAX = 1e15;

/** The rest of the workbook, as far as cells refer to it. */
export interface WorkbookContext {
  readonly texts: readonly string[];
  /** By the number that a cell has as its style. */
  readonly formats: readonly NumberFormat[];
  readonly dates: DateSystem;
}

interface SheetParts {
  readonly context: WorkbookContext;
  readonly merges: Merges;
  readonly options: SheetOptions;
  readonly time: ReadingTime;
}

/** In batches of those that one chunk completes. Throws BadXml and TooSlow. */
export async function* readSheetRows(
  chunks: AsyncIterable<Buffer>,
  parts: SheetParts,
): AsyncGenerator<readonly (SheetRow | BrokenRow)[], void, undefined> {
  const reader = new SheetReader(parts);
  for await (const rows of readXml(chunks, reader, () => reader.take(), parts.time))
    if (rows.length > 0) yield rows;
}

interface MergedValue {
  readonly merge: Merge;
  readonly value: string;
  readonly shown: string | undefined;
  readonly isOverlong: boolean;
}

function isTrue(flag = ''): boolean {
  return flag === '1' || flag === 'true';
}

class SheetReader {
  readonly #parts: SheetParts;
  readonly #text = new TextReader();
  #rows: (SheetRow | BrokenRow)[] = [];
  #row = 0;
  #isHidden = false;
  readonly #hiddenColumns: HiddenColumns[] = [];
  #cellCount = 0;
  #cells: string[] = [];
  #shown = new Map<number, string>();
  #overlong = new Set<number>();
  #wrong = new Map<number, Wrong>();
  /** Merged ranges that go on below, with the value of their first row. */
  #merged: MergedValue[] = [];
  // The cell that is being read.
  #column = -1;
  #type = '';
  #style = 0;
  #value = '';
  #isValue = false;
  #hasFormula = false;

  constructor(parts: SheetParts) {
    this.#parts = parts;
  }

  take(): readonly (SheetRow | BrokenRow)[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'col') this.#openColumns(attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else if (name === 'f') this.#hasFormula = true;
    else this.#text.open(name);
  }

  text(text: string): void {
    if (!this.#isValue) this.#text.text(text);
    else if (this.#value.length <= CELL_LENGTH_MAX) this.#value += text;
  }

  close(name: string): void {
    if (name === 'row') this.#closeRow();
    else if (name === 'c') this.#closeCell();
    else if (name === 'v') this.#isValue = false;
    else this.#text.close(name);
  }

  /** Before the rows: columns `min` to `max`, counted from 1. */
  #openColumns({ min = '', max = min, hidden }: Readonly<Record<string, string>>): void {
    if (!isTrue(hidden) || this.#hiddenColumns.length >= COLUMNS_MAX) return;
    this.#hiddenColumns.push({ first: Number(min) - 1, last: Number(max) - 1 });
  }

  #openRow({ r: number, hidden }: Readonly<Record<string, string>>): void {
    const row = number === undefined ? this.#row + 1 : Number(number);
    if (!Number.isSafeInteger(row) || row <= this.#row || row > ROWS_MAX)
      throw new BadXml(new Wrong('rowMisplaced', { row: String(number) }));
    this.#row = row;
    this.#isHidden = isTrue(hidden);
    this.#cells = [];
    this.#shown = new Map();
    this.#overlong = new Set();
    this.#wrong = new Map();
    this.#column = -1;
  }

  #openCell({ r: place, t: type = 'n', s: style = '0' }: Readonly<Record<string, string>>): void {
    const letters = /^[A-Z]{1,3}(?=\d)/.exec(place ?? '')?.[0];
    this.#column = letters === undefined ? this.#column + 1 : columnNumber(letters) - 1;
    if (this.#column >= COLUMNS_MAX) throw new BadXml(tooMany(COLUMNS_MAX, 'columns'));
    this.#type = type;
    this.#style = Number(style);
    this.#value = '';
    this.#hasFormula = false;
  }

  #closeCell(): void {
    const inline = this.#text.take();
    if (Math.max(inline.length, this.#value.length) > CELL_LENGTH_MAX)
      throw new BadXml(new Wrong('cellLong', { row: this.#row, max: CELL_LENGTH_MAX }));
    if (this.#type === 'e') this.#wrong.set(this.#column, new Wrong('cellError', { error: this.#value }));
    else if (this.#hasFormula && this.#value === '' && this.#type !== 'str')
      this.#wrong.set(this.#column, new Wrong('formulaEmpty'));
    const text = this.#type === 'inlineStr' ? inline : this.#readValue();
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column] = text;
  }

  #readValue(): string {
    const { texts, formats, dates } = this.#parts.context;
    if (this.#value === '') return '';
    if (this.#type === 'e') return '';
    if (this.#type === 's') return texts[Number(this.#value)] ?? '';
    if (this.#type === 'b') return this.#value === '1' ? 'TRUE' : 'FALSE';
    if (this.#type === 'd') return this.#value.slice(0, '2026-12-31'.length);
    const value = Number(this.#value);
    if (this.#type !== 'n' || !Number.isFinite(value)) return this.#value;
    const format = formats[this.#style] ?? GENERAL;
    if (Math.abs(value) >= DIGITS_KEPT_MAX) this.#overlong.add(this.#column);
    this.#shown.set(this.#column, displayNumber(value, format, dates));
    return formatValue(value, format, dates);
  }

  #closeRow(): void {
    const { rowLengthMax, rows } = this.#parts.options;
    const row = this.#row;
    this.#cellCount += this.#cells.length;
    if (this.#cellCount > CELLS_MAX) throw new BadXml(tooMany(CELLS_MAX, 'cells'));
    if (rows === 'line') this.#cells = this.#cells.map((cell) => cell.trim());
    const isEmpty = isBlank(this.#cells) && this.#wrong.size === 0;
    this.#startMerges();
    if (isEmpty) return;
    this.#fillMerged();
    const length = this.#cells.reduce((sum, cell) => sum + cell.length, 0);
    if (length > rowLengthMax)
      this.#rows.push({ row, problem: new Wrong('lineLong', { max: rowLengthMax }) });
    else
      this.#rows.push({
        row,
        cells: this.#cells,
        isHidden: this.#isHidden,
        hiddenColumns: this.#hiddenColumns,
        shown: this.#shown,
        overlong: this.#overlong,
        wrong: this.#wrong,
      });
  }

  #startMerges(): void {
    this.#merged = this.#merged.filter(({ merge }) => merge.lastRow >= this.#row);
    for (const merge of this.#parts.merges.get(this.#row) ?? []) {
      const value = this.#cells[merge.column] ?? '';
      const isOverlong = this.#overlong.has(merge.column);
      this.#merged.push({ merge, value, shown: this.#shown.get(merge.column), isOverlong });
    }
  }

  #fillMerged(): void {
    for (const { merge, value, shown, isOverlong } of this.#merged) {
      if (value === '' || merge.firstRow === this.#row) continue;
      while (this.#cells.length < merge.column) this.#cells.push('');
      this.#cells[merge.column] = value;
      if (shown !== undefined) this.#shown.set(merge.column, shown);
      if (isOverlong) this.#overlong.add(merge.column);
    }
  }
}
