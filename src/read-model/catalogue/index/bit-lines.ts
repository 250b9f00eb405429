/**
 * Lines of bits, one bit per row of a block: the only storage shape of the night index.
 *
 * A line is `wordsPerLine` 32-bit words; line `n` starts at word `n * wordsPerLine`. A block keeps, say, one line per
 * night for "open", and rows come and go in the middle, so every line can shift its bits.
 */
import type { Address, Memory } from '../memory/memory.ts';
import { Part } from '../memory/part.ts';

/** Words of the longest line; 2,048 rows. Longer lines search a little faster and take longer to shift and split. */
export const LINE_WORDS_MAX = 64;

/** Stands for an empty line. */
export const NO_LINE = -1;

/** One bit per row: those of a block's words `from` to `until`, which start at `offset` in `bits`. */
export interface RowRange {
  readonly bits: Int32Array;
  readonly offset: number;
  readonly from: number;
  readonly until: number;
}

/** So many empty rows to open before a row. */
export interface RowGap {
  readonly at: number;
  readonly count: number;
}

export class BitLines extends Part {
  lineCount: number;
  wordsPerLine: number;

  /** Opens the lines at the address, or makes clear ones. */
  constructor(memory: Memory, lineCount: number, wordsPerLine: number, address?: Address) {
    super(memory, lineCount * wordsPerLine, address);
    this.lineCount = lineCount;
    this.wordsPerLine = wordsPerLine;
  }

  has(line: number, row: number): boolean {
    return (this.words[line * this.wordsPerLine + (row >>> 5)]! & (1 << (row & 31))) !== 0;
  }

  set(line: number, row: number): void {
    const words = this.own();
    const word = line * this.wordsPerLine + (row >>> 5);
    words[word] = words[word]! | (1 << (row & 31));
  }

  /** Sets a row's bit in each line; correct lines are not copied. */
  writeRow(row: number, bits: Uint8Array): void {
    let { words } = this;
    let isOwn = false;
    const mask = 1 << (row & 31);
    for (let line = 0, word = row >>> 5; line < this.lineCount; line++, word += this.wordsPerLine) {
      if (((words[word]! & mask) !== 0) === (bits[line] !== 0)) continue;
      if (!isOwn) words = this.own();
      isOwn = true;
      words[word] = words[word]! ^ mask;
    }
  }

  /** Whether no row from this one on has a bit in any line. */
  isClearFrom(row: number): boolean {
    return this.words.every((word, index) => (word & ~lowMask(row - (index % this.wordsPerLine) * 32)) === 0);
  }

  clearLine(line: number): void {
    this.own().fill(0, line * this.wordsPerLine, (line + 1) * this.wordsPerLine);
  }

  /** Clears the rows `at` to `at + count - 1` of every line. */
  clearRows(at: number, count: number): void {
    const words = this.own();
    const { wordsPerLine } = this;
    const first = at >>> 5;
    const last = (at + count - 1) >>> 5;
    for (let offset = first; offset <= last; offset++) {
      const keep = lowMask(at - offset * 32) | ~lowMask(at + count - offset * 32);
      for (let word = offset; word < words.length; word += wordsPerLine) words[word] = words[word]! & keep;
    }
  }

  /**
   * Opens empty rows in every line and moves the rows there up. `gaps` ascend by their rows before the move, several of
   * which may be equal. The top rows must be empty.
   */
  insertRows(gaps: readonly RowGap[]): void {
    const words = this.own();
    const { wordsPerLine } = this;
    const moves = movesOf(gaps, wordsPerLine * 32);
    for (let base = 0; base < words.length; base += wordsPerLine)
      for (const move of moves) moveUp(words, base, move);
  }

  /** Removes the rows `at` to `at + count - 1` of every line; the rows above move down. */
  removeRows(at: number, count: number): void {
    const words = this.own();
    const { wordsPerLine } = this;
    const atWord = at >>> 5;
    const below = lowMask(at & 31);
    const wordShift = count >>> 5;
    const bitShift = count & 31;
    for (let base = 0; base < words.length; base += wordsPerLine) {
      const kept = words[base + atWord]! & below;
      for (let word = atWord; word < wordsPerLine; word++) {
        const source = word + wordShift;
        const low = source < wordsPerLine ? words[base + source]! : 0;
        const high = source + 1 < wordsPerLine ? words[base + source + 1]! : 0;
        words[base + word] = bitShift === 0 ? low : (low >>> bitShift) | (high << (32 - bitShift));
      }
      words[base + atWord] = (words[base + atWord]! & ~below) | kept;
    }
  }

  widen(wordsPerLine: number): void {
    const { words, wordsPerLine: narrow } = this;
    const wider = new Int32Array(this.lineCount * wordsPerLine);
    // Word by word: a line is short, and a view per line would cost more than the copy.
    for (let from = 0, to = 0; from < words.length; from += narrow, to += wordsPerLine) {
      for (let word = 0; word < narrow; word++) wider[to + word] = words[from + word]!;
    }
    this.replace(wider);
    this.wordsPerLine = wordsPerLine;
  }

  /** Appends empty lines. */
  extend(lineCount: number): void {
    this.resize(lineCount * this.wordsPerLine).fill(0, this.lineCount * this.wordsPerLine);
    this.lineCount = lineCount;
  }

  /** Copies the lines from `from` on to `to` and after. */
  copyLines(from: number, to: number, count: number): void {
    const { wordsPerLine } = this;
    this.own().copyWithin(to * wordsPerLine, from * wordsPerLine, (from + count) * wordsPerLine);
  }

  /** Reorders the lines, repeating or omitting some; NO_LINE gives an empty one. */
  arrange(order: readonly number[]): void {
    const { words, wordsPerLine } = this;
    const arranged = new Int32Array(order.length * wordsPerLine);
    for (const [index, line] of order.entries()) {
      if (line === NO_LINE) continue;
      arranged.set(words.subarray(line * wordsPerLine, (line + 1) * wordsPerLine), index * wordsPerLine);
    }
    this.replace(arranged);
    this.lineCount = order.length;
  }
}

/** Rows `from` to `until` go up by so many, and leave empty rows below. */
interface RowMove {
  readonly from: number;
  readonly until: number;
  readonly by: number;
  readonly emptied: number;
}

/** From the top, so that no move overwrites what another one still takes. */
function movesOf(gaps: readonly RowGap[], rowsMax: number): readonly RowMove[] {
  let by = gaps.reduce((sum, { count }) => sum + count, 0);
  let until = rowsMax - by;
  const moves: RowMove[] = [];
  for (const { at, count } of gaps.toReversed()) {
    moves.push({ from: at, until, by, emptied: count });
    by -= count;
    until = at;
  }
  return moves;
}

function moveUp(words: Int32Array, base: number, { from, until, by, emptied }: RowMove): void {
  const wordShift = by >>> 5;
  const bitShift = by & 31;
  const bottom = from + by - emptied;
  const top = until + by;
  for (let word = (top - 1) >>> 5; word >= bottom >>> 5; word--) {
    const source = base + word - wordShift;
    const high = source >= base ? words[source]! : 0;
    const low = source > base ? words[source - 1]! : 0;
    const moved = bitShift === 0 ? high : (high << bitShift) | (low >>> (32 - bitShift));
    const first = word * 32;
    const kept = lowMask(bottom - first) | ~lowMask(top - first);
    words[base + word] = (words[base + word]! & kept) | (moved & ~lowMask(from + by - first) & ~kept);
  }
}

/** A mask of the lowest `bits` bits; none for 0 and below, all for 32 and above. */
/** Whether any row is set. */
export function isAnySet({ bits, offset, from, until }: RowRange): boolean {
  for (let word = from; word < until; word++) if (bits[offset + word] !== 0) return true;
  return false;
}

export function lowMask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : (1 << bits) - 1;
}

export function countBits(word: number): number {
  let pairs = word - ((word >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((pairs + (pairs >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The index of the lowest set bit; the word must not be 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** An empty line of any length. */
export const NO_ROWS = new Int32Array(LINE_WORDS_MAX);
