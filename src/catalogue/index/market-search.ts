/**
 * Searching one market: which properties match, how many, and which of them stand on a page.
 */
import { countBits, lowestBit } from './bit-lines.ts';
import type { Block } from './block.ts';
import type { PropertySlot } from '../property/property-slot.ts';
import {
  keepEligible,
  keepNamed,
  keepOffered,
  reduceToProperties,
  selectVisible,
  type StayLines,
} from './block-search.ts';
import type { Market } from './market.ts';

export interface MarketQuery {
  /** Folded. */
  readonly cityName: string;
  readonly partnerId: string;
  readonly guests: number | undefined;
  readonly stay: StayLines | undefined;
  /** Whether a stay can be offered today in this timezone; asked for dated searches only. */
  readonly isOffered: (timezone: string) => boolean;
}

/** The matching properties of one market, one bit each, in scratch space that the next search overwrites. */
export interface MarketHits {
  readonly market: Market;
  readonly count: number;
  /** Where the market's words start in `hitWords`. */
  readonly offset: number;
}

const SCRATCH_WORDS_MIN = 4096;

/** Scratch for the hits of one search at a time: searching is synchronous. Grows to the largest market. */
let hitWords = new Int32Array(SCRATCH_WORDS_MIN);

/** Decides every property of the market; `offset` is the first free word of the scratch space. */
export function searchMarket(market: Market, query: MarketQuery, offset: number): MarketHits {
  const { blocks } = market;
  reserve(offset + wordsOf(market));
  const isNameShared = market.nameCounts.get(query.cityName) === market.propertyCount;
  let position = offset;
  let count = 0;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    // Every row hosts one guest.
    selectVisible(block, query.guests ?? 1, query.partnerId, hitWords, position);
    if (!isNameShared) keepNamed(block, query.cityName, hitWords, position);
    if (query.stay !== undefined) {
      keepOffered(block, query.isOffered, hitWords, position);
      keepEligible(block, query.stay, hitWords, position, 0, block.lines.wordsPerLine);
    }
    count += reduceToProperties(block, hitWords, position);
    position += block.lines.wordsPerLine;
  }
  return { market, count, offset };
}

/** Words that the hits of a market take. */
export function wordsOf(market: Market): number {
  let words = 0;
  for (const block of market.blocks) words += block.lines.wordsPerLine;
  return words;
}

/** A walk over the hits of a market in propertyId order. */
export class HitWalk {
  block: Block | undefined;
  slot: PropertySlot | undefined;
  readonly #blocks: readonly Block[];
  #blockIndex = 0;
  #blockOffset: number;
  #word = 0;
  #bits: number;

  constructor(hits: MarketHits) {
    this.#blocks = hits.market.blocks;
    this.#blockOffset = hits.offset;
    this.#bits = this.#blocks.length === 0 ? 0 : hitWords[hits.offset]!;
    this.next();
  }

  /** Moves to the next hit; `slot` is undefined behind the last one. */
  next(): void {
    this.block = undefined;
    this.slot = undefined;
    for (let block = this.#blocks[this.#blockIndex]; block !== undefined; block = this.#nextBlock(block)) {
      while (this.#bits === 0 && ++this.#word < block.lines.wordsPerLine)
        this.#bits = hitWords[this.#blockOffset + this.#word]!;
      if (this.#bits === 0) continue;
      const bit = lowestBit(this.#bits);
      this.#bits &= this.#bits - 1;
      this.block = block;
      this.slot = block.slots[block.slotOfRow[this.#word * 32 + bit]!]!;
      return;
    }
  }

  /** Passes over `count` hits, whole words at a time. */
  skip(count: number): void {
    let left = count;
    // The hit that the walk stands on is taken already.
    while (left > 0 && this.slot !== undefined) {
      const inWord = countBits(this.#bits);
      if (left > inWord) {
        left -= inWord;
        this.#bits = 0;
      }
      this.next();
      left--;
    }
  }

  #nextBlock(block: Block): Block | undefined {
    this.#blockOffset += block.lines.wordsPerLine;
    this.#blockIndex++;
    this.#word = 0;
    const next = this.#blocks[this.#blockIndex];
    this.#bits = next === undefined ? 0 : hitWords[this.#blockOffset]!;
    return next;
  }
}

function reserve(words: number): void {
  if (words <= hitWords.length) return;
  const grown = new Int32Array(Math.max(words, hitWords.length * 2));
  grown.set(hitWords);
  hitWords = grown;
}
