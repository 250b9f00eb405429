/**
 * Counters by two whole numbers, in memory of fixed size: counting allocates nothing. Keys stay until `clear`, so that
 * there are never more than `rowsMax` kinds of rows; keys without room share one row, and sums stay exact.
 */
export class CountTable {
  /** Counters of row `r` begin at `r * width`. */
  readonly counts: Int32Array;
  readonly #width: number;
  readonly #rowsMax: number;
  readonly #firsts: Int32Array;
  readonly #seconds: Int32Array;
  /** Row plus one; 0 is free. A power of two, at least twice the rows, so that a free slot is near. */
  readonly #slots: Int32Array;
  #rowCount = 0;

  constructor({ rowsMax, width }: { readonly rowsMax: number; readonly width: number }) {
    this.#width = width;
    this.#rowsMax = rowsMax;
    this.counts = new Int32Array((rowsMax + 1) * width);
    this.#firsts = new Int32Array(rowsMax);
    this.#seconds = new Int32Array(rowsMax);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(rowsMax * 2)));
  }

  /** The row of all keys without room. */
  get otherRow(): number {
    return this.#rowsMax;
  }

  get bytes(): number {
    const { counts } = this;
    return counts.byteLength + this.#firsts.byteLength + this.#seconds.byteLength + this.#slots.byteLength;
  }

  /** The row of a key; a new one while there is room. */
  rowOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = mix(first, second) & mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      if (this.#firsts[row] === first && this.#seconds[row] === second) return row;
      slot = (slot + 1) & mask;
    }
    if (this.#rowCount === this.#rowsMax) return this.otherRow;
    const row = this.#rowCount++;
    this.#firsts[row] = first;
    this.#seconds[row] = second;
    this.#slots[slot] = row + 1;
    return row;
  }

  /** Passes each row with new counts to `take`, then zeroes it. The shared row has -1 for both numbers. */
  drain(take: (first: number, second: number, counts: Int32Array) => void): void {
    for (let row = 0; row < this.#rowCount; row += 1)
      this.#drainRow(row, this.#firsts[row]!, this.#seconds[row]!, take);
    this.#drainRow(this.otherRow, -1, -1, take);
  }

  /** Drops every key; drain first. */
  clear(): void {
    this.#slots.fill(0);
    this.#rowCount = 0;
  }

  #drainRow(row: number, first: number, second: number, take: Parameters<CountTable['drain']>[0]): void {
    const start = row * this.#width;
    const end = start + this.#width;
    let index = start;
    while (index < end && this.counts[index] === 0) index += 1;
    if (index === end) return;
    const counts = this.counts.subarray(start, end);
    take(first, second, counts);
    counts.fill(0);
  }
}

/** Spreads neighbouring keys over distant slots. */
function mix(first: number, second: number): number {
  const mixed = Math.imul(first ^ Math.imul(second, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** Numbers texts from 0 on, while there is room. */
export class Numbers {
  readonly #max: number;
  readonly #numbers = new Map<string, number>();
  readonly texts: string[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** -1 without room for another text. */
  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    if (this.texts.length === this.#max) return -1;
    const number = this.texts.length;
    this.#numbers.set(text, number);
    this.texts.push(text);
    return number;
  }

  clear(): void {
    this.#numbers.clear();
    this.texts.length = 0;
  }
}
