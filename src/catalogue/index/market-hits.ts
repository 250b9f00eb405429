/**
 * What a search found in one market: one bit per matching property, on its first row, block after block.
 *
 * Hits are numbered from 0 in propertyId order. A hit is found by its number, and its number by an id, without a walk
 * over those before it.
 */
import { countBits, lowestBit, lowMask } from './bit-lines.ts';
import type { Block, PropertySlot } from './block.ts';
import type { Market } from './market.ts';

export interface MarketHits {
  readonly market: Market;
  readonly count: number;
  /** Scratch space that the next search overwrites. */
  readonly words: Int32Array;
  /** Where the market's words start in it. */
  readonly offset: number;
}

/** A walk over the hits of a market in propertyId order. */
export class HitWalk {
  slot: PropertySlot | undefined;
  readonly #blocks: readonly Block[];
  readonly #words: Int32Array;
  #blockIndex = 0;
  #blockOffset: number;
  #word = 0;
  #bits: number;

  /** Stands on hit number `start`; `slot` is undefined when there are not so many. */
  constructor({ market, words, offset }: MarketHits, start: number) {
    this.#blocks = market.blocks;
    this.#words = words;
    this.#blockOffset = offset;
    this.#bits = this.#blocks.length === 0 ? 0 : words[offset]!;
    this.#pass(start);
    this.next();
  }

  /** Moves to the next hit; `slot` is undefined behind the last one. */
  next(): void {
    this.slot = undefined;
    for (let block = this.#currentBlock(); block !== undefined; block = this.#currentBlock()) {
      if (this.#bits === 0) {
        this.#nextWord(block);
        continue;
      }
      const bit = lowestBit(this.#bits);
      this.#bits &= this.#bits - 1;
      this.slot = block.slots[block.slotOfRow[this.#word * 32 + bit]!]!;
      return;
    }
  }

  /** Passes over `count` hits, whole words at a time. */
  #pass(count: number): void {
    let left = count;
    for (let block = this.#currentBlock(); block !== undefined; block = this.#currentBlock()) {
      const inWord = countBits(this.#bits);
      if (left < inWord) break;
      left -= inWord;
      this.#nextWord(block);
    }
    for (; left > 0; left--) this.#bits &= this.#bits - 1;
  }

  #currentBlock(): Block | undefined {
    return this.#blocks[this.#blockIndex];
  }

  #nextWord({ lines: { wordsPerLine } }: Block): void {
    this.#word++;
    if (this.#word === wordsPerLine) {
      this.#blockOffset += wordsPerLine;
      this.#blockIndex++;
      this.#word = 0;
    }
    this.#bits = this.#currentBlock() === undefined ? 0 : this.#words[this.#blockOffset + this.#word]!;
  }
}

/** The hits of a market by number, once they are counted block by block. */
export class NumberedHits {
  readonly #blocks: readonly Block[];
  readonly #market: Market;
  readonly #words: Int32Array;
  /** Where the words of each block start. */
  readonly #starts: Int32Array;
  /** Hits before each block; one place more, for those of all blocks. */
  readonly #before: Int32Array;

  constructor({ market, words, offset }: MarketHits) {
    this.#market = market;
    this.#blocks = market.blocks;
    this.#words = words;
    this.#starts = new Int32Array(this.#blocks.length);
    this.#before = new Int32Array(this.#blocks.length + 1);
    let start = offset;
    this.#blocks.forEach(({ lines: { wordsPerLine } }, index) => {
      this.#starts[index] = start;
      this.#before[index + 1] = this.#before[index]! + countWords(words, start, start + wordsPerLine);
      start += wordsPerLine;
    });
  }

  /** The id of hit number `hit`, which must be there. */
  idOf(hit: number): string {
    const index = lastAtMost(this.#before, this.#blocks.length, hit);
    const block = this.#blocks[index]!;
    const start = this.#starts[index]!;
    let left = hit - this.#before[index]!;
    let word = 0;
    for (let inWord = countBits(this.#words[start]!); left >= inWord;) {
      left -= inWord;
      inWord = countBits(this.#words[start + ++word]!);
    }
    let bits = this.#words[start + word]!;
    for (; left > 0; left--) bits &= bits - 1;
    return block.slots[block.slotOfRow[word * 32 + lowestBit(bits)]!]!.propertyId;
  }

  /** How many hits have an id below this one. */
  countBelow(propertyId: string): number {
    const index = this.#market.blockIndexOf(propertyId);
    const row = this.#blocks[index]!.rowOf(propertyId);
    const start = this.#starts[index]!;
    const word = row >>> 5;
    const whole = countWords(this.#words, start, start + word);
    const part = (row & 31) === 0 ? 0 : countBits(this.#words[start + word]! & lowMask(row & 31));
    return this.#before[index]! + whole + part;
  }
}

function countWords(words: Int32Array, from: number, until: number): number {
  let count = 0;
  for (let word = from; word < until; word++) count += countBits(words[word]!);
  return count;
}

/** Index of the last of `length` ascending sums that is at most `value`; of equal ones the last. */
function lastAtMost(sums: Int32Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
