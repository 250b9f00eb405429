/**
 * How a CSV file is written: its encoding, UTF-8 or Windows-1252 unless a person names another, and what separates its
 * cells. All of the file is looked at, because a letter that decides may stand in its last row, and a garbled name would
 * be stored.
 */
import { Wrong } from '../../domain/wrong.ts';
import { isAscii, isUtf8 } from 'node:buffer';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { LINE_BYTES_MAX } from '../text/ndjson-lines.ts';
import {
  doubtReason,
  type DoubtfulLine,
  type Encoding,
  type EncodingDoubt,
  decodeBytes,
  findDoubt,
  UNDEFINED_SIGN,
  UTF8,
  WINDOWS_1252,
} from './encodings.ts';
import type { Separator } from './sheet.ts';

export interface CsvDialect {
  readonly encoding: Encoding;
  readonly separator: Separator;
  /** Lines up to the one that names the separator, as Excel writes it; 0 without it. */
  readonly linesBefore: number;
}

const cure = new Wrong('saveAsUtf8');
const LF = 0x0a;
const UTF16_MARKS: ReadonlySet<string> = new Set(['fffe', 'feff']);
/** Lines in doubt that are shown. */
export const DOUBTS_SHOWN_MAX = 20;
/** At least the header. */
const BEGINNING_BYTES = 64 * 1024;
const SEPARATOR_LINE = /^sep=(.)$/i;
const SEPARATORS: readonly Separator[] = [';', '\t', ','];

/** Windows-1252 has signs inside of words, so another encoding may be meant: a person has to name it. */
export class DoubtfulEncoding extends UnreadableFile {
  readonly doubt: EncodingDoubt;

  constructor(file: string, doubt: EncodingDoubt) {
    super(file, new Wrong('encodingDoubtful', { where: doubtReason(doubt), cure }));
    this.doubt = doubt;
  }

  /** For commands that take the name of an encoding. */
  get advice(): Wrong {
    return new Wrong('orEncoding', { wrong: this.reason, option: '--encoding' });
  }
}

/** `named`: the encoding that a person names. Throws UnreadableFile, and DoubtfulEncoding where one must be named. */
export async function findDialect(source: ByteSource, named?: Encoding): Promise<CsvDialect> {
  const lines = named === undefined ? new EncodedLines(source.file) : new NamedEncoding(source.file, named);
  let beginning = Buffer.alloc(0);
  for await (const chunk of source.read()) {
    if (beginning.length < BEGINNING_BYTES) beginning = Buffer.concat([beginning, chunk]);
    lines.push(chunk);
  }
  const encoding = lines.finish();
  return { encoding, ...findSeparator(decodeBytes(beginning, encoding)) };
}

/** Checks that all bytes are defined in the encoding. */
class NamedEncoding {
  readonly #file: string;
  readonly #encoding: Encoding;
  readonly #decoder: TextDecoder;
  #line = 1;

  constructor(file: string, encoding: Encoding) {
    this.#file = file;
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  push(chunk: Buffer): void {
    this.#check(() => this.#decoder.decode(chunk, { stream: true }));
  }

  finish(): Encoding {
    this.#check(() => this.#decoder.decode());
    return this.#encoding;
  }

  #check(decode: () => string): void {
    try {
      const text = decode();
      const wrongAt = text.search(UNDEFINED_SIGN);
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
        if (wrongAt !== -1 && wrongAt < at) break;
        this.#line += 1;
      }
      if (wrongAt === -1) return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    throw new UnreadableFile(
      this.#file,
      new Wrong('notEncoded', { encoding: this.#encoding, line: this.#line, cure }),
    );
  }
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

/** Notes the first line of each encoding, and the lines in doubt. */
class EncodedLines {
  readonly #file: string;
  #count = 0;
  #held: Buffer = Buffer.alloc(0);
  #isFirst = true;
  #utf8: number | undefined;
  #single: number | undefined;
  readonly #doubtful: DoubtfulLine[] = [];
  #doubtsLeftOut = 0;

  constructor(file: string) {
    this.#file = file;
  }

  push(chunk: Buffer): void {
    if (this.#isFirst && UTF16_MARKS.has(chunk.toString('hex', 0, 2)))
      throw new UnreadableFile(this.#file, new Wrong('notUtf16', { cure }));
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
    if (this.#single === undefined) return UTF8;
    if (this.#utf8 === undefined && this.#doubtful.length === 0) return WINDOWS_1252;
    if (this.#utf8 === undefined)
      throw new DoubtfulEncoding(this.#file, { lines: this.#doubtful, leftOut: this.#doubtsLeftOut });
    const where = new Wrong('encodingsAt', {
      one: UTF8,
      lineOne: this.#utf8,
      other: WINDOWS_1252,
      lineOther: this.#single,
    });
    throw new UnreadableFile(this.#file, new Wrong('encodingsMixed', { where, cure }));
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
    if (isUtf8(line)) {
      this.#utf8 ??= this.#count;
      return;
    }
    this.#single ??= this.#count;
    const word = findDoubt(line);
    if (word === undefined) return;
    if (this.#doubtful.length < DOUBTS_SHOWN_MAX) this.#doubtful.push({ line: this.#count, word });
    else this.#doubtsLeftOut += 1;
  }
}

/** The bytes of the file in UTF-8. */
export async function* inUtf8(
  source: ByteSource,
  encoding: Encoding,
): AsyncGenerator<Buffer, void, undefined> {
  if (encoding === UTF8) return yield* source.read();
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source.read()) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  const rest = decoder.decode();
  if (rest !== '') yield Buffer.from(rest);
}
