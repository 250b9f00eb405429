/** Opens a file as a sheet. */
import type { ByteSource } from '../text/byte-source.ts';
import { findDialect } from './csv-dialect.ts';
import type { Sheet, SheetOptions } from './sheet.ts';
import { readLineRows, readSpanningRows } from './sheet-rows.ts';

/** The source is read several times. Throws UnreadableFile. */
export async function openSheet(source: ByteSource, options: SheetOptions): Promise<Sheet> {
  const dialect = await findDialect(source);
  const read = options.rows === 'line' ? readLineRows : readSpanningRows;
  return {
    facts: { encoding: dialect.encoding, separator: dialect.separator, sheet: null },
    rows: () => read(source, dialect, options.rowLengthMax),
  };
}
