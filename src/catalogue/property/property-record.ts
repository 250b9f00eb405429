/**
 * What the slab holds of one property: its summary in every locale and the steps of its starting price, one after the
 * other behind a table of their lengths. A property then costs the heap one number for all of it.
 *
 * Layout: one little-endian 32-bit length per part (the locales in the order of LOCALES, then the steps), then the
 * bytes. Length 0 for a locale means that its summary equals the one before.
 */
import { LOCALES } from '../../domain/property.ts';

const PART_COUNT = LOCALES.length + 1;
const LENGTH_BYTES = 4;
const TABLE_BYTES = PART_COUNT * LENGTH_BYTES;

/** Where a part is in the slab. */
export interface PartRange {
  readonly start: number;
  readonly end: number;
}

/** UTF-8 needs at most so many bytes for a UTF-16 unit. */
const UTF8_BYTES_MAX = 3;

/** Where records are put together; only ever grows. */
let scratch = Buffer.alloc(4096);

/** `summaries` in the order of LOCALES. The bytes are valid until the next call. */
export function encodeRecord(summaries: readonly string[], lowestRates: Uint8Array): Uint8Array {
  reach(
    summaries.reduce((sum, { length }) => sum + length * UTF8_BYTES_MAX, TABLE_BYTES + lowestRates.length),
  );
  let end = TABLE_BYTES;
  summaries.forEach((summary, index) => {
    const length = summary === summaries[index - 1] ? 0 : scratch.write(summary, end);
    scratch.writeUInt32LE(length, index * LENGTH_BYTES);
    end += length;
  });
  scratch.writeUInt32LE(lowestRates.length, summaries.length * LENGTH_BYTES);
  scratch.set(lowestRates, end);
  return scratch.subarray(0, end + lowestRates.length);
}

function reach(length: number): void {
  if (length > scratch.length) scratch = Buffer.alloc(length * 2);
}

/** The summary in the locale of this index in LOCALES. */
export function summaryRange(slab: Buffer, record: number, localeIndex: number): PartRange {
  let part = localeIndex;
  while (part > 0 && slab.readUInt32LE(record + part * LENGTH_BYTES) === 0) part--;
  return partRange(slab, record, part);
}

/** The steps of the starting price, as `domain/lowest-rates.ts` encodes them; a copy. */
export function lowestRatesOf(slab: Buffer, record: number): Uint8Array {
  const { start, end } = partRange(slab, record, LOCALES.length);
  return Uint8Array.from(slab.subarray(start, end));
}

export function recordLength(slab: Buffer, record: number): number {
  return partRange(slab, record, LOCALES.length).end - record;
}

function partRange(slab: Buffer, record: number, part: number): PartRange {
  let start = record + TABLE_BYTES;
  for (let before = 0; before < part; before++) start += slab.readUInt32LE(record + before * LENGTH_BYTES);
  return { start, end: start + slab.readUInt32LE(record + part * LENGTH_BYTES) };
}
