/** Rows of a CSV file as spreadsheets save it: with or without a byte-order mark, LF or CR LF (CR alone: `mac-lines.ts`). */
import { Wrong } from '../../domain/wrong.ts';
import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { LINE_BYTES_MAX, type Line, readLines } from '../text/ndjson-lines.ts';
import { type CsvDialect, inUtf8 } from './csv-dialect.ts';
import { type BrokenRow, isBlank, type SheetRow } from './sheet.ts';

const WRONG_QUOTE = new Wrong('wrongQuote');

type RowDialect = Omit<CsvDialect, 'encoding'>;

// Each row a line.

/** Throws UnreadableFile after the last readable row. */
export async function* readLineRows(
  source: ByteSource,
  dialect: CsvDialect,
  lengthMax: number,
): AsyncGenerator<SheetRow | BrokenRow, void, undefined> {
  const rows = new LineRows(dialect, lengthMax);
  for await (const lines of readLines(inUtf8(source, dialect.encoding))) {
    for (const line of lines) {
      const row = rows.take(line);
      if (row !== undefined) yield row;
    }
  }
}

export class LineRows {
  readonly #dialect: RowDialect;
  readonly #lengthMax: number;

  constructor(dialect: RowDialect, lengthMax: number) {
    this.#dialect = dialect;
    this.#lengthMax = lengthMax;
  }

  /** Undefined for a line that makes no row. */
  take(line: Line): SheetRow | BrokenRow | undefined {
    const row = line.number - this.#dialect.linesBefore;
    if (row < 1) return undefined;
    if (line.kind === 'broken')
      return {
        row,
        problem:
          line.reason === 'too-long'
            ? new Wrong('lineBytes', { max: LINE_BYTES_MAX })
            : new Wrong('lineNotUtf8'),
      };
    if (line.text.length > this.#lengthMax)
      return { row, problem: new Wrong('lineLong', { max: this.#lengthMax }) };
    const cells = splitRow(line.text, this.#dialect.separator);
    if (cells === undefined) return { row, problem: WRONG_QUOTE };
    return isBlank(cells) ? undefined : { row, cells };
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

/** Throws UnreadableFile after the last readable row. */
export async function* readSpanningRows(
  source: ByteSource,
  dialect: CsvDialect,
  lengthMax: number,
): AsyncGenerator<SheetRow, void, undefined> {
  let broken: CsvError | undefined;
  const parser = parse({
    delimiter: dialect.separator,
    info: true,
    relax_column_count: true,
    max_record_size: lengthMax,
    // Rows before a broken one may still be on their way when the parser meets it.
    skip_records_with_error: true,
    on_skip: (error) => void (broken ??= error),
  });
  // The loop below throws errors of the file.
  pipeline(Readable.from(readTexts(source, dialect)), parser, () => undefined);
  let row = 0;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    // After a broken row, the start of the next row is a guess.
    if (broken !== undefined && info.lines >= Number(broken['lines'])) break;
    row += 1;
    if (!isBlank(record)) yield { row, cells: record };
  }
  if (broken === undefined) return;
  const isLong = broken.code === 'CSV_MAX_RECORD_SIZE';
  const wrong = isLong ? new Wrong('lineBytes', { max: lengthMax }) : WRONG_QUOTE;
  throw new UnreadableFile(source.file, new Wrong('ofRow', { row: row + 1, wrong }));
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Without byte-order mark, and without the line that names the separator. Throws UnreadableFile. */
async function* readTexts(
  source: ByteSource,
  { encoding, linesBefore }: CsvDialect,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let toSkip = linesBefore;
  for await (const bytes of inUtf8(source, encoding)) {
    let text = decoder.decode(bytes, { stream: true });
    for (; toSkip > 0 && text !== '';) {
      const end = text.indexOf('\n');
      text = end === -1 ? '' : text.slice(end + 1);
      if (end !== -1) toSkip -= 1;
    }
    if (text !== '') yield text;
  }
  yield decoder.decode();
}
