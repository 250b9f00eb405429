/**
 * Searches markets for many stays at once: which properties can host any of them, and which of them each can host.
 *
 * One line of bits for each stay and block, decided as a search for this stay would. A large city and a long window are
 * megabytes, which last as long as the answer.
 */
import { countBits, isAnySet, LINE_WORDS_MAX, type RowRange } from './bit-lines.ts';
import { reduceToProperties } from './block-search.ts';
import type { Block } from './block.ts';
import {
  keepStay,
  type MarketHits,
  type MarketQuery,
  type OfferedStay,
  type SearchedMarket,
  selectorOf,
} from './market-search.ts';

export interface WindowQuery extends Omit<MarketQuery, 'stay'> {
  readonly stays: readonly OfferedStay[];
}

/**
 * Nothing is decided of blocks of which the partner sees nothing: the time of an answer must not tell a hidden city from
 * one that does not exist.
 */
export function searchWindow<M extends SearchedMarket>(
  markets: readonly M[],
  query: WindowQuery,
): WindowHits<M> {
  const hits = new WindowHits<M>(query.stays.length);
  const selected = new Int32Array(LINE_WORDS_MAX);
  for (const market of markets) {
    const select = selectorOf(market, query);
    hits.begin(market);
    for (const block of market.blocks) {
      const width = block.lines.wordsPerLine;
      const visible = { bits: selected, offset: 0, from: 0, until: width };
      select(block, visible);
      if (!isAnySet(visible)) {
        hits.passBlock(block);
        continue;
      }
      const { bits } = hits.addBlock(block);
      const base = bits.subarray(query.stays.length * width);
      base.set(selected.subarray(0, width));
      for (const [index, stay] of query.stays.entries()) {
        const rows = { bits, offset: index * width, from: 0, until: width };
        searchBlock(block, base, stay, rows);
      }
      hits.endBlock();
    }
  }
  return hits;
}

function searchBlock(block: Block, base: Int32Array, stay: OfferedStay, rows: RowRange): void {
  rows.bits.set(base, rows.offset);
  keepStay(block, stay, rows);
  reduceToProperties(block, rows);
}

/** Lines of a block: one for each stay, then the rows that were searched. */
interface BlockHits {
  readonly bits: Int32Array;
  readonly width: number;
}

export class WindowHits<M extends SearchedMarket = SearchedMarket> {
  /** The properties that can host any of the stays. */
  readonly any: readonly MarketHits<M>[];
  readonly #stayCount: number;
  readonly #markets: { market: M; count: number; words: Int32Array; offset: 0 }[] = [];
  readonly #blocks = new Map<Block, BlockHits>();
  #offset = 0;
  #last: { readonly block: Block; readonly hits: BlockHits } | undefined;

  constructor(stayCount: number) {
    this.#stayCount = stayCount;
    this.any = this.#markets;
  }

  begin(market: M): void {
    const words = market.blocks.reduce((sum, { lines }) => sum + lines.wordsPerLine, 0);
    this.#markets.push({ market, count: 0, words: new Int32Array(words), offset: 0 });
    this.#offset = 0;
  }

  addBlock(block: Block): BlockHits {
    const { wordsPerLine: width } = block.lines;
    const hits = { bits: new Int32Array((this.#stayCount + 1) * width), width };
    this.#blocks.set(block, hits);
    this.#last = { block, hits };
    return hits;
  }

  /** A block without a hit. */
  passBlock(block: Block): void {
    this.#offset += block.lines.wordsPerLine;
  }

  /** Joins the lines of the block that was added last. */
  endBlock(): void {
    const { block, hits } = this.#last!;
    const market = this.#markets.at(-1)!;
    const { bits, width } = hits;
    const rows = { bits: market.words, offset: this.#offset, from: 0, until: width };
    for (let word = 0; word < this.#stayCount * width; word++) {
      const at = this.#offset + (word % width);
      market.words[at] = market.words[at]! | bits[word]!;
    }
    market.count += reduceToProperties(block, rows);
    this.#offset += width;
  }

  /** How many of these hits, which are some or all of `any`, can host the stay of this index. */
  countOf(index: number, hits: readonly MarketHits[]): number {
    let count = 0;
    for (const { market, words, offset } of hits) {
      let at = offset;
      for (const block of market.blocks) {
        const width = block.lines.wordsPerLine;
        const bits = this.#blocks.get(block)?.bits;
        for (let word = 0; word < width && bits !== undefined; word++)
          count += countBits(bits[index * width + word]! & words[at + word]!);
        at += width;
      }
    }
    return count;
  }

  /** Indexes of the stays that the property can host, ascending. */
  staysOf(block: Block, slot: number): number[] {
    const { bits, width } = this.#hitsOf(block);
    const row = block.slots.firstRow(slot) + block.slots.rowCount(slot) - 1;
    const mask = 1 << (row & 31);
    const indexes: number[] = [];
    for (let index = 0, word = row >>> 5; index < this.#stayCount; index++, word += width)
      if ((bits[word]! & mask) !== 0) indexes.push(index);
    return indexes;
  }

  #hitsOf(block: Block): BlockHits {
    if (this.#last?.block !== block) this.#last = { block, hits: this.#blocks.get(block)! };
    return this.#last.hits;
  }
}
