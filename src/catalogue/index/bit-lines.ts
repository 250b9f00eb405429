/**
 * Lines of bits, one bit per row of a block: the only storage shape of the night index.
 *
 * A line is `wordsPerLine` 32-bit words; line `n` starts at word `n * wordsPerLine`. A block keeps, say, one line per
 * night for "open", and rows come and go in the middle, so every line can shift its bits.
 */
/** Words of the longest line; 2,048 rows. Longer lines search a little faster and take longer to shift and split. */
export const LINE_WORDS_MAX = 64;

export class BitLines {
  words: Int32Array;
  readonly lineCount: number;
  wordsPerLine: number;

  constructor(lineCount: number, wordsPerLine: number) {
    this.lineCount = lineCount;
    this.wordsPerLine = wordsPerLine;
    this.words = allocateWords(lineCount * wordsPerLine);
  }

  set(line: number, row: number): void {
    const word = line * this.wordsPerLine + (row >>> 5);
    this.words[word] = this.words[word]! | (1 << (row & 31));
  }

  /** Sets a row in `count` lines, every `lineStep`-th from `line` on; behind the last lines come the first. */
  setRun(line: number, count: number, row: number, lineStep = 1): void {
    const { words, wordsPerLine } = this;
    const mask = 1 << (row & 31);
    let word = line * wordsPerLine + (row >>> 5);
    for (let left = count; left > 0; left--) {
      if (word >= words.length) word -= words.length;
      words[word] = words[word]! | mask;
      word += lineStep * wordsPerLine;
    }
  }

  /** The opposite of `setRun`. */
  unsetRun(line: number, count: number, row: number): void {
    const { words, wordsPerLine } = this;
    const mask = ~(1 << (row & 31));
    let word = line * wordsPerLine + (row >>> 5);
    for (let left = count; left > 0; left--) {
      if (word >= words.length) word -= words.length;
      words[word] = words[word]! & mask;
      word += wordsPerLine;
    }
  }

  clearLine(line: number): void {
    this.words.fill(0, line * this.wordsPerLine, (line + 1) * this.wordsPerLine);
  }

  /** Clears the rows `at` to `at + count - 1` of every line. */
  clearRows(at: number, count: number): void {
    const { words, wordsPerLine } = this;
    const first = at >>> 5;
    const last = (at + count - 1) >>> 5;
    for (let offset = first; offset <= last; offset++) {
      const keep = lowMask(at - offset * 32) | ~lowMask(at + count - offset * 32);
      for (let word = offset; word < words.length; word += wordsPerLine) words[word] = words[word]! & keep;
    }
  }

  /** Opens `count` empty rows at `at` in every line; the rows there move up. The top rows must be empty. */
  insertRows(at: number, count: number): void {
    const { words, wordsPerLine } = this;
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
    const { words, wordsPerLine } = this;
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
    const wider = allocateWords(this.lineCount * wordsPerLine);
    // Word by word: a line is short, and a view per line would cost more than the copy.
    for (let from = 0, to = 0; from < words.length; from += narrow, to += wordsPerLine) {
      for (let word = 0; word < narrow; word++) wider[to + word] = words[from + word]!;
    }
    this.words = wider;
    this.wordsPerLine = wordsPerLine;
  }

  copy(): BitLines {
    const copy = new BitLines(this.lineCount, this.wordsPerLine);
    copy.words.set(this.words);
    return copy;
  }

  /** A copy with one line more at `at`, with the rows of the line that is there now; none at the end. */
  withLine(at: number): BitLines {
    const { words, wordsPerLine } = this;
    const copy = new BitLines(this.lineCount + 1, wordsPerLine);
    copy.words.set(words.subarray(0, (at + 1) * wordsPerLine));
    copy.words.set(words.subarray(at * wordsPerLine), (at + 1) * wordsPerLine);
    return copy;
  }

  /** A copy without the line at `at`. */
  withoutLine(at: number): BitLines {
    const { words, wordsPerLine } = this;
    const copy = new BitLines(this.lineCount - 1, wordsPerLine);
    copy.words.set(words.subarray(0, at * wordsPerLine));
    copy.words.set(words.subarray((at + 1) * wordsPerLine), at * wordsPerLine);
    return copy;
  }
}

/**
 * Words that are all 0. Shared memory, although nobody shares it: for every 64 MB of other buffers V8 marks the whole
 * heap again, which took half of the time that a large catalogue took to load.
 */
function allocateWords(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
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
