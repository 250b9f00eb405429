/**
 * Minimum and maximum stays in the index: small numbers stored across bits, compared for 32 rows at a time.
 *
 * A limit is written as a number from 0 (no limit) to 61 so that every test reads "number <= threshold". Bit b of the
 * number of a row is in plane b. The planes of a night are adjacent, because a search wants all of
 * them at once, and from memory that it has not touched before. There are as many as the largest number needs: none
 * where nothing is limited, three for the usual minimum stays of up to a week, else six.
 */
import { limitKindOf, STAY_LENGTH_FIELDS, type StayLengthField } from '../../domain/calendar-fields.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { type Memory, NOWHERE } from '../memory/memory.ts';
import type { RecordReader, RecordWriter } from '../memory/record.ts';
import { BitLines } from './bit-lines.ts';

/** They ask for at least so many nights; the others allow at most so many. */
const MINIMUM_FIELDS: ReadonlySet<StayLengthField> = new Set(
  STAY_LENGTH_FIELDS.filter((field) => limitKindOf(field) === 'minimum'),
);

/** A limit of a field as a number; a stay holds it when it is at most the `stayThreshold` of its nights. */
export function limitNumber(field: StayLengthField, limit: number): number {
  return MINIMUM_FIELDS.has(field) ? minStayNumber(limit) : maxStayNumber(limit);
}

/** What the numbers of a field are compared with, for a stay of so many nights. */
export function stayThreshold(field: StayLengthField, nightCount: number): number {
  return MINIMUM_FIELDS.has(field) ? nightCount : STAY_NIGHTS_MAX - nightCount;
}

/** A minimum stay holds when `minStayNumber(min) <= nights`. Above 60 no stay is long enough. */
export function minStayNumber(minNights: number): number {
  if (minNights <= 1) return 0;
  return Math.min(minNights, STAY_NIGHTS_MAX + 1);
}

/** A maximum stay holds when `maxStayNumber(max) <= 60 - nights`: nights <= max, turned round. */
export function maxStayNumber(maxNights: number): number {
  return maxNights >= STAY_NIGHTS_MAX ? 0 : STAY_NIGHTS_MAX - maxNights;
}

const SHORT_PLANES = 3;
/** Numbers go up to 61. */
const LONG_PLANES = 6;

export class StayLengths {
  readonly #memory: Memory;
  #planeCount = 0;
  /** Line `night line * #planeCount + bit`. */
  #planes: BitLines | undefined;
  /** No row has a larger number; may be too high after a removal. */
  #largest = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  static read(
    memory: Memory,
    record: RecordReader,
    { nightLineCount, wordsPerLine }: LineShape,
  ): StayLengths {
    const lengths = new StayLengths(memory);
    lengths.#planeCount = record.take();
    lengths.#largest = record.take();
    const address = record.take();
    if (address !== NOWHERE)
      lengths.#planes = new BitLines(memory, nightLineCount * lengths.#planeCount, wordsPerLine, address);
    return lengths;
  }

  write(record: RecordWriter): void {
    record.put(this.#planeCount, this.#largest, this.#planes?.address ?? NOWHERE);
  }

  /** False when no row can exceed the threshold. */
  canExceed(threshold: number): boolean {
    return this.#largest > threshold;
  }

  /** The planes as lines of rows, for rows that come and go; undefined while nothing is limited. */
  get lines(): BitLines | undefined {
    return this.#planes;
  }

  copy(): StayLengths {
    const copy = new StayLengths(this.#memory);
    copy.#planeCount = this.#planeCount;
    copy.#planes = this.#planes?.copy();
    copy.#largest = this.#largest;
    return copy;
  }

  clearNight(line: number): void {
    for (let bit = 0; bit < this.#planeCount; bit++) this.#planes!.clearLine(line * this.#planeCount + bit);
  }

  /** Gives a row whose bits are clear its number in `count` night lines from `line` on. */
  setRun(line: number, count: number, row: number, number: number, shape: LineShape): void {
    if (number === 0) return;
    this.#largest = Math.max(this.#largest, number);
    this.#reachPlanes(number >>> SHORT_PLANES === 0 ? SHORT_PLANES : LONG_PLANES, shape);
    const planes = this.#planes!;
    for (let bit = 0; bit < this.#planeCount; bit++) {
      if (((number >>> bit) & 1) === 0) continue;
      planes.setRun(line * this.#planeCount + bit, count, row, this.#planeCount);
    }
  }

  /** Clears in `rows` (words `from` to `until`) every row whose number exceeds the threshold. */
  keepUpTo(
    threshold: number,
    line: number,
    rows: Int32Array,
    offset: number,
    from: number,
    until: number,
  ): void {
    const planes = this.#planes;
    if (planes === undefined || !this.canExceed(threshold)) return;
    const keep = this.#planeCount === SHORT_PLANES ? keepShort : keepLong;
    keep(planes, line * this.#planeCount, threshold, rows, offset, from, until);
  }

  #reachPlanes(planeCount: number, { nightLineCount, wordsPerLine }: LineShape): void {
    if (planeCount <= this.#planeCount) return;
    // What was written of a row so far goes with it.
    this.#planes?.commit();
    const grown = new BitLines(this.#memory, nightLineCount * planeCount, wordsPerLine);
    for (let line = 0; line < nightLineCount; line++) {
      for (let bit = 0; bit < this.#planeCount; bit++) {
        const from = (line * this.#planeCount + bit) * wordsPerLine;
        const planes = this.#planes!.words.subarray(from, from + wordsPerLine);
        grown.words.set(planes, (line * planeCount + bit) * wordsPerLine);
      }
    }
    this.#planes?.release();
    this.#planes = grown;
    this.#planeCount = planeCount;
  }
}

/** How many night lines a block has, and how long they are. */
export interface LineShape {
  readonly nightLineCount: number;
  readonly wordsPerLine: number;
}

/*
 * Both functions compare from the lowest bit up. `exceeding` marks the rows whose bits so far are a larger number than
 * the threshold's bits so far. Where the threshold has a 0, a row with a 1 exceeds and every other row stays as it is;
 * where it has a 1, a row with a 0 falls below and every other row stays as it is. They are written out, because a
 * loop over the planes takes twice as long.
 */

function keepShort(
  { words, wordsPerLine }: BitLines,
  firstPlane: number,
  threshold: number,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  const zero0 = zeroMask(threshold, 0);
  const zero1 = zeroMask(threshold, 1);
  const zero2 = zeroMask(threshold, 2);
  const base = firstPlane * wordsPerLine;
  for (let word = from; word < until; word++) {
    const at = base + word;
    let exceeding = words[at]! & zero0;
    exceeding = compareBit(exceeding, words[at + wordsPerLine]!, zero1);
    exceeding = compareBit(exceeding, words[at + 2 * wordsPerLine]!, zero2);
    rows[offset + word] = rows[offset + word]! & ~exceeding;
  }
}

function keepLong(
  { words, wordsPerLine }: BitLines,
  firstPlane: number,
  threshold: number,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  const zero0 = zeroMask(threshold, 0);
  const zero1 = zeroMask(threshold, 1);
  const zero2 = zeroMask(threshold, 2);
  const zero3 = zeroMask(threshold, 3);
  const zero4 = zeroMask(threshold, 4);
  const zero5 = zeroMask(threshold, 5);
  const base = firstPlane * wordsPerLine;
  for (let word = from; word < until; word++) {
    const at = base + word;
    let exceeding = words[at]! & zero0;
    exceeding = compareBit(exceeding, words[at + wordsPerLine]!, zero1);
    exceeding = compareBit(exceeding, words[at + 2 * wordsPerLine]!, zero2);
    exceeding = compareBit(exceeding, words[at + 3 * wordsPerLine]!, zero3);
    exceeding = compareBit(exceeding, words[at + 4 * wordsPerLine]!, zero4);
    exceeding = compareBit(exceeding, words[at + 5 * wordsPerLine]!, zero5);
    rows[offset + word] = rows[offset + word]! & ~exceeding;
  }
}

/** All ones where the number has a 0 at this bit, else 0. */
function zeroMask(number: number, bit: number): number {
  return ((number >>> bit) & 1) - 1;
}

/** Or-s the bits in where the mask is all ones, and-s them where it is 0. */
function compareBit(exceeding: number, bits: number, zero: number): number {
  return (exceeding & (bits | zero)) | (bits & zero);
}
