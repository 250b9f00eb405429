/**
 * Searching the markets of one name: which properties match, and how many.
 */
import {
  keepEligible,
  keepNamed,
  keepOffered,
  reduceToProperties,
  selectVisible,
  type StayLines,
} from './block-search.ts';
import type { Market } from './market.ts';
import type { MarketHits } from './market-hits.ts';

export interface MarketQuery {
  /** Folded. */
  readonly cityName: string;
  readonly partnerId: string;
  readonly guests: number | undefined;
  readonly stay: StayLines | undefined;
  /** Whether a stay can be offered today in this timezone; called for dated searches only. */
  readonly isOffered: (timezone: string) => boolean;
  /** How many days the check-in is ahead of today in this timezone; called for dated searches only. */
  readonly daysAhead: (timezone: string) => number;
}

const SCRATCH_WORDS_MIN = 4096;

/** Scratch for the hits of one search at a time: searching is synchronous. Grows to the largest search. */
let scratch = new Int32Array(SCRATCH_WORDS_MIN);

/** Decides every property of the markets. The hits are valid until the next call. */
export function searchMarkets(markets: readonly Market[], query: MarketQuery): MarketHits[] {
  const words = scratchOf(markets.reduce((sum, market) => sum + wordsOf(market), 0));
  let offset = 0;
  return markets.map((market) => {
    const hits = searchMarket(market, query, words, offset);
    offset += wordsOf(market);
    return hits;
  });
}

function searchMarket(market: Market, query: MarketQuery, words: Int32Array, offset: number): MarketHits {
  const { blocks } = market;
  const isNameShared = market.nameCounts.get(query.cityName) === market.propertyCount;
  let position = offset;
  let count = 0;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    // Every row hosts one guest.
    selectVisible(block, query.guests ?? 1, query.partnerId, words, position);
    if (!isNameShared) keepNamed(block, query.cityName, words, position);
    if (query.stay !== undefined) {
      keepOffered(block, query.isOffered, words, position);
      keepEligible(block, query.stay, words, position, 0, block.lines.wordsPerLine);
      block.lines.advance.keepInAdvance(query.daysAhead, words, position, 0, block.lines.wordsPerLine);
    }
    count += reduceToProperties(block, words, position);
    position += block.lines.wordsPerLine;
  }
  return { market, count, words, offset };
}

/** Words that the hits of a market take. */
function wordsOf(market: Market): number {
  let words = 0;
  for (const block of market.blocks) words += block.lines.wordsPerLine;
  return words;
}

function scratchOf(words: number): Int32Array {
  if (words > scratch.length) scratch = new Int32Array(Math.max(words, scratch.length * 2));
  return scratch;
}
