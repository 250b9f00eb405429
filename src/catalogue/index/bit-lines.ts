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

/** What some rows will be. */
interface Draft {
  /** Of the words of a line the first one that has some of them. */
  readonly firstWord: number;
  /** For each of its words in a line: the rows that stay as they are. */
  readonly keep: Int32Array;
  /** Lines of as many words as `keep` has. */
  readonly words: Int32Array;
}

export class BitLines extends Part {
  readonly lineCount: number;
  wordsPerLine: number;
  #draft: Draft | undefined;

  /** The lines at the address; new ones, all clear, where there is none. */
  constructor(memory: Memory, lineCount: number, wordsPerLine: number, address?: Address) {
    super(memory, lineCount * wordsPerLine, address);
    this.lineCount = lineCount;
    this.wordsPerLine = wordsPerLine;
  }

  has(line: number, row: number): boolean {
    return (this.words[line * this.wordsPerLine + (row >>> 5)]! & (1 << (row & 31))) !== 0;
  }

  /**
   * Until `commit`, the rows `at` to `at + count - 1` are written as new ones. Lines that turn out as they were
   * are not copied: most new versions of a property differ in the nights of one field.
   */
  begin(at: number, count: number): void {
    const firstWord = at >>> 5;
    const span = ((at + count - 1) >>> 5) - firstWord + 1;
    const keep = Int32Array.from({ length: span }, (_, index) => {
      const base = (firstWord + index) * 32;
      return lowMask(at - base) | ~lowMask(at + count - base);
    });
    this.#draft = { firstWord, keep, words: new Int32Array(this.lineCount * span) };
  }

  commit(): void {
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    draft.keep.forEach((keep, offset) => this.#commitWords(draft, offset, keep));
  }

  /** One word of each line. */
  #commitWords(
    { firstWord, keep: { length: span }, words: drawn }: Draft,
    offset: number,
    keep: number,
  ): void {
    const { wordsPerLine } = this;
    let { words } = this;
    let from = offset;
    let word = firstWord + offset;
    while (from < drawn.length && words[word] === ((words[word]! & keep) | drawn[from]!)) {
      from += span;
      word += wordsPerLine;
    }
    if (from >= drawn.length) return;
    words = this.own();
    for (; from < drawn.length; from += span) {
      words[word] = (words[word]! & keep) | drawn[from]!;
      word += wordsPerLine;
    }
  }

  set(line: number, row: number): void {
    this.setRun(line, 1, row);
  }

  /** Sets a row in `count` lines, every `lineStep`-th from `line` on; behind the last lines come the first. */
  setRun(line: number, count: number, row: number, lineStep = 1): void {
    const { words, wordsPerLine, rowWord } = this.#writable(row);
    const mask = 1 << (row & 31);
    let word = line * wordsPerLine + rowWord;
    for (let left = count; left > 0; left--) {
      if (word >= words.length) word -= words.length;
      words[word] = words[word]! | mask;
      word += lineStep * wordsPerLine;
    }
  }

  /** The opposite of `setRun`. */
  unsetRun(line: number, count: number, row: number): void {
    const { words, wordsPerLine, rowWord } = this.#writable(row);
    const mask = ~(1 << (row & 31));
    let word = line * wordsPerLine + rowWord;
    for (let left = count; left > 0; left--) {
      if (word >= words.length) word -= words.length;
      words[word] = words[word]! & mask;
      word += wordsPerLine;
    }
  }

  /** Where a row is written: in the draft while there is one. */
  #writable(row: number): {
    readonly words: Int32Array;
    readonly wordsPerLine: number;
    readonly rowWord: number;
  } {
    const draft = this.#draft;
    if (draft === undefined)
      return { words: this.own(), wordsPerLine: this.wordsPerLine, rowWord: row >>> 5 };
    return { words: draft.words, wordsPerLine: draft.keep.length, rowWord: (row >>> 5) - draft.firstWord };
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

  /** Opens `count` empty rows at `at` in every line; the rows there move up. The top rows must be empty. */
  insertRows(at: number, count: number): void {
    const words = this.own();
    const { wordsPerLine } = this;
    const atWord = at >>> 5;
    const below = lowMask(at & 31);
    const wordShift = count >>> 5;
    const bitShift = count & 31;
    for (let base = 0; base < words.length; base += wordsPerLine) {
      const kept = words[base + atWord]! & below;
      words[base + atWord] = words[base + atWord]! & ~below;
      for (let word = wordsPerLine - 1; word >= atWord; word--) {
        const source = word - wordShift;
        const high = source >= atWord ? words[base + source]! : 0;
        const low = source - 1 >= atWord ? words[base + source - 1]! : 0;
        words[base + word] = bitShift === 0 ? high : (high << bitShift) | (low >>> (32 - bitShift));
      }
      words[base + atWord] = words[base + atWord]! | kept;
    }
  }

  /** Takes out the rows `at` to `at + count - 1` of every line; the rows above move down. */
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

  /** Grows the lines for more rows. */
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

  copy(): BitLines {
    const copy = new BitLines(this.memory, this.lineCount, this.wordsPerLine);
    copy.words.set(this.words);
    return copy;
  }

  /** In the place of these, with one line more at `at`, with the rows of the line that is there now; none at the end. */
  withLine(at: number): BitLines {
    const { words, wordsPerLine } = this;
    const copy = new BitLines(this.memory, this.lineCount + 1, wordsPerLine);
    copy.words.set(words.subarray(0, (at + 1) * wordsPerLine));
    copy.words.set(words.subarray(at * wordsPerLine), (at + 1) * wordsPerLine);
    this.release();
    return copy;
  }

  /** In the place of these, without the line at `at`. */
  withoutLine(at: number): BitLines {
    const { words, wordsPerLine } = this;
    const copy = new BitLines(this.memory, this.lineCount - 1, wordsPerLine);
    copy.words.set(words.subarray(0, at * wordsPerLine));
    copy.words.set(words.subarray((at + 1) * wordsPerLine), at * wordsPerLine);
    this.release();
    return copy;
  }
}

/** The lowest `bits` bits set; none for 0 and below, all for 32 and above. */
export function lowMask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : (1 << bits) - 1;
}

/** How many bits of a 32-bit word are set. */
export function countBits(word: number): number {
  let pairs = word - ((word >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((pairs + (pairs >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The number of the lowest set bit; the word must not be 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** A line in which nothing is set, for lines of any length. */
export const NO_ROWS = new Int32Array(LINE_WORDS_MAX);
