/** Opens a file as a sheet: a workbook by its first bytes, else CSV. */
import { Wrong } from '../../domain/wrong.ts';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { findDialect } from './csv-dialect.ts';
import { withLineFeeds } from './mac-lines.ts';
import type { Sheet, SheetOptions } from './sheet.ts';
import { readLineRows, readSpanningRows } from './sheet-rows.ts';
import { openWorkbook } from './open-workbook.ts';

const ZIP = '504b0304';
/** Workbooks of old, and those with a password. */
const OLD_OFFICE = 'd0cf11e0';
const MAGIC_BYTES = 4;

/** The source is read several times. Throws UnreadableFile. */
export async function openSheet(source: ByteSource, options: SheetOptions): Promise<Sheet> {
  const magic = await readMagic(source);
  if (magic === ZIP && options.encoding !== undefined)
    throw new UnreadableFile(source.file, new Wrong('workbookEncoded'));
  if (magic === ZIP) return openWorkbook(source, options);
  if (magic === OLD_OFFICE) throw new UnreadableFile(source.file, new Wrong('workbookOld'));
  if (options.sheet !== undefined) throw new UnreadableFile(source.file, new Wrong('noWorkbook'));
  const lines = await withLineFeeds(source);
  const dialect = await findDialect(lines, options.encoding);
  const read = options.rows === 'line' ? readLineRows : readSpanningRows;
  return {
    facts: { encoding: dialect.encoding, separator: dialect.separator, sheet: null },
    rows: () => read(lines, dialect, options.rowLengthMax),
  };
}

async function readMagic(source: ByteSource): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of source.read()) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= MAGIC_BYTES) break;
  }
  return bytes.toString('hex', 0, MAGIC_BYTES);
}
