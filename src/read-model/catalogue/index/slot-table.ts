/** The properties of a block in id order: flat ids and numbers. */
import type { EpochDay } from '../../../domain/local-date.ts';
import { byteAt, type Memory, NOWHERE } from '../memory/memory.ts';
import { Part } from '../memory/part.ts';
import type { RecordReader, RecordWriter } from '../memory/record.ts';

const FIRST_ROW = 0;
const ROW_COUNT = 1;
const REVISION = 2;
const REVISION_HIGH = 3;
const PRICE_FROM = 4;
const PRICE_UNTIL = 5;
const ID_AT = 6;
const ID_LENGTH = 7;
const DIGEST = 8;
const STRIDE = 10;
const LOW_PART = 2 ** 32;
/** A copy is worth it from so many bytes of removed ids on. */
const LOST_BYTES_MIN = 4096;

export type BitsDigest = readonly [number, number];

export interface Slot {
  readonly rowCount: number;
  readonly revision: number;
  /** Local days [from, until) for which the summaries show the right starting price. */
  readonly priceFrom: EpochDay;
  readonly priceUntil: EpochDay;
  /** Digest of all input of its bits: equal digests mean equal bits. */
  readonly digest: BitsDigest;
}

export class SlotTable {
  readonly #memory: Memory;
  readonly #table: Part;
  /** Ids in ASCII, one after the other, unordered. */
  readonly #ids: Part;
  #idBytes = 0;
  count = 0;

  constructor(memory: Memory, record?: RecordReader) {
    this.#memory = memory;
    this.count = record?.take() ?? 0;
    this.#idBytes = record?.take() ?? 0;
    this.#table = new Part(memory, this.count * STRIDE, record?.take() ?? NOWHERE);
    this.#ids = new Part(memory, Math.ceil(this.#idBytes / 4), record?.take() ?? NOWHERE);
  }

  write(record: RecordWriter): void {
    record.put(this.count, this.#idBytes, this.#table.address, this.#ids.address);
  }

  release(): void {
    this.#table.release();
    this.#ids.release();
  }

  /** The row behind the last property. */
  get endRow(): number {
    return this.count === 0 ? 0 : this.firstRow(this.count - 1) + this.rowCount(this.count - 1);
  }

  firstRow(slot: number): number {
    return this.#table.words[slot * STRIDE + FIRST_ROW]!;
  }

  rowCount(slot: number): number {
    return this.#table.words[slot * STRIDE + ROW_COUNT]!;
  }

  revision(slot: number): number {
    const { words } = this.#table;
    const at = slot * STRIDE;
    return (words[at + REVISION]! >>> 0) + words[at + REVISION_HIGH]! * LOW_PART;
  }

  digest(slot: number): BitsDigest {
    const at = slot * STRIDE + DIGEST;
    return [this.#table.words[at]!, this.#table.words[at + 1]!];
  }

  /** Some bits were cleared: each property must be written again. */
  forgetDigests(): void {
    const words = this.#table.own();
    for (let slot = 0; slot < this.count; slot++) words.fill(0, slot * STRIDE + DIGEST, (slot + 1) * STRIDE);
  }

  hasPriceOf(slot: number, today: EpochDay): boolean {
    const { words } = this.#table;
    return today >= words[slot * STRIDE + PRICE_FROM]! && today < words[slot * STRIDE + PRICE_UNTIL]!;
  }

  id(slot: number): string {
    const { words } = this.#table;
    const start = this.#idsAt() + words[slot * STRIDE + ID_AT]!;
    return this.#bytes().toString('latin1', start, start + words[slot * STRIDE + ID_LENGTH]!);
  }

  /** The slot of an id; -1 without one. */
  find(propertyId: string): number {
    const slot = this.lowerBound(propertyId);
    return this.has(slot, propertyId) ? slot : -1;
  }

  has(slot: number, propertyId: string): boolean {
    const { length } = propertyId;
    if (slot >= this.count || this.#idLength(slot) !== length) return false;
    return this.#sameUntil(slot, propertyId, 0) === length;
  }

  /** The first slot whose id is not below `propertyId`: ids are ASCII, so bytes order them as text. */
  lowerBound(propertyId: string): number {
    let low = 0;
    let high = this.count;
    // A catalogue is loaded in id order: the next one mostly follows the last one.
    if (high > 0 && this.#isBelow(high - 1, propertyId, this.#sameUntil(high - 1, propertyId, 0)))
      return high;
    // Characters that the ids below and above share with it, and hence all between them: most ids begin alike.
    let lowSame = 0;
    let highSame = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const same = this.#sameUntil(middle, propertyId, Math.min(lowSame, highSame));
      if (this.#isBelow(middle, propertyId, same)) {
        low = middle + 1;
        lowSame = same;
      } else {
        high = middle;
        highSame = same;
      }
    }
    return low;
  }

  /** The slot of a row. */
  ofRow(row: number): number {
    // Most properties have one row, and then it is the row itself.
    if (row < this.count && this.firstRow(row) === row) return row;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.firstRow(middle) <= row) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  insert(slot: number, propertyId: string, given: Slot): void {
    const firstRow = slot === this.count ? this.endRow : this.firstRow(slot);
    const at = slot * STRIDE;
    const words = this.#table.resize((this.count + 1) * STRIDE);
    words.copyWithin(at + STRIDE, at, this.count * STRIDE);
    words[at + ID_AT] = this.#addId(propertyId);
    words[at + ID_LENGTH] = propertyId.length;
    words[at + FIRST_ROW] = firstRow;
    this.count++;
    this.set(slot, given);
    this.#moveRows(slot + 1, given.rowCount);
  }

  /** Replaces the property of a slot by a new version. */
  set(slot: number, { rowCount, revision, priceFrom, priceUntil, digest }: Slot): void {
    const words = this.#table.own();
    const at = slot * STRIDE;
    words[at + ROW_COUNT] = rowCount;
    words[at + REVISION] = revision % LOW_PART;
    words[at + REVISION_HIGH] = Math.floor(revision / LOW_PART);
    words[at + PRICE_FROM] = priceFrom;
    words[at + PRICE_UNTIL] = priceUntil;
    words.set(digest, at + DIGEST);
  }

  remove(slot: number): void {
    const rows = this.rowCount(slot);
    const words = this.#table.own();
    words.copyWithin(slot * STRIDE, (slot + 1) * STRIDE, this.count * STRIDE);
    this.count--;
    this.#moveRows(slot, -rows);
    this.#table.resize(this.count * STRIDE);
    this.#closeHoles();
  }

  /** Moves the slots from `from` on into a table of their own. */
  splitAt(from: number): SlotTable {
    const upper = new SlotTable(this.#memory);
    for (let slot = from; slot < this.count; slot++) {
      const { words } = this.#table;
      const [priceFrom, priceUntil] = [
        words[slot * STRIDE + PRICE_FROM]!,
        words[slot * STRIDE + PRICE_UNTIL]!,
      ];
      upper.insert(upper.count, this.id(slot), {
        priceFrom,
        priceUntil,
        rowCount: this.rowCount(slot),
        revision: this.revision(slot),
        digest: this.digest(slot),
      });
    }
    this.count = from;
    this.#table.resize(from * STRIDE);
    this.#closeHoles();
    return upper;
  }

  #moveRows(fromSlot: number, by: number): void {
    const { words } = this.#table;
    for (let at = fromSlot * STRIDE; at < this.count * STRIDE; at += STRIDE) words[at] = words[at]! + by;
  }

  #bytes(): Buffer {
    return this.#memory.bytes(this.#ids.address);
  }

  #idsAt(): number {
    return byteAt(this.#ids.address);
  }

  #idLength(slot: number): number {
    return this.#table.words[slot * STRIDE + ID_LENGTH]!;
  }

  /** Length of the common prefix of the slot's id and `propertyId`, of which `known` characters are known. */
  #sameUntil(slot: number, propertyId: string, known: number): number {
    const bytes = this.#bytes();
    const start = this.#idsAt() + this.#table.words[slot * STRIDE + ID_AT]!;
    const shorter = Math.min(this.#idLength(slot), propertyId.length);
    let same = known;
    while (same < shorter && bytes[start + same] === propertyId.charCodeAt(same)) same++;
    return same;
  }

  /** Whether the slot's id sorts before `propertyId`; they share the first `same` characters. */
  #isBelow(slot: number, propertyId: string, same: number): boolean {
    const length = this.#idLength(slot);
    if (same === propertyId.length) return false;
    if (same === length) return true;
    const byte = this.#bytes()[this.#idsAt() + this.#table.words[slot * STRIDE + ID_AT]! + same]!;
    return byte < propertyId.charCodeAt(same);
  }

  #addId(propertyId: string): number {
    const start = this.#idBytes;
    this.#idBytes += propertyId.length;
    this.#ids.resize(Math.ceil(this.#idBytes / 4));
    this.#bytes().write(propertyId, this.#idsAt() + start, 'latin1');
    return start;
  }

  #closeHoles(): void {
    let used = 0;
    for (let slot = 0; slot < this.count; slot++) used += this.#table.words[slot * STRIDE + ID_LENGTH]!;
    if (this.#idBytes - used < Math.max(used, LOST_BYTES_MIN)) return;
    const ids = Array.from({ length: this.count }, (_, slot) => this.id(slot));
    const words = this.#table.own();
    this.#idBytes = 0;
    for (const [slot, id] of ids.entries()) words[slot * STRIDE + ID_AT] = this.#addId(id);
    this.#ids.resize(Math.ceil(this.#idBytes / 4));
  }
}
