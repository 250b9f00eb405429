/** Lines of a text file, read in bounded memory whatever the file holds. */
import { isUtf8 } from 'node:buffer';

/** Longer lines are not kept. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;
/** Larger chunks are split into pieces of this size, so that no complete line inside one is over-long. */
const PIECE_BYTES_MAX = 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface TextLine {
  readonly kind: 'text';
  /** Counted from 1; blank lines count too. */
  readonly number: number;
  /** Without line ending (LF or CR LF) and byte-order mark. Never blank. */
  readonly text: string;
}

export interface BrokenLine {
  readonly kind: 'broken';
  readonly number: number;
  readonly reason: 'too-long' | 'not-utf8';
  /** Strings that `searchBroken` found in its bytes. */
  readonly found: readonly string[];
}

export type Line = TextLine | BrokenLine;

export interface LineOptions {
  /**
   * Searches the bytes of a line that can't be read for strings that matter. An over-long line is searched in pieces
   * that overlap by SEARCH_OVERLAP_BYTES.
   */
  readonly searchBroken?: (bytes: Buffer) => readonly string[];
}

export const SEARCH_OVERLAP_BYTES = 1_024;

/** The lines of `chunks`, in batches of those that one chunk completes. The last line needs no line ending. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  { searchBroken = () => [] }: LineOptions = {},
): AsyncGenerator<readonly Line[], void, undefined> {
  const splitter = new LineSplitter(searchBroken);
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    for (let start = 0; start < chunk.length; start += PIECE_BYTES_MAX) {
      splitter.push(chunk.subarray(start, start + PIECE_BYTES_MAX), lines);
    }
    if (lines.length > 0) yield lines;
  }
  const last = splitter.finish();
  if (last.length > 0) yield last;
}

class LineSplitter {
  readonly #searchBroken: (bytes: Buffer) => readonly string[];
  #number = 0;
  /** The beginning of a line whose end has not arrived. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Set while reading on to the end of an over-long line. */
  #tooLong: Set<string> | undefined;

  constructor(searchBroken: (bytes: Buffer) => readonly string[]) {
    this.#searchBroken = searchBroken;
  }

  push(chunk: Buffer, lines: Line[]): void {
    const lastEnd = chunk.lastIndexOf(LF);
    if (lastEnd < 0) {
      this.#hold(chunk);
      return;
    }
    const firstEnd = chunk.indexOf(LF);
    this.#hold(chunk.subarray(0, firstEnd));
    this.#finishHeld(lines);
    this.#addWhole(chunk.subarray(firstEnd + 1, lastEnd + 1), lines);
    this.#hold(chunk.subarray(lastEnd + 1));
  }

  finish(): Line[] {
    const lines: Line[] = [];
    if (this.#heldBytes > 0 || this.#tooLong !== undefined) this.#finishHeld(lines);
    return lines;
  }

  /** Adds whole lines, decoded together if all are valid. */
  #addWhole(bytes: Buffer, lines: Line[]): void {
    if (!isUtf8(bytes)) {
      for (let start = 0; start < bytes.length;) {
        const end = bytes.indexOf(LF, start);
        this.#addLine(bytes.subarray(start, end), lines);
        start = end + 1;
      }
      return;
    }
    const text = bytes.toString('utf8');
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('\n', start);
      this.#addText(text.slice(start, end), lines);
      start = end + 1;
    }
  }

  #addLine(bytes: Buffer, lines: Line[]): void {
    if (isUtf8(bytes)) {
      this.#addText(bytes.toString('utf8'), lines);
      return;
    }
    this.#number += 1;
    lines.push({
      kind: 'broken',
      number: this.#number,
      reason: 'not-utf8',
      found: this.#searchBroken(bytes),
    });
  }

  #addText(line: string, lines: Line[]): void {
    this.#number += 1;
    let text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text.startsWith('\u{feff}')) text = text.slice(1);
    if (text.trim() !== '') lines.push({ kind: 'text', number: this.#number, text });
  }

  #finishHeld(lines: Line[]): void {
    const held = this.#takeHeld();
    if (this.#tooLong === undefined) {
      this.#addLine(held, lines);
      return;
    }
    for (const found of this.#searchBroken(held)) this.#tooLong.add(found);
    this.#number += 1;
    lines.push({ kind: 'broken', number: this.#number, reason: 'too-long', found: [...this.#tooLong] });
    this.#tooLong = undefined;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > LINE_BYTES_MAX && !this.#isHeldWithinLimit()) this.#dropHeld();
  }

  /** A CR at the end and a byte-order mark at the beginning are not part of the line. */
  #isHeldWithinLimit(): boolean {
    const endsWithCr = this.#held.at(-1)?.at(-1) === CR;
    const startsWithMark =
      this.#held[0]?.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) === true;
    const outside = (endsWithCr ? 1 : 0) + (startsWithMark ? BYTE_ORDER_MARK.length : 0);
    return this.#heldBytes - outside <= LINE_BYTES_MAX;
  }

  /** Searches the buffered part of an over-long line, and keeps enough to find an id across the cut. */
  #dropHeld(): void {
    const bytes = this.#takeHeld();
    this.#tooLong ??= new Set();
    for (const found of this.#searchBroken(bytes)) this.#tooLong.add(found);
    const rest = Buffer.from(bytes.subarray(-SEARCH_OVERLAP_BYTES));
    this.#held = [rest];
    this.#heldBytes = rest.length;
  }

  #takeHeld(): Buffer {
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return bytes;
  }
}
