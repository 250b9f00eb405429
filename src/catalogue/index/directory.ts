/**
 * One version of the catalogue: the ways to everything in it, and how much there is. Its record is the root that
 * readers get. Blocks and markets have numbers that stay, so that a change moves one entry and not all that lead to it.
 */
import type { Heap } from '../memory/heap.ts';
import { HashPages, hashNumber } from '../memory/hash-pages.ts';
import { type Address, type Memory, NOWHERE } from '../memory/memory.ts';
import { RecordReader, RecordWriter } from '../memory/record.ts';

export interface CatalogueSize {
  readonly properties: number;
  readonly inventoryTypes: number;
  readonly markets: number;
}

export class Directory {
  /** Numbers of blocks, by the hash of a property's id. */
  readonly properties: HashPages;
  /** Numbers of markets, by the hash of a folded city name. */
  readonly names: HashPages;
  /** Addresses, by the number of a block. */
  readonly blocks: HashPages;
  /** Addresses, by the number of a market. */
  readonly markets: HashPages;
  inventoryTypes: number;

  /** What was stored at the address; an empty one where there is none. */
  constructor(memory: Memory, address?: Address) {
    const record = address === undefined ? undefined : new RecordReader(memory, address);
    const open = (): HashPages => HashPages.open(memory, record?.take());
    this.properties = open();
    this.names = open();
    this.blocks = open();
    this.markets = open();
    this.inventoryTypes = record?.take() ?? 0;
  }

  get size(): CatalogueSize {
    const { inventoryTypes } = this;
    return { properties: this.properties.entryCount, inventoryTypes, markets: this.markets.entryCount };
  }

  store(heap: Heap): Address {
    const record = new RecordWriter();
    record.put(this.properties.address, this.names.address, this.blocks.address, this.markets.address);
    record.put(this.inventoryTypes);
    return record.store(heap);
  }
}

/** Puts an address in the place of the one that a number has; NOWHERE as the new one takes the number out. */
export function moveEntry(pages: HashPages, number: number, before: Address, now: Address): void {
  if (before !== NOWHERE) pages.remove(hashNumber(number), before);
  if (now !== NOWHERE) pages.add(hashNumber(number), now);
}
