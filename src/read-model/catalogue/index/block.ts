/**
 * A block: up to 2,048 inventory types of one market as rows of bits, in propertyId order.
 *
 * A market is a list of blocks, like the leaves of a B-tree: an inserted property shifts the rows of one block only, so
 * a change costs microseconds in a city of a million types as in a village. Rows of one property are adjacent and never
 * straddle blocks.
 *
 * Readers and the writer share this class over the same memory. A change copies the parts that it touches; `store`
 * writes a record of all parts, which readers get.
 */
import type { EpochDay } from '../../../domain/local-date.ts';
import { lowestRateAt } from '../../../domain/lowest-rates.ts';
import { formatMoney, roundToUnit } from '../../../domain/money.ts';
import { assertState, IS_CHECKING } from '../../../runtime/assertions.ts';
import type { Address, Memory } from '../memory/memory.ts';
import { heapOf } from '../memory/part.ts';
import { RecordReader, RecordWriter } from '../memory/record.ts';
import type { TextRange, Texts } from '../property/piece-chunks.ts';
import { PriceChunks, type PriceHead, type PriceRecord, readPayableUnit } from '../property/price-record.ts';
import { type SlotChunk, TextChunks } from '../property/text-chunks.ts';
import { checkBlock } from './block-check.ts';
import { BLOCK_ROWS_MAX, BlockLines, type KeyedLines } from './block-lines.ts';
import type { NightRing } from './night-ring.ts';
import { type Slot, SlotTable } from './slot-table.ts';

/** A new property, or a new version of one. */
export interface NewSlot extends Slot {
  readonly propertyId: string;
  readonly timezone: string;
  readonly isRestricted: boolean;
  readonly texts: Texts;
  readonly prices: Texts;
}

/** The parts of a block beside its bits. */
interface BlockParts {
  readonly slots: SlotTable;
  readonly texts: TextChunks;
  readonly prices: PriceChunks;
}

/** The number of night lines in a block, and its memory. */
export interface BlockShape {
  readonly memory: Memory;
  readonly nightLineCount: number;
}

export class Block {
  /** The block's market. */
  readonly marketNumber: number;
  /** The first held night when the block was last written. */
  nightsFrom: EpochDay;
  rowCount: number;
  /** Number of properties that only some partners see. */
  restrictedSlotCount: number;
  readonly slots: SlotTable;
  readonly #shape: BlockShape;
  readonly #texts: TextChunks;
  readonly #prices: PriceChunks;
  /** The timezone of all rows; undefined once they have differed. */
  soleTimezone: string | undefined;
  #lines: BlockLines | undefined;
  /** Lines are read from here on first use. */
  readonly #record: RecordReader | undefined;

  private constructor(shape: BlockShape, record?: RecordReader, parts?: BlockParts) {
    this.#shape = shape;
    this.#record = record;
    this.marketNumber = record?.take() ?? 0;
    this.nightsFrom = record?.take() ?? 0;
    this.rowCount = record?.take() ?? 0;
    this.restrictedSlotCount = record?.take() ?? 0;
    this.soleTimezone = record?.takeText() || undefined;
    this.slots = parts?.slots ?? new SlotTable(shape.memory, record);
    this.#texts = parts?.texts ?? new TextChunks(shape.memory, record);
    this.#prices = parts?.prices ?? new PriceChunks(shape.memory, record);
  }

  /** An empty block; `store` puts it into memory. */
  static make(shape: BlockShape, marketNumber: number, nightsFrom: EpochDay, parts?: BlockParts): Block {
    const block = new Block(shape, undefined, parts);
    Object.assign(block, { marketNumber, nightsFrom });
    return block;
  }

  static open(shape: BlockShape, address: Address): Block {
    return new Block(shape, new RecordReader(shape.memory, address));
  }

  get lines(): BlockLines {
    const { memory, nightLineCount } = this.#shape;
    return (this.#lines ??= new BlockLines(memory, nightLineCount, this.#record));
  }

  /** Writes the record of all parts, in reading order. */
  store(): Address {
    const { lines } = this;
    this.#assertCounts();
    const record = new RecordWriter();
    record.put(this.marketNumber, this.nightsFrom, this.rowCount, this.restrictedSlotCount);
    record.putText(this.soleTimezone ?? '');
    this.slots.write(record);
    this.#texts.write(record);
    this.#prices.write(record);
    lines.write(record);
    return record.store(heapOf(this.#shape.memory));
  }

  /** Frees all parts except the record. */
  release(): void {
    this.slots.release();
    this.#texts.release();
    this.#prices.release();
    this.lines.release();
  }

  /** The night after the last one that the block knows. */
  get nightsUntil(): EpochDay {
    return this.nightsFrom + this.#shape.nightLineCount;
  }

  /** Whether the block knows every night of a stay, and the check-out date. */
  holdsNights({ checkIn, checkOut }: { readonly checkIn: EpochDay; readonly checkOut: EpochDay }): boolean {
    return checkIn >= this.nightsFrom && checkOut < this.nightsUntil;
  }

  /** The first row of the first property whose id is not below `propertyId`; the row count without one. */
  rowOf(propertyId: string): number {
    const slot = this.slots.lowerBound(propertyId);
    return slot === this.slots.count ? this.rowCount : this.slots.firstRow(slot);
  }

  isVisible(slot: number, partnerId: string): boolean {
    if (this.restrictedSlotCount === 0) return true;
    const row = this.slots.firstRow(slot);
    const { visibleToAll, visibleToPartner } = this.lines;
    return visibleToAll.has(0, row) || visibleToPartner.get(partnerId)?.has(0, row) === true;
  }

  isVisibleToAny(slot: number): boolean {
    const row = this.slots.firstRow(slot);
    const { visibleToAll, visibleToPartner } = this.lines;
    return visibleToAll.has(0, row) || visibleToPartner.values().some((line) => line.has(0, row));
  }

  timezone(slot: number): string {
    if (this.soleTimezone !== undefined) return this.soleTimezone;
    return keysOf(this.lines.timezones, this.slots.firstRow(slot))[0]!;
  }

  /** Folded names of its city. */
  cityNames(slot: number): string[] {
    return keysOf(this.lines.cityNames, this.slots.firstRow(slot));
  }

  citySpelling(slot: number): string {
    return keysOf(this.lines.citySpellings, this.slots.firstRow(slot))[0]!;
  }

  isVisibleToAll(slot: number): boolean {
    return this.lines.visibleToAll.has(0, this.slots.firstRow(slot));
  }

  /** The summary in the locale of this index in LOCALES, with the starting price of the day of writing. */
  summary(slot: number, localeIndex: number): TextRange {
    return this.#texts.summary(slot, localeIndex);
  }

  /** The properties whose summaries change together with that of this slot. */
  textChunk(slot: number): SlotChunk {
    return this.#texts.chunkOf(slot);
  }

  get memory(): Memory {
    return this.#shape.memory;
  }

  /** Its lower bounds; see `price-record.ts`. */
  priceHead(slot: number): PriceHead {
    return this.#prices.head(slot);
  }

  /** Its terms and rates. */
  prices(slot: number): PriceRecord {
    return this.#prices.record(slot);
  }

  /** A DecimalMoney or null. */
  startingPrice(slot: number, today: EpochDay): string | null {
    const rate = lowestRateAt(this.#texts.lowestRates(slot), today);
    return rate === null ? null : formatMoney(roundToUnit(rate, readPayableUnit(this.priceHead(slot))));
  }

  /**
   * Inserts new properties, which ascend by their ids, and moves the rows of the others once for all of them. The caller
   * then writes their bits: they have none.
   */
  insert(added: readonly NewSlot[]): void {
    const rowCount = added.reduce((sum, given) => sum + given.rowCount, this.rowCount);
    this.lines.widenFor(rowCount);
    const gaps = added.map(({ propertyId, rowCount: count }) => {
      const slot = this.slots.lowerBound(propertyId);
      return { at: slot < this.slots.count ? this.slots.firstRow(slot) : this.rowCount, count };
    });
    if (gaps[0]!.at < this.rowCount) this.lines.insertRows(gaps);
    for (const given of added) {
      const slot = this.slots.lowerBound(given.propertyId);
      this.slots.insert(slot, given.propertyId, given);
      this.#texts.insert(slot, given.texts);
      this.#prices.insert(slot, given.prices);
      this.#countIn(given);
    }
    this.rowCount = rowCount;
  }

  /** Replaces the property in a slot. The caller then writes its bits: it has those of the old version. */
  replace(slot: number, given: NewSlot): void {
    assertState(
      given.revision >= this.slots.revision(slot),
      'a newer version of a property replaces an older one',
    );
    this.#countOut(slot);
    this.slots.set(slot, given);
    this.#texts.replace(slot, given.texts);
    this.#prices.replace(slot, given.prices);
    this.#countIn(given);
  }

  /** Removes a property with its rows and texts. */
  remove(slot: number): void {
    const count = this.slots.rowCount(slot);
    this.#countOut(slot);
    this.lines.removeRows(this.slots.firstRow(slot), count);
    this.slots.remove(slot);
    this.#texts.remove(slot);
    this.#prices.remove(slot);
    this.rowCount -= count;
  }

  /** Moves the upper half of the properties into a new block and returns it. */
  split(): Block {
    const from = this.#middleSlot();
    const row = this.slots.firstRow(from);
    const [slots, texts, prices] = [
      this.slots.splitAt(from),
      this.#texts.splitAt(from),
      this.#prices.splitAt(from),
    ];
    const parts = { slots, texts, prices };
    const upper = Block.make(this.#shape, this.marketNumber, this.nightsFrom, parts);
    upper.rowCount = this.rowCount - row;
    upper.#lines = this.lines.copy();
    upper.#lines.removeRows(0, row);
    this.lines.clearRows(row, this.rowCount - row);
    this.rowCount = row;
    upper.soleTimezone = this.soleTimezone;
    for (const block of [this, upper]) block.restrictedSlotCount = block.#countRestricted();
    return upper;
  }

  /** Clears the nights that the ring has left since the block was written. */
  reachNights(ring: NightRing): void {
    if (this.nightsFrom === ring.from) return;
    this.lines.clearNights(ring.addedSince(this.nightsFrom).map((night) => ring.lineOf(night)));
    this.nightsFrom = ring.from;
    this.slots.forgetDigests();
  }

  /** Readers count by these numbers, and find a property's bits by them. */
  #assertCounts(): void {
    const { rowCount, restrictedSlotCount, slots } = this;
    assertState(
      rowCount === slots.endRow && rowCount <= BLOCK_ROWS_MAX,
      'a block has the rows of its properties',
    );
    assertState(
      restrictedSlotCount >= 0 && restrictedSlotCount <= slots.count,
      'a block counts the properties that some partners see',
    );
    if (IS_CHECKING) checkBlock(this);
  }

  #countIn({ isRestricted, timezone }: NewSlot): void {
    if (isRestricted) this.restrictedSlotCount++;
    if (this.slots.count === 1) this.soleTimezone = timezone;
    else if (this.soleTimezone !== timezone) this.soleTimezone = undefined;
  }

  #countOut(slot: number): void {
    if (!this.lines.visibleToAll.has(0, this.slots.firstRow(slot))) this.restrictedSlotCount--;
  }

  #countRestricted(): number {
    const { visibleToAll } = this.lines;
    let count = 0;
    for (let slot = 0; slot < this.slots.count; slot++)
      if (!visibleToAll.has(0, this.slots.firstRow(slot))) count++;
    return count;
  }

  #middleSlot(): number {
    const slot = this.slots.ofRow(Math.ceil(this.rowCount / 2));
    const isFirst = this.slots.firstRow(slot) * 2 >= this.rowCount;
    return Math.min(Math.max(1, isFirst ? slot : slot + 1), this.slots.count - 1);
  }
}

function keysOf(lines: KeyedLines, row: number): string[] {
  return [...lines].filter(([, line]) => line.has(0, row)).map(([key]) => key);
}
