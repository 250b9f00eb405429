/**
 * An .xlsx file as a sheet (ECMA-376). Formulas count by the value that was saved with them; macros are never looked at.
 */
import { Wrong } from '../../domain/wrong.ts';
import { posix } from 'node:path';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import type { Sheet, SheetOptions } from './sheet.ts';
import { findMerges } from './merged-cells.ts';
import { type DateSystem, GENERAL, type NumberFormat, readFormat } from './number-format.ts';
import { readTexts } from './shared-texts.ts';
import { readSheetRows } from './sheet-cells.ts';
import { WorkbookParts } from './workbook-parts.ts';
import { BadXml, READ_MS_MAX, readAllXml, ReadingTime, tooMany, TooSlow } from './workbook-xml.ts';

/** Sheets, relations and formats of cells: far more than a spreadsheet writes. Each is kept. */
export const PARTS_KEPT_MAX = 100_000;
/** The longest number format that is read; a spreadsheet takes 255. Each cell format that names it reads it again. */
const CODE_LENGTH_MAX = 1_000;
/** Characters of a sheet's name that a refusal shows; a spreadsheet takes 31. */
const NAME_LENGTH_MAX = 60;
/** Sheets that a refusal names. */
export const SHEETS_NAMED_MAX = 20;

interface NamedSheet {
  readonly name: string;
  readonly relation: string;
  readonly isHidden: boolean;
}

interface Relation {
  readonly id: string;
  /** The last word of its type. */
  readonly type: string;
  readonly target: string;
}

/** All of the sheet is unpacked once before its first row, so that what is too large changes nothing. */
export async function openWorkbook(source: ByteSource, options: SheetOptions): Promise<Sheet> {
  const { file } = source;
  return inWords(file, async () => {
    const parts = await WorkbookParts.open(source);
    const time = new ReadingTime(options.monotonicMs);
    const root = await readRelations(parts, '', time);
    const book = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
    if (!parts.has(book)) throw new UnreadableFile(file, new Wrong('notWorkbook'));
    const { sheets, dates } = await readBook(parts, book, time);
    const relations = await readRelations(parts, book, time);
    const targetOf = (wanted: string): string | undefined =>
      relations.find(({ type }) => type === wanted)?.target;
    const tables = new Map(
      relations.flatMap(({ id, type, target }) => (type === 'worksheet' ? [[id, target] as const] : [])),
    );
    const { name, part } = chooseSheet(file, sheets, tables, options.sheet);
    const context = {
      dates,
      texts: await readTexts(parts, targetOf('sharedStrings'), time),
      formats: await readFormats(parts, targetOf('styles'), time),
    };
    const merges = await findMerges(parts.read(part), time);
    return {
      facts: { encoding: null, separator: null, sheet: name },
      rows: async function* rows() {
        const cells = readSheetRows(parts.read(part, { again: true }), { context, merges, options, time });
        for (;;) {
          const next = await inWords(file, () => cells.next());
          if (next.done === true) return;
          yield* next.value;
        }
      },
    };
  });
}

async function inWords<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadXml) throw new UnreadableFile(file, new Wrong('damaged', { why: error.reason }));
    if (error instanceof TooSlow)
      throw new UnreadableFile(file, new Wrong('workbookSlow', { max: READ_MS_MAX / 1000 }));
    throw error;
  }
}

/** The one that is named, else the first that is not hidden. */
function chooseSheet(
  file: string,
  sheets: readonly NamedSheet[],
  parts: ReadonlyMap<string, string>,
  wanted: string | undefined,
): { readonly name: string; readonly part: string } {
  const tables = sheets.flatMap((sheet) => {
    const part = parts.get(sheet.relation);
    return part === undefined ? [] : [{ ...sheet, part }];
  });
  const found =
    wanted === undefined
      ? tables.find(({ isHidden }) => !isHidden)
      : tables.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const names = nameSheets(tables.map(({ name }) => name));
  if (wanted === undefined) throw new UnreadableFile(file, new Wrong('noVisibleSheet', { names }));
  throw new UnreadableFile(file, new Wrong('noSheet', { name: quoteName(wanted), names }));
}

function nameSheets(names: readonly string[]): string | Wrong {
  if (names.length === 0) return new Wrong('none');
  const shown = names.slice(0, SHEETS_NAMED_MAX).map(quoteName).join(', ');
  const more = names.length - SHEETS_NAMED_MAX;
  return more > 0 ? new Wrong('andMore', { names: shown, count: more }) : shown;
}

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, NAME_LENGTH_MAX));
}

// Parts.

async function readBook(
  parts: WorkbookParts,
  book: string,
  time: ReadingTime,
): Promise<{ readonly sheets: readonly NamedSheet[]; readonly dates: DateSystem }> {
  const sheets: NamedSheet[] = [];
  let dates: DateSystem = 1900;
  await readAllXml(
    parts.read(book),
    {
      open(name, attributes) {
        if (name === 'workbookPr' && isTrue(attributes['date1904'])) dates = 1904;
        if (name !== 'sheet') return;
        const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
        const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
        keep(sheets, { name: attributes['name'] ?? '', relation, isHidden }, 'sheets');
      },
    },
    time,
  );
  return { sheets, dates };
}

function keep<T>(kept: T[], one: T, what: 'sheets' | 'relations' | 'formats'): void {
  if (kept.length >= PARTS_KEPT_MAX) throw new BadXml(tooMany(PARTS_KEPT_MAX, what));
  kept.push(one);
}

function isTrue(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}

/** Targets from the root of the archive; none where the part has no relations. */
async function readRelations(
  parts: WorkbookParts,
  of: string,
  time: ReadingTime,
): Promise<readonly Relation[]> {
  const folder = posix.dirname(of);
  const name = posix.join(folder, '_rels', `${posix.basename(of)}.rels`);
  const relations: Relation[] = [];
  if (!parts.has(name)) return relations;
  await readAllXml(
    parts.read(name),
    {
      open(tag, { Id: id = '', Type: type = '', Target: target = '' }) {
        if (tag !== 'Relationship') return;
        const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
        keep(relations, { id, type: type.slice(type.lastIndexOf('/') + 1), target: path }, 'relations');
      },
    },
    time,
  );
  return relations;
}

async function readFormats(
  parts: WorkbookParts,
  part: string | undefined,
  time: ReadingTime,
): Promise<readonly NumberFormat[]> {
  if (part === undefined) return [GENERAL];
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  await readAllXml(
    parts.read(part),
    {
      open(name, attributes) {
        const id = Number(attributes['numFmtId'] ?? 0);
        if (name === 'numFmt' && codes.size < PARTS_KEPT_MAX)
          codes.set(id, (attributes['formatCode'] ?? '').slice(0, CODE_LENGTH_MAX));
        else if (name === 'cellXfs') isOfCells = true;
        else if (name === 'xf' && isOfCells) keep(formats, readFormat(id, codes.get(id)), 'formats');
      },
      close(name) {
        if (name === 'cellXfs') isOfCells = false;
      },
    },
    time,
  );
  return formats;
}
