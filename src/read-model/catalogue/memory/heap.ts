/**
 * The writer's side of the memory: allocates pieces, and frees them once no reader needs them.
 *
 * Published pieces are never written again. `own` copies where that is needed; pieces made since the last version are
 * written in place. Free neighbours are joined, and a piece is cut from the smallest bin whose pieces all fit: a year
 * of changes takes no more memory than its largest day.
 */
import {
  type Address,
  addressOf,
  byteAt,
  HEAD_VERSION,
  headAt,
  Memory,
  NOWHERE,
  type Segment,
  SEGMENT_BYTES,
  SEGMENT_UNITS,
  UNIT_BYTES,
  unitsFor,
  wordsIn,
} from './memory.ts';
import { assertState, IS_CHECKING } from '../../../runtime/assertions.ts';
import { isBefore, NOTHING_SHOWN, type Publishing, versionAfter } from './publication.ts';

// The head of a piece. Free pieces are linked; those given out have their version in the place of one of the links.
const UNITS = 0;
/** Units of the piece before it in the segment; 0 for the first one. Negative units: the piece is free. */
const UNITS_BEFORE = 1;
const NEXT_FREE = HEAD_VERSION;
const PREVIOUS_FREE = 3;

const BIN_COUNT = 80;

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** `Buffer.copy` moves shared memory as a block; `fill` and `set` of typed arrays go word by word, and take twice as long. */
const ZEROS = Buffer.alloc(64 * 1024);

const SPOILED = 0x5a;

export interface HeapUse {
  /** Bytes of all segments. */
  readonly bytes: number;
  /** Free, or retired and soon free. */
  readonly freeBytes: number;
}

/** The published part of a segment: the first unit and the size of each piece, ascending. */
export interface SegmentImage extends Segment {
  readonly pieces: Int32Array;
}

/** One published version. */
export interface HeapImage {
  readonly version: number;
  readonly segments: readonly SegmentImage[];
}

export interface HeapOptions {
  readonly publishing: Publishing;
  /** Called with every new segment before it is used. */
  readonly onSegment?: (segment: Segment) => void;
}

export class Heap extends Memory {
  readonly #publishing: Publishing;
  readonly #onSegment: (segment: Segment) => void;
  readonly #bins = new Int32Array(BIN_COUNT);
  readonly #segments: Segment[] = [];
  /** Unreachable from this version on, in the order of versions. */
  #retired: { readonly address: Address; readonly version: number }[] = [];
  #nextSegment = 0;
  #freeUnits = 0;
  #heldVersion: number | undefined;
  /** The version being made; its pieces are not published yet. */
  #version: number;

  constructor({ publishing, onSegment = () => undefined }: HeapOptions) {
    super();
    this.#publishing = publishing;
    this.#onSegment = onSegment;
    this.#version = versionAfter(publishing.publishedVersion);
  }

  get use(): HeapUse {
    return { bytes: this.#segments.length * SEGMENT_BYTES, freeBytes: this.#freeUnits * UNIT_BYTES };
  }

  /** Allocates words, all 0 unless `isCleared` is false; NOWHERE for none. */
  allocate(wordCount: number, isCleared = true): Address {
    if (wordCount === 0) return NOWHERE;
    const units = unitsFor(wordCount);
    if (units >= SEGMENT_UNITS) throw new RangeError(`${wordCount} words do not fit into a segment`);
    const address = this.#takeFree(units) ?? this.#takeFree(units, this.#addSegment())!;
    const words = this.words(address);
    const head = headAt(address);
    words[head + HEAD_VERSION] = this.#version;
    if (isCleared) this.#clear(address, 0, wordsIn(units));
    return address;
  }

  /** Frees a piece that later versions do not use. */
  release(address: Address): void {
    if (address === NOWHERE) return;
    if (this.isOwn(address)) this.#free(address);
    else this.#retired.push({ address, version: this.#version });
  }

  /** Whether it was made since the last version, and may be written. */
  isOwn(address: Address): boolean {
    return this.versionOf(address) === this.#version;
  }

  /** The same words for writing, with room for `wordCount`; added words are 0. */
  own(address: Address, wordCount: number): Address {
    const room = address === NOWHERE ? 0 : this.#roomOf(address);
    if (room >= wordCount && wordCount > 0 && this.isOwn(address)) return address;
    const grown = this.allocate(wordCount, false);
    const kept = Math.min(room, wordCount);
    if (kept > 0) {
      const from = byteAt(address);
      this.bytes(address).copy(this.bytes(grown), byteAt(grown), from, from + kept * WORD_BYTES);
    }
    this.#clear(grown, kept, wordsIn(unitsFor(wordCount)));
    this.release(address);
    return grown;
  }

  copy(address: Address): Address {
    if (address === NOWHERE) return NOWHERE;
    const room = this.#roomOf(address);
    const copied = this.allocate(room, false);
    const from = byteAt(address);
    this.bytes(address).copy(this.bytes(copied), byteAt(copied), from, from + room * WORD_BYTES);
    return copied;
  }

  /** Clears the words from `from` to `until` of a piece. */
  #clear(address: Address, from: number, until: number): void {
    const bytes = this.bytes(address);
    const end = byteAt(address) + until * WORD_BYTES;
    for (let at = byteAt(address) + from * WORD_BYTES; at < end; at += ZEROS.length)
      ZEROS.copy(bytes, at, 0, Math.min(ZEROS.length, end - at));
  }

  /** Publishes `root`, and frees pieces that no reader needs. */
  show(root: Address): void {
    const { publishedVersion } = this.#publishing;
    assertState(
      publishedVersion === NOTHING_SHOWN || isBefore(publishedVersion, this.#version),
      'a later version follows the one that is shown',
    );
    this.#publishing.publishRoot(root);
    this.#publishing.publishVersion(this.#version);
    this.#version = versionAfter(this.#version);
    const claimed = this.#publishing.oldestClaim();
    const held = this.#heldVersion ?? claimed;
    const oldest = isBefore(held, claimed) ? held : claimed;
    const firstKept = this.#retired.findIndex(({ version }) => isBefore(oldest, version));
    const unneeded = this.#retired.splice(0, firstKept < 0 ? this.#retired.length : firstKept);
    for (const { address } of unneeded) this.#free(address);
  }

  /**
   * Holds the published version, if nothing was allocated since. Its pieces do not change before `endHold`, though the
   * rest of its segments does; of their heads, only the version is reliable.
   */
  hold(): HeapImage {
    const version = this.#publishing.publishedVersion;
    const retired = new Set(this.#retired.map(({ address }) => address));
    const segments = this.#segments.map((segment) => ({
      ...segment,
      pieces: this.#piecesOf(segment, retired),
    }));
    this.#heldVersion = version;
    return { version, segments };
  }

  endHold(): void {
    this.#heldVersion = undefined;
  }

  /** Adopts an image in memory of its own; of its heads, only the version must be right. */
  adopt({ version, segments }: HeapImage): void {
    if (this.#segments.length > 0) throw new Error('the heap has segments already');
    for (const { pieces, ...segment } of segments) {
      this.#nextSegment = segment.number;
      this.#takeSegment(segment);
      this.#layOut(segment.number, pieces);
    }
    this.#version = versionAfter(version);
  }

  #piecesOf({ number }: Segment, retired: ReadonlySet<Address>): Int32Array {
    const pieces: number[] = [];
    for (let unit = 1; unit < SEGMENT_UNITS;) {
      const address = addressOf(number, unit);
      const units = this.words(address)[headAt(address) + UNITS]!;
      if (units > 0 && !retired.has(address)) pieces.push(unit, units);
      unit += Math.abs(units);
    }
    return Int32Array.from(pieces);
  }

  /** Writes the heads of pieces, and of the free ones between them. */
  #layOut(segment: number, pieces: Int32Array): void {
    let end = 1;
    let unitsBefore = 0;
    const put = (units: number, isFree: boolean): void => {
      if (units === 0) return;
      const address = addressOf(segment, end);
      this.#setUnits(address, units, unitsBefore);
      if (isFree) this.#link(address);
      unitsBefore = units;
      end += units;
    };
    for (let index = 0; index < pieces.length; index += 2) {
      put(pieces[index]! - end, true);
      put(pieces[index + 1]!, false);
    }
    put(SEGMENT_UNITS - end, true);
  }

  #takeSegment(segment: Segment): void {
    this.add(segment);
    this.#segments.push(segment);
    this.#nextSegment++;
    this.#onSegment(segment);
  }

  #roomOf(address: Address): number {
    return wordsIn(this.words(address)[headAt(address) + UNITS]!);
  }

  #addSegment(): Address {
    const number = this.#nextSegment;
    this.#takeSegment({ number, buffer: new SharedArrayBuffer(SEGMENT_BYTES) });
    // The first unit is left out: in segment 0 it is NOWHERE.
    const address = addressOf(number, 1);
    this.#setUnits(address, SEGMENT_UNITS - 1, 0);
    this.#link(address);
    return address;
  }

  /** A free piece of the size, cut from a larger one; only `from` is tried if given. */
  #takeFree(units: number, from?: Address): Address | undefined {
    const address = from ?? this.#findFree(units);
    if (address === undefined) return undefined;
    const words = this.words(address);
    const head = headAt(address);
    const left = -words[head + UNITS]! - units;
    this.#unlink(address);
    this.#setUnits(address, units, words[head + UNITS_BEFORE]!);
    if (left > 0) {
      this.#setUnits(address + units, left, units);
      this.#link(address + units);
    }
    return address;
  }

  #findFree(units: number): Address | undefined {
    for (let bin = binOf(roundUp(units)); bin < BIN_COUNT; bin++) {
      if (this.#bins[bin] !== NOWHERE) return this.#bins[bin];
    }
    return undefined;
  }

  /** Frees a piece and joins it with free neighbours. */
  #free(address: Address): void {
    const words = this.words(address);
    let start = address;
    let units = words[headAt(address) + UNITS]!;
    assertState(units > 0, 'a piece is freed once');
    if (IS_CHECKING) this.#spoil(address, units);
    const behind = address + units;
    if ((behind & (SEGMENT_UNITS - 1)) !== 0 && words[headAt(behind) + UNITS]! < 0) {
      this.#unlink(behind);
      units -= words[headAt(behind) + UNITS]!;
    }
    const before = words[headAt(address) + UNITS_BEFORE]!;
    if (before > 0 && words[headAt(address - before) + UNITS]! < 0) {
      start -= before;
      this.#unlink(start);
      units += before;
    }
    this.#setUnits(start, units, words[headAt(start) + UNITS_BEFORE]!);
    this.#link(start);
  }

  /** Who reads a piece that is free finds nonsense, and not by chance what stood there. */
  #spoil(address: Address, units: number): void {
    const from = byteAt(address);
    this.bytes(address).fill(SPOILED, from, from + wordsIn(units) * WORD_BYTES);
  }

  #setUnits(address: Address, units: number, unitsBefore: number): void {
    const words = this.words(address);
    words[headAt(address) + UNITS] = units;
    words[headAt(address) + UNITS_BEFORE] = unitsBefore;
    const behind = address + units;
    if ((behind & (SEGMENT_UNITS - 1)) !== 0) words[headAt(behind) + UNITS_BEFORE] = units;
  }

  /** Puts a piece into its bin; its units become negative. */
  #link(address: Address): void {
    const words = this.words(address);
    const head = headAt(address);
    const units = words[head + UNITS]!;
    const bin = binOf(units);
    const next = this.#bins[bin]!;
    words[head + UNITS] = -units;
    words[head + NEXT_FREE] = next;
    words[head + PREVIOUS_FREE] = NOWHERE;
    if (next !== NOWHERE) this.words(next)[headAt(next) + PREVIOUS_FREE] = address;
    this.#bins[bin] = address;
    this.#freeUnits += units;
  }

  #unlink(address: Address): void {
    const words = this.words(address);
    const head = headAt(address);
    const next = words[head + NEXT_FREE]!;
    const previous = words[head + PREVIOUS_FREE]!;
    if (next !== NOWHERE) this.words(next)[headAt(next) + PREVIOUS_FREE] = previous;
    if (previous !== NOWHERE) this.words(previous)[headAt(previous) + NEXT_FREE] = next;
    else this.#bins[binOf(-words[head + UNITS]!)] = next;
    this.#freeUnits += words[head + UNITS]!;
  }
}

/** Four bins for each power of two. */
function binOf(units: number): number {
  const exponent = 31 - Math.clz32(units);
  return exponent < 2 ? units : exponent * 4 + ((units >>> (exponent - 2)) & 3);
}

/** The smallest size of a bin whose pieces all fit. */
function roundUp(units: number): number {
  const exponent = 31 - Math.clz32(units);
  const rest = exponent < 2 ? 0 : (1 << (exponent - 2)) - 1;
  return (units + rest) & ~rest;
}
