/**
 * The memory that all threads of a machine read and one thread writes: segments of one fixed size.
 *
 * A place in it is an address: a segment's number and a unit within, as one small integer. What was given out begins
 * with a head of four words, of which readers use one: the version in which it was made. So a reader knows whether
 * what is at an address is still what it has decoded.
 */

/** Fixed: loops over a growable SharedArrayBuffer take fifty times as long. */
export const SEGMENT_BYTES = 16 * 2 ** 20;
export const UNIT_BYTES = 64;
const UNIT_WORDS = UNIT_BYTES / Int32Array.BYTES_PER_ELEMENT;
const SEGMENT_BITS = Math.log2(SEGMENT_BYTES / UNIT_BYTES);
export const SEGMENT_UNITS = 1 << SEGMENT_BITS;
export const HEAD_WORDS = 4;
/** Where the head has the version in which it was given out. */
export const HEAD_VERSION = 2;

/** Segment number and unit; NOWHERE, the first unit of all, is never given out. */
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

  /** Reads the segment from now on. */
  add({ number, buffer }: Segment): void {
    this.#views[number] = {
      words: new Int32Array(buffer),
      bytes: Buffer.from(buffer),
      data: new DataView(buffer),
    };
  }

  /** The words of the segment that holds the address; its own begin at `wordAt`. */
  words(address: Address): Int32Array {
    return this.#views[address >>> SEGMENT_BITS]!.words;
  }

  /** The bytes of the segment that holds the address; its own begin at `byteAt`. */
  bytes(address: Address): Buffer {
    return this.#views[address >>> SEGMENT_BITS]!.bytes;
  }

  /** As `bytes`, for numbers at any byte: a Buffer reads them several times slower. */
  data(address: Address): DataView {
    return this.#views[address >>> SEGMENT_BITS]!.data;
  }

  /** So many words at an address. */
  view(address: Address, wordCount: number): Int32Array {
    const { buffer } = this.words(address);
    return new Int32Array(buffer, byteAt(address), wordCount);
  }

  /** In which version it was given out: no other content was ever shown there with the same. */
  versionOf(address: Address): number {
    return this.words(address)[headAt(address) + HEAD_VERSION]!;
  }
}

export function addressOf(segment: number, unit: number): Address {
  return (segment << SEGMENT_BITS) | unit;
}

/** Index of the word with which its head begins. */
export function headAt(address: Address): number {
  return (address & (SEGMENT_UNITS - 1)) * UNIT_WORDS;
}

/** Index of its first word, behind the head. */
export function wordAt(address: Address): number {
  return headAt(address) + HEAD_WORDS;
}

export function byteAt(address: Address): number {
  return wordAt(address) * Int32Array.BYTES_PER_ELEMENT;
}

/** Units that so many words and a head take. */
export function unitsFor(wordCount: number): number {
  return Math.ceil((wordCount + HEAD_WORDS) / UNIT_WORDS);
}

/** Words that fit into so many units, without the head. */
export function wordsIn(units: number): number {
  return units * UNIT_WORDS - HEAD_WORDS;
}
