/**
 * A market: the properties of one city and country, as blocks in propertyId order.
 */
import type { FollowedProperty } from '../../storage/catalogue/store.ts';
import { BLOCK_ROWS_MAX, BlockLines } from './block-lines.ts';
import { Block, makeSlot, type PropertySlot, type SharedTexts } from './block.ts';
import type { NightRing } from './night-ring.ts';
import { writeBits } from './property-bits.ts';

/** Told when the first property of a market answers to a folded city name, and when the last one ceased to. */
export interface NameListener {
  readonly gained: (name: string, market: Market) => void;
  readonly lost: (name: string, market: Market) => void;
}

/** A market as it is told of elsewhere. */
export interface MarketName {
  /** Country and folded city: no other market has the same. */
  readonly key: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** As a property of it writes the city in the default locale. */
  readonly city: string;
}

export class Market {
  readonly key: string;
  readonly country: string;
  /** As its first property wrote it. */
  readonly city: string;
  readonly blocks: Block[] = [];
  propertyCount = 0;
  /** How many of the properties answer to each folded city name. */
  readonly nameCounts = new Map<string, number>();
  readonly #ring: NightRing;
  readonly #onName: NameListener;

  constructor(name: MarketName, ring: NightRing, onName: NameListener) {
    this.key = name.key;
    this.country = name.country;
    this.city = name.city;
    this.#ring = ring;
    this.#onName = onName;
  }

  /** Adds the property, or replaces `held`, the version that is here; returns the new slot. */
  put(
    followed: FollowedProperty,
    texts: SharedTexts,
    today: number,
    held: PropertySlot | undefined,
  ): PropertySlot {
    const { propertyId, inventoryTypes } = followed.property;
    if (inventoryTypes.length > BLOCK_ROWS_MAX)
      throw new RangeError(`${propertyId} has too many inventory types`);
    if (held !== undefined && held.rowCount === inventoryTypes.length) {
      return this.#replace(held, followed, texts, today);
    }
    if (held !== undefined) this.remove(propertyId);
    const block = this.#blockWithRoom(propertyId, inventoryTypes.length);
    const slot = makeSlot(block, followed, texts, today);
    block.insertSlot(slot);
    this.propertyCount++;
    this.#countNames(slot.cityNames, 1);
    writeBits(block.lines, slot, followed, this.#ring);
    return slot;
  }

  /** Takes a property out, if it is here. */
  remove(propertyId: string): void {
    const index = this.blockIndexOf(propertyId);
    const block = this.blocks[index];
    const slot = block?.findSlot(propertyId);
    if (block === undefined || slot === undefined) return;
    block.removeSlot(slot);
    if (block.slots.length === 0) this.blocks.splice(index, 1);
    else if (block.slab.isWorthCompacting()) block.compact();
    this.propertyCount--;
    this.#countNames(slot.cityNames, -1);
  }

  #replace(old: PropertySlot, followed: FollowedProperty, texts: SharedTexts, today: number): PropertySlot {
    const { block } = old;
    const slot = makeSlot(block, followed, texts, today);
    block.replaceSlot(old, slot);
    this.#countNames(old.cityNames, -1);
    this.#countNames(slot.cityNames, 1);
    writeBits(block.lines, slot, followed, this.#ring);
    if (block.slab.isWorthCompacting()) block.compact();
    return slot;
  }

  /** Index of the last block that starts at or before the id; 0 when none does. */
  blockIndexOf(propertyId: string): number {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.blocks[middle]!.slots[0]!.propertyId <= propertyId) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #blockWithRoom(propertyId: string, rowCount: number): Block {
    const index = this.blockIndexOf(propertyId);
    const block = this.blocks[index];
    if (block === undefined) return this.#addBlock(0);
    if (block.rowCount + rowCount <= BLOCK_ROWS_MAX) return block;
    // Behind the last id a full block stays full: loading in id order leaves no half-empty blocks.
    const isLast = index === this.blocks.length - 1;
    if (isLast && block.slots[block.slots.length - 1]!.propertyId < propertyId)
      return this.#addBlock(index + 1);
    if (block.slots.length === 1)
      return this.#addBlock(block.slots[0]!.propertyId < propertyId ? index + 1 : index);
    this.blocks.splice(index + 1, 0, block.split());
    return this.#blockWithRoom(propertyId, rowCount);
  }

  #addBlock(index: number): Block {
    const block = new Block(new BlockLines(this.#ring.lineCount), this.key);
    this.blocks.splice(index, 0, block);
    return block;
  }

  #countNames(names: readonly string[], by: 1 | -1): void {
    for (const name of names) {
      const count = (this.nameCounts.get(name) ?? 0) + by;
      if (count === 0) this.nameCounts.delete(name);
      else this.nameCounts.set(name, count);
      if (count === 0) this.#onName.lost(name, this);
      else if (count === 1 && by === 1) this.#onName.gained(name, this);
    }
  }
}
