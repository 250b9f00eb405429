/**
 * One version of the catalogue: directories of everything in it, and its counts. Its record is the root for readers.
 * Blocks and markets have permanent numbers, so that a change replaces one entry.
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
  /** Block numbers, by the hash of a property's id. */
  readonly properties: HashPages;
  /** Market numbers, by the hash of a folded city name. */
  readonly names: HashPages;
  /** Block addresses, by block number. */
  readonly blocks: HashPages;
  /** Market addresses, by market number. */
  readonly markets: HashPages;
  inventoryTypes: number;
  /** Addresses of pages of words (`cities/word-pages.ts`), in the order of their words. */
  wordPages: readonly Address[];

  /** Opens a directory, or makes an empty one. */
  constructor(memory: Memory, address?: Address) {
    const record = address === undefined ? undefined : new RecordReader(memory, address);
    const open = (): HashPages => HashPages.open(memory, record?.take());
    this.properties = open();
    this.names = open();
    this.blocks = open();
    this.markets = open();
    this.inventoryTypes = record?.take() ?? 0;
    this.wordPages = Array.from({ length: record?.take() ?? 0 }, () => record!.takeAddress());
  }

  get size(): CatalogueSize {
    const { inventoryTypes } = this;
    return { properties: this.properties.entryCount, inventoryTypes, markets: this.markets.entryCount };
  }

  store(heap: Heap): Address {
    const record = new RecordWriter();
    record.put(this.properties.address, this.names.address, this.blocks.address, this.markets.address);
    record.put(this.inventoryTypes, this.wordPages.length, ...this.wordPages);
    return record.store(heap);
  }
}

/** Replaces the address of a number; NOWHERE removes it. */
export function moveEntry(pages: HashPages, number: number, before: Address, now: Address): void {
  if (before !== NOWHERE) pages.remove(hashNumber(number), before);
  if (now !== NOWHERE) pages.add(hashNumber(number), now);
}
