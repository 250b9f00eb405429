/**
 * The memory that all threads of a machine read and one thread writes: segments of one fixed size.
 *
 * An address is a segment's number and a unit within, as one small integer. A piece begins with a head of four words,
 * of which readers use the version in which it was made: it tells them whether their decoded copy is still valid.
 */

/** Fixed: loops over a growable SharedArrayBuffer take fifty times as long. */
export const SEGMENT_BYTES = 16 * 2 ** 20;
export const UNIT_BYTES = 64;
const UNIT_WORDS = UNIT_BYTES / Int32Array.BYTES_PER_ELEMENT;
const SEGMENT_BITS = Math.log2(SEGMENT_BYTES / UNIT_BYTES);
export const SEGMENT_UNITS = 1 << SEGMENT_BITS;
export const HEAD_WORDS = 4;
export const HEAD_VERSION = 2;

/** Segment number and unit; NOWHERE, the very first unit, is never allocated. */
export type Address = number;
export const NOWHERE: Address = 0;

export interface Segment {
  readonly number: number;
  readonly buffer: SharedArrayBuffer;
}

interface Views {
  readonly words: Int32Array;
  readonly bytes: Buffer;
  readonly data: DataView;
}

export class Memory {
  readonly #views: (Views | undefined)[] = [];

  add({ number, buffer }: Segment): void {
    this.#views[number] = {
      words: new Int32Array(buffer),
      bytes: Buffer.from(buffer),
      data: new DataView(buffer),
    };
  }

  /** The words of the address's segment; its own begin at `wordAt`. */
  words(address: Address): Int32Array {
    return this.#views[address >>> SEGMENT_BITS]!.words;
  }

  /** The bytes of the address's segment; its own begin at `byteAt`. */
  bytes(address: Address): Buffer {
    return this.#views[address >>> SEGMENT_BITS]!.bytes;
  }

  /** Like `bytes`, for numbers at any byte: a Buffer reads them several times slower. */
  data(address: Address): DataView {
    return this.#views[address >>> SEGMENT_BITS]!.data;
  }

  /** The first `wordCount` words at an address. */
  view(address: Address, wordCount: number): Int32Array {
    const { buffer } = this.words(address);
    return new Int32Array(buffer, byteAt(address), wordCount);
  }

  /** The version in which it was made: address and version identify its content. */
  versionOf(address: Address): number {
    return this.words(address)[headAt(address) + HEAD_VERSION]!;
  }
}

export function addressOf(segment: number, unit: number): Address {
  return (segment << SEGMENT_BITS) | unit;
}

/** Index of the first word of its head. */
export function headAt(address: Address): number {
  return (address & (SEGMENT_UNITS - 1)) * UNIT_WORDS;
}

/** Index of its first word, after the head. */
export function wordAt(address: Address): number {
  return headAt(address) + HEAD_WORDS;
}

export function byteAt(address: Address): number {
  return wordAt(address) * Int32Array.BYTES_PER_ELEMENT;
}

/** Units for so many words and a head. */
export function unitsFor(wordCount: number): number {
  return Math.ceil((wordCount + HEAD_WORDS) / UNIT_WORDS);
}

/** Words that fit into so many units, without the head. */
export function wordsIn(units: number): number {
  return units * UNIT_WORDS - HEAD_WORDS;
}
