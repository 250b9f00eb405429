/**
 * Writes on their way to the writer thread: all bytes in one buffer, transferred instead of copied.
 *
 * Each calendar is a small buffer. Posting them one by one costs two to three times as much as packing and unpacking
 * them (200 properties with two types each: 2.1 ms against 0.7 ms).
 */
import type { StoredWrite } from '../../domain/ledger/stored-write.ts';

interface PackedWrite extends Omit<StoredWrite, 'lowestRates' | 'types'> {
  readonly inventoryTypeIds: readonly string[];
}

export interface PackedWrites {
  readonly writes: readonly PackedWrite[];
  /** Lengths for each write: its lowest rates, then the nights and rates of each type. */
  readonly byteLengths: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function packWrites(writes: readonly StoredWrite[]): PackedWrites {
  const parts = writes.flatMap((write) => [
    write.lowestRates,
    ...write.types.flatMap((type) => [type.nights, type.rates]),
  ]);
  const byteLengths = Uint32Array.from(parts, (part) => part.byteLength);
  const bytes = new Uint8Array(byteLengths.reduce((sum, length) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return { writes: writes.map(packTexts), byteLengths, bytes };
}

function packTexts(write: StoredWrite): PackedWrite {
  const { types, lowestRates: _lowestRates, ...texts } = write;
  const inventoryTypeIds = types.map((type) => type.inventoryTypeId);
  return { ...texts, inventoryTypeIds };
}

/** Unpacks writes; their arrays are views into the one buffer. */
export function unpackWrites({ writes, byteLengths, bytes }: PackedWrites): StoredWrite[] {
  let index = 0;
  let offset = 0;
  function next(): Uint8Array {
    const from = offset;
    offset += byteLengths[index++] ?? 0;
    return bytes.subarray(from, offset);
  }
  return writes.map(({ inventoryTypeIds, ...texts }) => ({
    ...texts,
    lowestRates: next(),
    types: inventoryTypeIds.map((inventoryTypeId) => ({ inventoryTypeId, nights: next(), rates: next() })),
  }));
}
