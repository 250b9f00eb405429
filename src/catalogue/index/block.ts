/**
 * A block: up to 2,048 inventory types of one market as rows of bits, in propertyId order.
 *
 * A market is a list of blocks, as the leaves of a B-tree are: a property that comes or goes shifts the rows of one
 * block only, so a change costs microseconds in a city of a million types as in a village. Rows of one property are
 * together and never straddle blocks.
 */
import type { EpochDay } from '../../domain/local-date.ts';
import { lowestRateAt, nextLowestRateChange } from '../../domain/lowest-rates.ts';
import { formatMoney } from '../../domain/money.ts';
import { LOCALES } from '../../domain/property.ts';
import type { FollowedProperty } from '../../storage/catalogue/store.ts';
import { ByteSlab } from '../property/byte-slab.ts';
import { encodeRecord, lowestRatesOf, recordLength, summaryRange } from '../property/property-record.ts';
import { presentSummaries, withStartingPrice } from '../property/summary.ts';
import { BLOCK_ROWS_MAX, type BlockLines } from './block-lines.ts';

/** Behind every day; a small integer, since a large one would cost each slot an object more. */
const NEVER: EpochDay = 2 ** 30 - 1;

/** What a block keeps of a property beside its bits. */
export interface PropertySlot {
  readonly propertyId: string;
  /** The block that it is in. */
  block: Block;
  firstRow: number;
  readonly rowCount: number;
  readonly revision: number;
  readonly timezone: string;
  readonly visibleTo: 'all' | readonly string[];
  /** Folded names by which its city is found. */
  readonly cityNames: readonly string[];
  /** Where its record starts in the slab. */
  record: number;
  /** Local days [from, until) for which the summaries show the right starting price. */
  priceFrom: EpochDay;
  priceUntil: EpochDay;
}

export class Block {
  /** Of the market that it belongs to. */
  readonly marketKey: string;
  /** In propertyId order. */
  readonly slots: PropertySlot[] = [];
  readonly slab = new ByteSlab();
  lines: BlockLines;
  rowCount = 0;
  /** Slot number of each row. */
  readonly slotOfRow = new Uint16Array(BLOCK_ROWS_MAX);
  /** How many properties only some partners see. */
  restrictedSlotCount = 0;
  /** No property has more rows; may be too high after a removal. */
  largestRowCount = 1;
  /** The timezone of all rows; undefined when they differ, or differed once. */
  soleTimezone: string | undefined;

  constructor(lines: BlockLines, marketKey: string) {
    this.lines = lines;
    this.marketKey = marketKey;
  }

  findSlot(propertyId: string): PropertySlot | undefined {
    const slot = this.slots[this.#lowerBound(propertyId)];
    return slot?.propertyId === propertyId ? slot : undefined;
  }

  /** The first row of the first property whose id is not below `propertyId`; behind the last row when none is. */
  rowOf(propertyId: string): number {
    return this.slots[this.#lowerBound(propertyId)]?.firstRow ?? this.rowCount;
  }

  /** Inserts a slot in id order, with its first row; all bits are clear. */
  insertSlot(slot: PropertySlot): void {
    const index = this.#lowerBound(slot.propertyId);
    const next = this.slots[index];
    slot.firstRow = next === undefined ? this.rowCount : next.firstRow;
    this.lines.widenFor(this.rowCount + slot.rowCount);
    if (next !== undefined) this.lines.insertRows(slot.firstRow, slot.rowCount);
    if (next === undefined) this.slots.push(slot);
    else this.slots.splice(index, 0, slot);
    this.rowCount += slot.rowCount;
    this.#renumber(index);
    this.#note(slot);
  }

  /** Takes a slot, its rows and its bytes out. */
  removeSlot(slot: PropertySlot): void {
    const index = this.#lowerBound(slot.propertyId);
    this.lines.removeRows(slot.firstRow, slot.rowCount);
    this.slots.splice(index, 1);
    this.rowCount -= slot.rowCount;
    this.#renumber(index);
    this.#forget(slot);
  }

  /** Puts a new version of a property in the place of the old one; the row count is the same, the bits are cleared. */
  replaceSlot(old: PropertySlot, slot: PropertySlot): void {
    slot.firstRow = old.firstRow;
    this.lines.clearRows(old.firstRow, old.rowCount);
    this.slots[this.#lowerBound(old.propertyId)] = slot;
    this.#forget(old);
    this.#note(slot);
  }

  /** Moves the upper half of the properties into a new block and returns it. */
  split(): Block {
    const upper = new Block(this.lines.copy(), this.marketKey);
    const index = this.#middleSlot();
    const row = this.slots[index]!.firstRow;
    upper.slots.push(...this.slots.slice(index));
    for (const slot of upper.slots) slot.block = upper;
    upper.rowCount = this.rowCount - row;
    upper.lines.removeRows(0, row);
    upper.#renumber(0);
    this.lines.clearRows(row, this.rowCount - row);
    this.slots.length = index;
    this.rowCount = row;
    // The upper half first: its records are still in this slab.
    upper.slab.refill(gatherRecords(upper.slots, this.slab.bytes));
    this.compact();
    for (const block of [this, upper]) {
      block.restrictedSlotCount = block.slots.filter((slot) => slot.visibleTo !== 'all').length;
      block.largestRowCount = this.largestRowCount;
      block.soleTimezone = this.soleTimezone;
    }
    return upper;
  }

  /** Closes the holes of the slab; what was read from it before is no longer there. */
  compact(): void {
    this.slab.refill(gatherRecords(this.slots, this.slab.bytes));
  }

  /** Index of the first slot whose id is not below `propertyId`. */
  #lowerBound(propertyId: string): number {
    let low = 0;
    let high = this.slots.length;
    // A catalogue is loaded in id order: the next one mostly follows the last one.
    if (high > 0 && this.slots[high - 1]!.propertyId < propertyId) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.slots[middle]!.propertyId < propertyId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #middleSlot(): number {
    const index = this.slots.findIndex((slot) => slot.firstRow >= this.rowCount / 2);
    return index < 1 ? this.slots.length - 1 : index;
  }

  #note(slot: PropertySlot): void {
    if (slot.visibleTo !== 'all') this.restrictedSlotCount++;
    this.largestRowCount = Math.max(this.largestRowCount, slot.rowCount);
    if (this.slots.length === 1) this.soleTimezone = slot.timezone;
    else if (this.soleTimezone !== slot.timezone) this.soleTimezone = undefined;
  }

  #forget(slot: PropertySlot): void {
    if (slot.visibleTo !== 'all') this.restrictedSlotCount--;
    this.slab.release(recordLength(this.slab.bytes, slot.record));
  }

  #renumber(fromSlot: number): void {
    const previous = this.slots[fromSlot - 1];
    let row = previous === undefined ? 0 : previous.firstRow + previous.rowCount;
    for (let index = fromSlot; index < this.slots.length; index++) {
      const slot = this.slots[index]!;
      slot.firstRow = row;
      for (let end = row + slot.rowCount; row < end; row++) this.slotOfRow[row] = index;
    }
  }
}

/** Where the records of a slab are put together; grows to the largest slab. */
let gathered = Buffer.alloc(0);

/**
 * Copies the records of the slots one after the other, and updates the slots. The bytes are valid until the next call.
 */
function gatherRecords(slots: readonly PropertySlot[], from: Buffer): Uint8Array {
  // No record is there twice, so there are never more bytes than in the slab.
  if (gathered.length < from.length) gathered = Buffer.allocUnsafeSlow(from.length);
  let length = 0;
  for (const slot of slots) {
    const end = slot.record + recordLength(from, slot.record);
    const start = length;
    length += from.copy(gathered, start, slot.record, end);
    slot.record = start;
  }
  return gathered.subarray(0, length);
}

/** Texts that many properties have in common, each held once: the heap of a large catalogue is made of such texts. */
export interface SharedTexts {
  readonly cityNames: readonly string[];
  readonly timezone: string;
}

/** A slot for the property, with its record in the slab of its future block. */
export function makeSlot(
  block: Block,
  followed: FollowedProperty,
  { cityNames, timezone }: SharedTexts,
  today: EpochDay,
): PropertySlot {
  const { property, lowestRates } = followed;
  const price = startingPrice(lowestRates, today);
  return {
    propertyId: property.propertyId,
    block,
    firstRow: 0,
    rowCount: property.inventoryTypes.length,
    revision: followed.revision,
    timezone,
    visibleTo: property.visibleTo === 'all' ? 'all' : property.visibleTo,
    cityNames,
    record: block.slab.put(encodeRecord(presentSummaries(property, price), lowestRates)),
    priceFrom: today,
    priceUntil: nextLowestRateChange(lowestRates, today) ?? NEVER,
  };
}

/** Brings the starting price in a slot's summaries to the local day, when it changed since they were made. */
export function refreshStartingPrice(slot: PropertySlot, today: EpochDay): void {
  if (today >= slot.priceFrom && today < slot.priceUntil) return;
  const { slab } = slot.block;
  const { bytes } = slab;
  const lowestRates = lowestRatesOf(bytes, slot.record);
  const price = startingPrice(lowestRates, today);
  const summaries = LOCALES.map((_, index) => {
    const { start, end } = summaryRange(bytes, slot.record, index);
    return withStartingPrice(bytes.toString('utf8', start, end), price);
  });
  slab.release(recordLength(bytes, slot.record));
  slot.record = slab.put(encodeRecord(summaries, lowestRates));
  slot.priceFrom = today;
  slot.priceUntil = nextLowestRateChange(lowestRates, today) ?? NEVER;
}

function startingPrice(lowestRates: Uint8Array, today: EpochDay): string | null {
  const rate = lowestRateAt(lowestRates, today);
  return rate === null ? null : formatMoney(rate);
}
