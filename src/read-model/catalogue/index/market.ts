/** A market: the properties of one city and country, as blocks in propertyId order, and its record in memory. */
import type { MarketName } from '../../../domain/found-markets.ts';
import type { Heap } from '../memory/heap.ts';
import type { Address, Memory } from '../memory/memory.ts';
import { RecordReader, RecordWriter } from '../memory/record.ts';

/** A market in its record for readers. */
export interface StoredMarket extends MarketName {
  readonly propertyCount: number;
  /** Properties that only some partners see. */
  readonly restrictedCount: number;
  /** Number of properties by folded city name. */
  readonly nameCounts: ReadonlyMap<string, number>;
  /** The same by `citySpellingKey`. */
  readonly spellingCounts: ReadonlyMap<string, number>;
  /** In propertyId order. */
  readonly blocks: readonly Address[];
}

export function storeMarket(heap: Heap, market: StoredMarket): Address {
  const record = new RecordWriter();
  for (const text of [market.key, market.country, market.city]) record.putText(text);
  record.put(market.propertyCount, market.restrictedCount, market.blocks.length);
  for (const address of market.blocks) record.put(address);
  for (const counts of [market.nameCounts, market.spellingCounts]) {
    record.put(counts.size);
    for (const [text, count] of counts) {
      record.putText(text);
      record.put(count);
    }
  }
  return record.store(heap);
}

export function readMarket(memory: Memory, address: Address): StoredMarket {
  const record = new RecordReader(memory, address);
  const [key, country, city] = [record.takeText(), record.takeText(), record.takeText()];
  const [propertyCount, restrictedCount] = [record.take(), record.take()];
  const blocks = Array.from({ length: record.take() }, () => record.take());
  const takeCounts = () =>
    new Map(Array.from({ length: record.take() }, () => [record.takeText(), record.take()] as const));
  const [nameCounts, spellingCounts] = [takeCounts(), takeCounts()];
  return { key, country, city, propertyCount, restrictedCount, blocks, nameCounts, spellingCounts };
}
