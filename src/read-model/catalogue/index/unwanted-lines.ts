/** Lines of rows that can't host a stay, gathered for a block and dropped in one pass. */
import { NO_ROWS } from './bit-lines.ts';

export class UnwantedLines {
  readonly #words: Int32Array[] = [];
  readonly #from: number[] = [];
  count = 0;

  /** Drops the lines, so that they keep no memory of a former catalogue. */
  clear(): void {
    this.#words.fill(NO_ROWS, 0, this.count);
    this.count = 0;
  }

  /** Adds a line that begins at the word `from`. */
  add(words: Int32Array, from: number): void {
    this.#words[this.count] = words;
    this.#from[this.count] = from;
    this.count++;
  }

  /** The words with line number `index`; empty after the last one. */
  words(index: number): Int32Array {
    return index < this.count ? this.#words[index]! : NO_ROWS;
  }

  from(index: number): number {
    return index < this.count ? this.#from[index]! : 0;
  }
}
