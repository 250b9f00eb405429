/**
 * How a CSV file is written: UTF-8 or Windows-1252, and what separates its cells. All of the file is looked at, because
 * a letter that decides may stand in its last row, and a garbled name would be stored.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { LINE_BYTES_MAX } from '../text/ndjson-lines.ts';
import type { Encoding, Separator } from './sheet.ts';

export interface CsvDialect {
  readonly encoding: Encoding;
  readonly separator: Separator;
  /** Lines up to the one that names the separator, as Excel writes it; 0 without it. */
  readonly linesBefore: number;
}

const SAVE_AS = 'save it again as "CSV UTF-8"';
const LF = 0x0a;
const UTF16_MARKS: ReadonlySet<string> = new Set(['fffe', 'feff']);
/** Bytes that Windows-1252 does not define. */
const UNDEFINED_BYTES = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** At least the header. */
const BEGINNING_BYTES = 64 * 1024;
const SEPARATOR_LINE = /^sep=(.)$/i;
const SEPARATORS: readonly Separator[] = [';', '\t', ','];

/** Throws UnreadableFile. */
export async function findDialect(source: ByteSource): Promise<CsvDialect> {
  const lines = new EncodedLines(source.file);
  let beginning = Buffer.alloc(0);
  for await (const chunk of source.read()) {
    if (beginning.length < BEGINNING_BYTES) beginning = Buffer.concat([beginning, chunk]);
    lines.push(chunk);
  }
  const encoding = lines.finish();
  return { encoding, ...findSeparator(decode(beginning, encoding)) };
}

function decode(bytes: Buffer, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** The separator of the cells of a header; names of columns hold none of these outside of quotes. */
export function findSeparator(text: string): Omit<CsvDialect, 'encoding'> {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  const named = SEPARATOR_LINE.exec(lines[first] ?? '');
  const linesBefore = named === null ? 0 : first + 1;
  const header = lines.slice(linesBefore).find((line) => line.trim() !== '') ?? '';
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const separator =
    SEPARATORS.find((one) => one === named?.[1]) ?? SEPARATORS.find((one) => bare.includes(one));
  return { separator: separator ?? ',', linesBefore };
}

/** Notes the first line of each encoding. */
class EncodedLines {
  readonly #file: string;
  #count = 0;
  #held: Buffer = Buffer.alloc(0);
  #isFirst = true;
  #utf8: number | undefined;
  #single: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  push(chunk: Buffer): void {
    if (this.#isFirst && UTF16_MARKS.has(chunk.toString('hex', 0, 2)))
      throw new UnreadableFile(this.#file, `is UTF-16: ${SAVE_AS}`);
    this.#isFirst = false;
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = bytes.lastIndexOf(LF) + 1;
    this.#addLines(bytes.subarray(0, end));
    const rest = bytes.subarray(end);
    // The reader refuses a line this long, whatever its encoding.
    this.#held = rest.length > LINE_BYTES_MAX ? Buffer.alloc(0) : rest;
  }

  finish(): Encoding {
    this.#addLines(this.#held);
    if (this.#single === undefined) return 'UTF-8';
    if (this.#utf8 === undefined) return 'Windows-1252';
    const rows = `UTF-8 (line ${this.#utf8}) and Windows-1252 (line ${this.#single})`;
    throw new UnreadableFile(this.#file, `mixes two encodings, ${rows}: ${SAVE_AS}`);
  }

  #addLines(bytes: Buffer): void {
    const isPlain = isAscii(bytes);
    for (let start = 0; start < bytes.length;) {
      const at = bytes.indexOf(LF, start);
      const end = at === -1 ? bytes.length : at;
      this.#count += 1;
      if (!isPlain) this.#addLine(bytes.subarray(start, end));
      start = end + 1;
    }
  }

  #addLine(line: Buffer): void {
    if (isAscii(line)) return;
    if (isUtf8(line)) this.#utf8 ??= this.#count;
    else if (UNDEFINED_BYTES.some((byte) => line.includes(byte))) {
      const reason = `is neither UTF-8 nor Windows-1252 (line ${this.#count})`;
      throw new UnreadableFile(this.#file, `${reason}: ${SAVE_AS}`);
    } else this.#single ??= this.#count;
  }
}

/** The bytes of the file in UTF-8. */
export async function* inUtf8(
  source: ByteSource,
  encoding: Encoding,
): AsyncGenerator<Buffer, void, undefined> {
  // Each byte is a character, so a chunk may end anywhere.
  for await (const chunk of source.read())
    yield encoding === 'UTF-8' || isAscii(chunk) ? chunk : Buffer.from(decode(chunk, encoding));
}
