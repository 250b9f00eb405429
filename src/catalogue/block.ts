/**
 * A block: up to 1,024 inventory types of one market as rows of bits, in propertyId order.
 *
 * A market is a list of blocks, as the leaves of a B-tree are: a property that comes or goes shifts the rows of one
 * block only, so a change costs microseconds in a city of a million types as in a village. Rows of one property stand
 * together and never straddle blocks.
 */
import type { EpochDay } from '../domain/local-date.ts';
import { STAY_GUESTS_MAX } from '../domain/stay-limits.ts';
import { BitLines, LINE_WORDS_MAX } from './bit-lines.ts';
import { ByteSlab } from './byte-slab.ts';
import { StayLengths } from './stay-lengths.ts';

export const BLOCK_ROWS_MAX = LINE_WORDS_MAX * 32;
const POSITION_LINES = Math.log2(BLOCK_ROWS_MAX);

/** Where a byte string stands in the block's slab. */
export interface SlabRange {
  start: number;
  length: number;
}

/** What a block remembers of a property beside its bits. */
export interface PropertySlot {
  readonly propertyId: string;
  firstRow: number;
  readonly rowCount: number;
  readonly revision: number;
  readonly timezone: string;
  readonly visibleTo: 'all' | readonly string[];
  /** Folded names by which its city is found. */
  readonly cityNames: readonly string[];
  /** Summary bodies in the order of LOCALES; the same range when the locales do not differ. */
  readonly bodies: SlabRange[];
  readonly lowestRates: SlabRange;
  /** Local days [from, until) for which the bodies show the right starting price. */
  priceFrom: EpochDay;
  priceUntil: EpochDay;
}

/** Lines by a key, one line each: partners, city names, timezones. */
type KeyedLines = Map<string, BitLines>;

export class Block {
  readonly slots: PropertySlot[] = [];
  readonly slab = new ByteSlab();
  rowCount = 0;
  wordsPerLine = 1;
  /** Slot number of each row. */
  readonly slotOfRow = new Uint16Array(BLOCK_ROWS_MAX);

  /** By night: units left and not stop-sold. */
  open: BitLines;
  closedToArrival: BitLines | undefined;
  closedToDeparture: BitLines | undefined;
  minStayArrival = new StayLengths();
  minStayThrough = new StayLengths();
  maxStay = new StayLengths();
  /** Line g - 1: rows that host g guests. */
  guests: BitLines;
  /** Line n: rows that have a row of their own property 2 ** n above them. */
  positions: BitLines;
  visibleToAll: BitLines;
  visibleToPartner: KeyedLines = new Map();
  cityNames: KeyedLines = new Map();
  timezones: KeyedLines = new Map();
  restrictedSlotCount = 0;
  /** No property has more rows; may be too high after a removal. */
  largestRowCount = 1;
  /** The timezone of all rows; undefined when they differ, or differed once. */
  soleTimezone: string | undefined;

  readonly nightLineCount: number;

  constructor(nightLineCount: number) {
    this.nightLineCount = nightLineCount;
    this.open = new BitLines(nightLineCount, 1);
    this.guests = new BitLines(STAY_GUESTS_MAX, 1);
    this.positions = new BitLines(POSITION_LINES, 1);
    this.visibleToAll = new BitLines(1, 1);
  }

  /** Index of the first slot whose id is not below `propertyId`. */
  lowerBound(propertyId: string): number {
    let low = 0;
    let high = this.slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.slots[middle]!.propertyId < propertyId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  findSlot(propertyId: string): PropertySlot | undefined {
    const slot = this.slots[this.lowerBound(propertyId)];
    return slot?.propertyId === propertyId ? slot : undefined;
  }

  /** Makes room for a slot in id order and gives it its first row; its bits are all clear. */
  insertSlot(slot: PropertySlot): void {
    const index = this.lowerBound(slot.propertyId);
    const next = this.slots[index];
    slot.firstRow = next === undefined ? this.rowCount : next.firstRow;
    this.#widenFor(this.rowCount + slot.rowCount);
    if (next !== undefined)
      for (const lines of this.#allLines()) lines.insertRows(slot.firstRow, slot.rowCount);
    this.slots.splice(index, 0, slot);
    this.rowCount += slot.rowCount;
    this.#renumber(index);
    this.#note(slot);
  }

  /** Takes a slot, its rows and its bytes out. */
  removeSlot(slot: PropertySlot): void {
    const index = this.lowerBound(slot.propertyId);
    for (const lines of this.#allLines()) lines.removeRows(slot.firstRow, slot.rowCount);
    this.slots.splice(index, 1);
    this.rowCount -= slot.rowCount;
    this.#renumber(index);
    this.#forget(slot);
  }

  /** Puts a new version of a property in the place of the old one; the row count is the same, the bits are cleared. */
  replaceSlot(old: PropertySlot, slot: PropertySlot): void {
    slot.firstRow = old.firstRow;
    for (const lines of this.#allLines()) lines.clearRows(old.firstRow, old.rowCount);
    this.slots[this.lowerBound(old.propertyId)] = slot;
    this.#forget(old);
    this.#note(slot);
  }

  /** Moves the upper half of the properties into a new block and returns it. */
  split(): Block {
    const upper = new Block(this.nightLineCount);
    const index = this.#splitIndex();
    const row = this.slots[index]!.firstRow;
    this.#copyLinesTo(upper);
    upper.slots.push(...this.slots.slice(index));
    upper.rowCount = this.rowCount - row;
    for (const lines of upper.#allLines()) lines.removeRows(0, row);
    for (const lines of this.#allLines()) lines.clearRows(row, this.rowCount - row);
    this.slots.length = index;
    this.rowCount = row;
    upper.#renumber(0);
    for (const block of [this, upper]) {
      block.restrictedSlotCount = block.slots.filter((slot) => slot.visibleTo !== 'all').length;
      block.largestRowCount = this.largestRowCount;
      block.soleTimezone = this.soleTimezone;
      block.#dropEmptyKeys();
    }
    upper.slab.bytes = this.slab.bytes;
    upper.compact();
    this.compact();
    return upper;
  }

  /** The line of a key, made when missing. */
  keyedLine(lines: KeyedLines, key: string): BitLines {
    let line = lines.get(key);
    if (line === undefined) {
      line = new BitLines(1, this.wordsPerLine);
      lines.set(key, line);
    }
    return line;
  }

  /** Forgets everything about a night, so that its line can serve another one. */
  clearNight(line: number): void {
    for (const lines of this.#nightLines()) lines.clearLine(line);
  }

  /** Writes the bytes in use into a new slab; called when holes outweigh them. */
  compact(): void {
    const old = this.slab.bytes;
    const fresh = new ByteSlab();
    for (const slot of this.slots) {
      for (const range of rangesOf(slot))
        range.start = fresh.put(old.subarray(range.start, range.start + range.length));
    }
    this.slab.adopt(fresh);
  }

  #note(slot: PropertySlot): void {
    if (slot.visibleTo !== 'all') this.restrictedSlotCount++;
    this.largestRowCount = Math.max(this.largestRowCount, slot.rowCount);
    if (this.slots.length === 1) this.soleTimezone = slot.timezone;
    else if (this.soleTimezone !== slot.timezone) this.soleTimezone = undefined;
  }

  #splitIndex(): number {
    const middle = this.rowCount / 2;
    let index = this.slots.findIndex((slot) => slot.firstRow >= middle);
    if (index < 1) index = this.slots.length - 1;
    return index;
  }

  #forget(slot: PropertySlot): void {
    if (slot.visibleTo !== 'all') this.restrictedSlotCount--;
    for (const range of rangesOf(slot)) this.slab.release(range.length);
    this.#dropEmptyKeys();
  }

  #dropEmptyKeys(): void {
    for (const lines of [this.visibleToPartner, this.cityNames, this.timezones]) {
      if (lines.size < 2) continue;
      for (const [key, line] of lines) if (line.words.every((word) => word === 0)) lines.delete(key);
    }
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

  #widenFor(rowCount: number): void {
    if (rowCount <= this.wordsPerLine * 32) return;
    while (this.wordsPerLine * 32 < rowCount) this.wordsPerLine *= 2;
    for (const lines of this.#allLines()) lines.widen(this.wordsPerLine);
  }

  #copyLinesTo(other: Block): void {
    other.wordsPerLine = this.wordsPerLine;
    other.open = this.open.copy();
    other.closedToArrival = this.closedToArrival?.copy();
    other.closedToDeparture = this.closedToDeparture?.copy();
    other.minStayArrival = this.minStayArrival.copy();
    other.minStayThrough = this.minStayThrough.copy();
    other.maxStay = this.maxStay.copy();
    other.guests = this.guests.copy();
    other.positions = this.positions.copy();
    other.visibleToAll = this.visibleToAll.copy();
    other.visibleToPartner = copyKeyed(this.visibleToPartner);
    other.cityNames = copyKeyed(this.cityNames);
    other.timezones = copyKeyed(this.timezones);
  }

  #nightLines(): BitLines[] {
    const lines = [this.open, ...this.minStayArrival.allocated(), ...this.minStayThrough.allocated()];
    lines.push(...this.maxStay.allocated());
    if (this.closedToArrival !== undefined) lines.push(this.closedToArrival);
    if (this.closedToDeparture !== undefined) lines.push(this.closedToDeparture);
    return lines;
  }

  #allLines(): BitLines[] {
    return [
      ...this.#nightLines(),
      this.guests,
      this.positions,
      this.visibleToAll,
      ...this.visibleToPartner.values(),
      ...this.cityNames.values(),
      ...this.timezones.values(),
    ];
  }
}

function copyKeyed(lines: KeyedLines): KeyedLines {
  return new Map([...lines].map(([key, line]) => [key, line.copy()]));
}

/** The ranges of a slot, each once: locales without a difference share theirs. */
function rangesOf(slot: PropertySlot): Set<SlabRange> {
  return new Set([...slot.bodies, slot.lowestRates]);
}
