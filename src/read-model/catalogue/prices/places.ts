/** The writer's places for properties: markets and their blocks, in its own data and in memory. */
import type { MarketName } from '../../../domain/found-markets.ts';
import { Block, type BlockShape } from '../index/block.ts';
import type { Directory } from '../index/directory.ts';
import { readMarket } from '../index/market.ts';
import { numberOfHash } from '../memory/hash-pages.ts';
import type { Address } from '../memory/memory.ts';

/** A block of a market, in the order of their first ids. */
export interface Place {
  readonly number: number;
  readonly market: Market;
  /** NOWHERE before it was written. */
  address: Address;
  firstId: string;
}

export interface Market extends MarketName {
  readonly number: number;
  address: Address;
  readonly places: Place[];
  propertyCount: number;
  restrictedCount: number;
  readonly nameCounts: Map<string, number>;
  readonly spellingCounts: Map<string, number>;
}

export interface Places {
  readonly markets: Map<string, Market>;
  readonly places: Map<number, Place>;
  /** The largest number of a market or block. */
  readonly lastNumber: number;
}

export function readPlaces(shape: BlockShape, directory: Directory): Places {
  const markets = new Map<string, Market>();
  const places = new Map<number, Place>();
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
      places: [],
      nameCounts: new Map(nameCounts),
      spellingCounts: new Map(spellingCounts),
    };
    for (const block of blocks) {
      const place = { number: numbers.get(block)!, market, address: block, firstId: firstIdOf(shape, block) };
      market.places.push(place);
      places.set(place.number, place);
      lastNumber = Math.max(lastNumber, number, place.number);
    }
    markets.set(market.key, market);
  }
  return { markets, places, lastNumber };
}

function firstIdOf(shape: BlockShape, address: Address): string {
  return Block.open(shape, address).slots.id(0);
}
