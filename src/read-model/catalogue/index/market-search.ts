/** Searches the markets of one name, and counts their matches. */
import type { Party } from '../../../domain/child-ages.ts';
import {
  keepEligible,
  keepNamed,
  keepOffered,
  reduceToProperties,
  selectVisible,
  type StayLines,
} from './block-search.ts';
import { countLow } from './bisect.ts';
import { countBits, isAnySet, LINE_WORDS_MAX, lowestBit, lowMask, type RowRange } from './bit-lines.ts';
import type { Block } from './block.ts';

/** One version of a market: its blocks in propertyId order, as published. */
export interface SearchedMarket {
  readonly blocks: readonly Block[];
  readonly propertyCount: number;
  /** Number of properties by folded city name. */
  readonly nameCounts: ReadonlyMap<string, number>;
}

export interface MarketQuery {
  /** Folded. */
  readonly cityName: string;
  readonly partnerId: string;
  readonly guests: number | undefined;
  /** Ages of children among them; only with guests. */
  readonly childAges?: Party['childAges'];
  /** Absent: a search without dates. */
  readonly stay: OfferedStay | undefined;
}

/** A stay as each timezone sees it today. */
export interface OfferedStay {
  readonly lines: StayLines;
  /** Whether it can be offered today. */
  readonly isOffered: (timezone: string) => boolean;
  /** Days from today to check-in. */
  readonly daysAhead: (timezone: string) => number;
}

const SCRATCH_WORDS_MIN = 4096;

/** Scratch space for the hits of one search: searching is synchronous. Grows to the largest search. */
let scratch = new Int32Array(SCRATCH_WORDS_MIN);

/** Decides every property of the markets. The hits are valid until the next call. */
export function searchMarkets<M extends SearchedMarket>(
  markets: readonly M[],
  query: MarketQuery,
): MarketHits<M>[] {
  const words = scratchOf(markets.reduce((sum, market) => sum + wordsOf(market), 0));
  let offset = 0;
  return markets.map((market) => {
    const hits = searchMarket(market, query, words, offset);
    offset += wordsOf(market);
    return hits;
  });
}

function searchMarket<M extends SearchedMarket>(
  market: M,
  query: MarketQuery,
  words: Int32Array,
  offset: number,
): MarketHits<M> {
  const { blocks } = market;
  const select = selectorOf(market, query);
  let position = offset;
  let count = 0;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    // Every row hosts one guest.
    const { wordsPerLine } = block.lines;
    const rows = { bits: words, offset: position, from: 0, until: wordsPerLine };
    select(block, rows);
    // Nothing is decided of hidden rows: the time of an answer would tell that they are there.
    if (isAnySet(rows)) {
      if (query.stay !== undefined) keepStay(block, query.stay, rows);
      count += reduceToProperties(block, rows);
    }
    position += wordsPerLine;
  }
  return { market, count, words, offset };
}

/** Starts with the rows of a block that the partner sees under the city's name, for so many guests. */
export function selectorOf(
  { nameCounts, propertyCount }: SearchedMarket,
  { cityName, partnerId, guests = 1, childAges }: Omit<MarketQuery, 'stay'>,
): (block: Block, rows: RowRange) => void {
  const isNameShared = nameCounts.get(cityName) === propertyCount;
  return (block, rows) => {
    selectVisible(block, { guests, childAges }, partnerId, rows);
    if (!isNameShared) keepNamed(block, cityName, rows);
  };
}

/** Markets as a partner sees them. */
export interface VisibleSize {
  readonly blocks: number;
  readonly properties: number;
  /** Types of a property, in the mean of its block; the highest of all. */
  readonly typesPerProperty: number;
}

export function visibleSizeOf(
  markets: readonly SearchedMarket[],
  query: Omit<MarketQuery, 'stay'>,
): VisibleSize {
  let [blocks, properties, typesPerProperty] = [0, 0, 1];
  const bits = new Int32Array(LINE_WORDS_MAX);
  for (const market of markets) {
    const select = selectorOf(market, query);
    for (const block of market.blocks) {
      const rows = { bits, offset: 0, from: 0, until: block.lines.wordsPerLine };
      select(block, rows);
      if (!isAnySet(rows)) continue;
      blocks += 1;
      properties += reduceToProperties(block, rows);
      typesPerProperty = Math.max(typesPerProperty, block.rowCount / block.slots.count);
    }
  }
  return { blocks, properties, typesPerProperty };
}

/** The timezones of the properties that a partner sees. */
export function timezonesOf(
  markets: readonly SearchedMarket[],
  query: Omit<MarketQuery, 'stay'>,
): ReadonlySet<string> {
  const timezones = new Set<string>();
  const bits = new Int32Array(LINE_WORDS_MAX);
  for (const market of markets) {
    const select = selectorOf(market, query);
    for (const block of market.blocks) {
      const until = block.lines.wordsPerLine;
      select(block, { bits, offset: 0, from: 0, until });
      for (const [timezone, { words }] of block.lines.timezones)
        if (words.some((word, index) => (word & bits[index]!) !== 0)) timezones.add(timezone);
    }
  }
  return timezones;
}

/** Keeps the rows that can host the stay. */
export function keepStay(block: Block, { lines, isOffered, daysAhead }: OfferedStay, rows: RowRange): void {
  keepOffered(block, isOffered, rows);
  keepEligible(block, lines, daysAhead, rows);
}

function wordsOf(market: SearchedMarket): number {
  let words = 0;
  for (const block of market.blocks) words += block.lines.wordsPerLine;
  return words;
}

function scratchOf(words: number): Int32Array {
  if (words > scratch.length) scratch = new Int32Array(Math.max(words, scratch.length * 2));
  return scratch;
}

// The hits of a search in one market: one bit per matching property, on its first row, block after block.
//
// Hits are numbered from 0 in propertyId order. A hit is found by its number, and its number by an id, without a walk
// over those before it.

export interface MarketHits<M extends SearchedMarket = SearchedMarket> {
  readonly market: M;
  readonly count: number;
  /** Scratch space; the next search overwrites it. */
  readonly words: Int32Array;
  /** Start of the market's words in it. */
  readonly offset: number;
}

/** A walk over the hits of a market in propertyId order. */
export class HitWalk {
  /** The block of the current hit; undefined after the last one. */
  block: Block | undefined;
  slot = 0;
  #hitBit = 0;
  readonly #blocks: readonly Block[];
  readonly #words: Int32Array;
  #blockIndex = 0;
  #blockOffset: number;
  #word = 0;
  #bits: number;

  /** Starts at hit number `start`; `block` is undefined when there are fewer. */
  constructor({ market, words, offset }: MarketHits, start: number) {
    this.#blocks = market.blocks;
    this.#words = words;
    this.#blockOffset = offset;
    this.#bits = this.#blocks.length === 0 ? 0 : words[offset]!;
    this.#pass(start);
    this.next();
  }

  /** The id of the current hit. */
  get propertyId(): string {
    return this.block!.slots.id(this.slot);
  }

  /** Moves to the next hit. */
  next(): void {
    this.block = undefined;
    for (let block = this.#currentBlock(); block !== undefined; block = this.#currentBlock()) {
      if (this.#bits === 0) {
        this.#nextWord(block);
        continue;
      }
      const bit = lowestBit(this.#bits);
      this.#bits &= this.#bits - 1;
      this.#hitBit = bit;
      this.block = block;
      this.slot = block.slots.ofRow(this.#word * 32 + bit);
      return;
    }
  }

  /** Takes the current hit out of the words; the walk goes on as before. */
  drop(): void {
    const word = this.#blockOffset + this.#word;
    this.#words[word] = this.#words[word]! & ~(1 << this.#hitBit);
  }

  /** Skips `count` hits, whole words at a time. */
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

/** Hits in memory of their own: some may be dropped. */
export interface OwnHits extends MarketHits {
  count: number;
}

/** Copies the hits, so that the next search does not overwrite them. */
export function ownHits(found: readonly MarketHits[]): OwnHits[] {
  return found.map(({ market, count, words, offset }) => {
    return { market, count, words: words.slice(offset, offset + wordsOf(market)), offset: 0 };
  });
}

/** A walk over the hits of several markets that answer to one name, merged by propertyId. */
export class MergedWalk {
  /** Undefined after the last hit. */
  block: Block | undefined;
  slot = 0;
  readonly #walks: readonly HitWalk[];
  readonly #only: HitWalk | undefined;
  #current: HitWalk | undefined;

  /** Starts after `skipped` hits of all markets. */
  constructor(found: readonly MarketHits[], skipped: number) {
    const isBehind = skipped >= found.reduce((sum, { count }) => sum + count, 0);
    const starts = isBehind ? [] : findPageStart(found, skipped);
    this.#walks = isBehind ? [] : found.map((hits, index) => new HitWalk(hits, starts[index]!));
    this.#only = this.#walks.length === 1 ? this.#walks[0] : undefined;
    this.#stand();
  }

  next(): void {
    this.#current?.next();
    this.#stand();
  }

  #stand(): void {
    this.#current = this.#only ?? lowest(this.#walks);
    this.block = this.#current?.block;
    this.slot = this.#current?.slot ?? 0;
  }
}

/** The walk with the lowest propertyId; undefined when all have ended. */
function lowest(walks: readonly HitWalk[]): HitWalk | undefined {
  let best: HitWalk | undefined;
  for (const walk of walks) {
    if (walk.block === undefined) continue;
    if (best === undefined || walk.propertyId < best.propertyId) best = walk;
  }
  return best;
}

/** The hits of a market by number, after counting them block by block. */
class NumberedHits {
  readonly #blocks: readonly Block[];
  readonly #words: Int32Array;
  /** Start of each block's words. */
  readonly #starts: Int32Array;
  /** Hits before each block; the last place has all hits. */
  readonly #before: Int32Array;

  constructor({ market, words, offset }: MarketHits) {
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

  /** The id of hit number `hit`, which must exist. */
  idOf(hit: number): string {
    const index = countLow(this.#blocks.length, (block) => this.#before[block]! <= hit) - 1;
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
    return block.slots.id(block.slots.ofRow(word * 32 + lowestBit(bits)));
  }

  countBelow(propertyId: string): number {
    // The last block that starts at or before the id; the first one when none does.
    const isLow = (block: number): boolean => this.#blocks[block]!.slots.id(0) <= propertyId;
    const index = Math.max(1, countLow(this.#blocks.length, isLow)) - 1;
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

// Where a page starts when several markets answer to one name and their hits are merged by propertyId.
//
// Walking there costs a comparison per market and passed property: a far page of many towns held the event loop for a
// quarter of a second. Here the start is found as a selection finds the n-th of several sorted lists: an id is chosen,
// all markets count their hits below it, and what cannot be the start falls away on one side.

/** Ids sampled for the next cut: more make a better cut and cost more. */
const SAMPLES_MAX = 32;

/** The hits of one market that may contain the start: numbers `low` to `high` (excluded). */
interface Span {
  readonly numbered: NumberedHits;
  low: number;
  high: number;
  /** Hits below the id of the cut. */
  cut: number;
}

/**
 * For each market, the number of its first hit at or after merged hit number `skipped`, which must be below the sum of
 * all counts.
 */
export function findPageStart(found: readonly MarketHits[], skipped: number): number[] {
  if (skipped === 0) return found.map(() => 0);
  if (found.length === 1) return [skipped];
  const spans = found.map((hits): Span => ({
    numbered: new NumberedHits(hits),
    low: 0,
    high: hits.count,
    cut: 0,
  }));
  let open = spans.filter(({ high }) => high > 0);
  let openCount = found.reduce((sum, { count }) => sum + count, 0);
  let left = skipped;
  while (left > 0) {
    const below = cutAt(open, chooseCut(open, openCount, left));
    if (below <= left) {
      // The cut itself is passed with the next one, or is the start.
      for (const span of open) span.low = span.cut;
      left -= below;
      openCount -= below;
    } else {
      for (const span of open) span.high = span.cut;
      openCount = below;
    }
    open = open.filter(({ low, high }) => low < high);
  }
  return spans.map(({ low }) => low);
}

/** Counts in each market the hits below the id; returns the number of open ones. */
function cutAt(open: readonly Span[], propertyId: string): number {
  let below = 0;
  for (const span of open) {
    span.cut = Math.min(Math.max(span.numbered.countBelow(propertyId), span.low), span.high);
    below += span.cut - span.low;
  }
  return below;
}

/** Chooses an id that splits the open hits near the start. It is never the lowest, so that either side drops some. */
function chooseCut(open: readonly Span[], openCount: number, left: number): string {
  const sampleCount = Math.min(SAMPLES_MAX, openCount);
  const ids: string[] = [];
  let before = 0;
  for (const { numbered, low, high } of open) {
    const until = before + high - low;
    for (;;) {
      const place = Math.floor((ids.length * openCount) / sampleCount);
      if (ids.length === sampleCount || place >= until) break;
      ids.push(numbered.idOf(low + place - before));
    }
    before = until;
  }
  ids.sort((a, b) => (a < b ? -1 : 1));
  return ids[Math.max(1, Math.floor((left / openCount) * sampleCount))]!;
}
