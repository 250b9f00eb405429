/** Lines of the rows that can't host a stay, gathered over a block to be dropped in one pass. */
import { NO_ROWS } from './bit-lines.ts';

export class UnwantedLines {
  readonly #words: Int32Array[] = [];
  readonly #from: number[] = [];
  count = 0;

  /** Forgets them: none keeps memory of a catalogue that is gone. */
  clear(): void {
    this.#words.fill(NO_ROWS, 0, this.count);
    this.count = 0;
  }

  /** A line that begins with the word `from`. */
  add(words: Int32Array, from: number): void {
    this.#words[this.count] = words;
    this.#from[this.count] = from;
    this.count++;
  }

  /** Those that have the line of this number; no rows behind the last one. */
  words(index: number): Int32Array {
    return index < this.count ? this.#words[index]! : NO_ROWS;
  }

  from(index: number): number {
    return index < this.count ? this.#from[index]! : 0;
  }
}
