/** The writer's markets and their blocks, in its own data and in memory. */
import type { MarketName } from '../../../domain/found-markets.ts';
import { Block, type BlockShape } from './block.ts';
import type { Directory } from './directory.ts';
import { readMarket } from './market.ts';
import { numberOfHash } from '../memory/hash-pages.ts';
import type { Address } from '../memory/memory.ts';

/** A block of a market, in the order of their first ids. */
export interface BlockRef {
  readonly number: number;
  readonly market: Market;
  /** NOWHERE before it was written. */
  address: Address;
  firstId: string;
}

export interface Market extends MarketName {
  readonly number: number;
  address: Address;
  readonly refs: BlockRef[];
  propertyCount: number;
  restrictedCount: number;
  readonly nameCounts: Map<string, number>;
  readonly spellingCounts: Map<string, number>;
}

export interface WriterBlocks {
  readonly markets: Map<string, Market>;
  readonly refs: Map<number, BlockRef>;
  /** The largest number of a market or block. */
  readonly lastNumber: number;
}

export function readWriterBlocks(shape: BlockShape, directory: Directory): WriterBlocks {
  const markets = new Map<string, Market>();
  const refs = new Map<number, BlockRef>();
  const numbers = new Map<Address, number>();
  let lastNumber = 0;
  for (const [hash, address] of directory.blocks.entries()) numbers.set(address, numberOfHash(hash));
  for (const [hash, address] of directory.markets.entries()) {
    const number = numberOfHash(hash);
    const { blocks, nameCounts, spellingCounts, ...about } = readMarket(shape.memory, address);
    const market: Market = {
      ...about,
      number,
      address,
      refs: [],
      nameCounts: new Map(nameCounts),
      spellingCounts: new Map(spellingCounts),
    };
    for (const block of blocks) {
      const ref = { number: numbers.get(block)!, market, address: block, firstId: firstIdOf(shape, block) };
      market.refs.push(ref);
      refs.set(ref.number, ref);
      lastNumber = Math.max(lastNumber, number, ref.number);
    }
    markets.set(market.key, market);
  }
  return { markets, refs, lastNumber };
}

function firstIdOf(shape: BlockShape, address: Address): string {
  return Block.open(shape, address).slots.id(0);
}
