/**
 * Limits of the nights in the index: closings, minimum and maximum stays, compared for 32 rows at a time.
 *
 * A limit is a number from 0 (no limit) to 61, so that every test reads "number <= threshold". Bit b of a row's number
 * is in plane b. The planes of a night are adjacent, because a search needs all of them at once from cold memory. The
 * largest number decides how many there are: none without limits, one for closings, three for minimum stays of up to a
 * week, else six.
 *
 * Nights on which every row has the same number share their planes: limits are set for a season or a weekday, seldom
 * for one night. Such nights are a group, and each night line names its group.
 */
import {
  CLOSING_FIELDS,
  type ClosingField,
  limitKindOf,
  STAY_LENGTH_FIELDS,
  type StayLengthField,
} from '../../../domain/calendar-fields.ts';
import { STAY_NIGHTS_MAX } from '../../../domain/stay-limits.ts';
import { byteAt, type Memory } from '../memory/memory.ts';
import { Part } from '../memory/part.ts';
import type { RecordReader, RecordWriter } from '../memory/record.ts';
import { BitLines, NO_LINE, type RowRange } from './bit-lines.ts';
import { scratchOf } from './scratch.ts';

export type LimitField = ClosingField | StayLengthField;
export const LIMIT_FIELDS: readonly LimitField[] = [...CLOSING_FIELDS, ...STAY_LENGTH_FIELDS];

/** A limit as a number; a stay meets it when it is at most the `stayThreshold` of its nights. */
export function limitNumber(field: LimitField, limit: number): number {
  const kind = limitKindOf(field);
  if (kind === 'minimum') return minStayNumber(limit);
  return kind === 'maximum' ? maxStayNumber(limit) : Math.min(limit, 1);
}

/** The limit of a number: the inverse of `limitNumber`, undefined for none. Minimum stays above 60 nights are 61. */
export function limitOfNumber(field: LimitField, number: number): number | undefined {
  if (number === 0) return undefined;
  return limitKindOf(field) === 'maximum' ? STAY_NIGHTS_MAX - number : number;
}

/** The threshold of a field for a stay of so many nights. */
export function stayThreshold(field: LimitField, nightCount: number): number {
  const kind = limitKindOf(field);
  if (kind === 'minimum') return nightCount;
  return kind === 'maximum' ? STAY_NIGHTS_MAX - nightCount : 0;
}

/** A minimum stay is met when `minStayNumber(min) <= nights`. Above 60 no stay is long enough. */
export function minStayNumber(minNights: number): number {
  if (minNights <= 1) return 0;
  return Math.min(minNights, STAY_NIGHTS_MAX + 1);
}

/** A maximum stay is met when `maxStayNumber(max) <= 60 - nights`: nights <= max, turned round. */
export function maxStayNumber(maxNights: number): number {
  return maxNights >= STAY_NIGHTS_MAX ? 0 : STAY_NIGHTS_MAX - maxNights;
}

export interface RowLimits {
  /** By night line. */
  readonly numbers: Uint8Array;
  /** At least the largest of them. */
  largest: number;
}

const CLOSING_PLANES = 1;
const SHORT_PLANES = 3;
/** Numbers go up to 61. */
const LONG_PLANES = 6;

/** When groups grow by this factor over the distinct ones, equal groups are joined. */
const GROUPS_GROWTH = 2;
const GROUPS_MIN = 8;
/** Room for groups grows by this factor. */
const ROOM = 1.25;
/** Never a valid number. */
const UNKNOWN_NUMBER = 255;

export class NightLimits {
  readonly #nightLineCount: number;
  #planeCount: number;
  /** No row has a larger number; may be too high after a removal. */
  #largest: number;
  /** Line `group * #planeCount + bit`; there may be spare lines after the last group. */
  readonly #planes: BitLines;
  #groupCount: number;
  /** The group of each night line, two in a word; empty without limits. */
  readonly #groups: Part;
  /** Distinct groups at the last count. */
  #differentCount: number;

  /** Reads a record; without one there are no limits. */
  constructor(memory: Memory, nightLineCount: number, wordsPerLine: number, record?: RecordReader) {
    this.#nightLineCount = nightLineCount;
    this.#planeCount = record?.take() ?? 0;
    this.#largest = record?.take() ?? 0;
    this.#planes = new BitLines(memory, record?.take() ?? 0, wordsPerLine, record?.takeAddress());
    this.#groups = new Part(memory, this.#planeCount === 0 ? 0 : this.#groupWords, record?.takeAddress());
    this.#groupCount = record?.take() ?? 0;
    this.#differentCount = this.#groupCount;
  }

  write(record: RecordWriter): void {
    record.put(this.#planeCount, this.#largest, this.#planes.lineCount);
    record.put(this.#planes.address, this.#groups.address, this.#groupCount);
  }

  release(): void {
    this.#planes.release();
    this.#groups.release();
  }

  /** False when no row can exceed the threshold. */
  canExceed(threshold: number): boolean {
    return this.#largest > threshold;
  }

  /** Whether a group is one line, of the rows whose number is 1. */
  get hasOnePlane(): boolean {
    return this.#planeCount === CLOSING_PLANES;
  }

  /** The planes of all groups as lines, for inserting and removing rows. */
  get lines(): BitLines {
    return this.#planes;
  }

  /** The group of a night that some row may exceed. */
  groupOf(line: number): number {
    return groupAt(this.#groups.words, line);
  }

  /** The first word of a group's planes. */
  wordOf(group: number): number {
    return group * this.#planeCount * this.#planes.wordsPerLine;
  }

  /** The number of one row on one night line. */
  numberAt(line: number, row: number): number {
    if (this.#planeCount === 0) return 0;
    const first = this.groupOf(line) * this.#planeCount;
    let number = 0;
    for (let bit = 0; bit < this.#planeCount; bit++)
      if (this.#planes.has(first + bit, row)) number |= 1 << bit;
    return number;
  }

  clearNights(lines: readonly number[]): void {
    if (this.#planeCount === 0) return;
    const empty = this.#addGroups([NO_LINE]);
    const words = this.#groups.own();
    for (const line of lines) setGroup(words, line, empty);
    this.#share();
  }

  /** Sets a row's number on each night line, or clears it, whatever it was. */
  writeRow(row: number, given?: RowLimits): void {
    const isLimited = given !== undefined && given.largest > 0;
    if (isLimited) this.#reach(given.largest);
    const planeCount = this.#planeCount;
    const ofGroups = isLimited ? this.#splitGroups(given.numbers) : undefined;
    const bits = scratchOf('bits', this.#planes.lineCount);
    if (ofGroups !== undefined) {
      for (let group = 0; group < this.#groupCount; group++)
        for (let bit = 0; bit < planeCount; bit++)
          bits[group * planeCount + bit] = (ofGroups[group]! >>> bit) & 1;
    }
    this.#planes.writeRow(row, bits);
    if (this.#groupCount > GROUPS_MIN + GROUPS_GROWTH * this.#differentCount) this.#share();
  }

  /**
   * Clears every row whose number exceeds the threshold on a group's nights, for
   * groups with several planes.
   */
  keepUpTo(threshold: number, group: number, rows: RowRange): void {
    const keep = this.#planeCount === SHORT_PLANES ? keepShort : keepLong;
    keep(this.#planes, this.wordOf(group), threshold, rows);
  }

  get #groupWords(): number {
    return Math.ceil(this.#nightLineCount / 2);
  }

  /** Splits each group by the new numbers of its nights; returns the number of each group afterwards. */
  #splitGroups(numbers: Uint8Array): Uint8Array {
    const count = this.#groupCount;
    let { words } = this.#groups;
    const ofGroups = scratchOf('numbers of groups', count + numbers.length).fill(UNKNOWN_NUMBER);
    const copied: number[] = [];
    /** The group of each old group and number. */
    const parts = new Map<number, number>();
    for (let line = 0; line < numbers.length; line++) {
      const number = numbers[line]!;
      const group = groupAt(words, line);
      // The first part of a group keeps its place.
      if (ofGroups[group] === UNKNOWN_NUMBER) ofGroups[group] = number;
      if (ofGroups[group] === number) continue;
      if (copied.length === 0) words = this.#groups.own();
      const key = (group << LONG_PLANES) | number;
      let part = parts.get(key);
      if (part === undefined) {
        part = count + copied.push(group) - 1;
        parts.set(key, part);
        ofGroups[part] = number;
      }
      setGroup(words, line, part);
    }
    if (copied.length > 0) this.#addGroups(copied);
    return ofGroups;
  }

  /** Appends copies of groups; an empty one for NO_LINE. Returns the first of them. */
  #addGroups(groups: readonly number[]): number {
    const first = this.#groupCount;
    const planeCount = this.#planeCount;
    this.#groupCount += groups.length;
    if (this.#groupCount * planeCount > this.#planes.lineCount)
      this.#planes.extend(Math.ceil(this.#groupCount * ROOM) * planeCount);
    for (const [index, group] of groups.entries())
      if (group !== NO_LINE)
        this.#planes.copyLines(group * planeCount, (first + index) * planeCount, planeCount);
    return first;
  }

  #arrange(groups: readonly number[], planeCount = this.#planeCount): void {
    const lineOf = (group: number, bit: number): number =>
      group === NO_LINE || bit >= this.#planeCount ? NO_LINE : group * this.#planeCount + bit;
    const bits = Array.from({ length: planeCount }, (_, bit) => bit);
    this.#planes.arrange(groups.flatMap((group) => bits.map((bit) => lineOf(group, bit))));
    this.#planeCount = planeCount;
    this.#groupCount = groups.length;
  }

  /** Joins groups that have become equal, and drops unused ones. */
  #share(): void {
    const { memory, address } = this.#planes;
    const bytes = memory.bytes(address);
    const groupBytes = this.wordOf(1) * Int32Array.BYTES_PER_ELEMENT;
    const kept: number[] = [];
    const byContent = new Map<string, number>();
    const shared: number[] = [];
    const words = this.#groups.own();
    for (let line = 0; line < this.#nightLineCount; line++) {
      const group = this.groupOf(line);
      if (shared[group] === undefined) {
        const start = byteAt(address) + group * groupBytes;
        const content = bytes.toString('latin1', start, start + groupBytes);
        shared[group] = byContent.get(content) ?? kept.push(group) - 1;
        byContent.set(content, shared[group]);
      }
      setGroup(words, line, shared[group]);
    }
    this.#arrange(kept);
    this.#differentCount = kept.length;
  }

  /** Adds planes for a number. */
  #reach(number: number): void {
    this.#largest = Math.max(this.#largest, number);
    const planeCount = [CLOSING_PLANES, SHORT_PLANES, LONG_PLANES].find((count) => number >>> count === 0)!;
    if (planeCount <= this.#planeCount) return;
    // All nights are one empty group before the first number.
    const groups =
      this.#planeCount === 0 ? [NO_LINE] : Array.from({ length: this.#groupCount }, (_, group) => group);
    this.#groups.resize(this.#groupWords);
    this.#arrange(groups, planeCount);
  }
}

function groupAt(words: Int32Array, line: number): number {
  return (words[line >>> 1]! >>> ((line & 1) << 4)) & 0xffff;
}

function setGroup(words: Int32Array, line: number, group: number): void {
  const shift = (line & 1) << 4;
  words[line >>> 1] = (words[line >>> 1]! & ~(0xffff << shift)) | (group << shift);
}

/*
 * Both functions compare from the lowest bit up. `exceeding` marks the rows whose bits so far are a larger number than
 * the threshold's bits so far. Where the threshold has a 0, a row with a 1 exceeds and every other row stays as it is;
 * where it has a 1, a row with a 0 falls below and every other row stays as it is. They are written out, because a
 * loop over the planes takes twice as long.
 */

function keepShort(planes: BitLines, base: number, threshold: number, rows: RowRange): void {
  const { words, wordsPerLine } = planes;
  const { bits, offset, from, until } = rows;
  const zero0 = zeroMask(threshold, 0);
  const zero1 = zeroMask(threshold, 1);
  const zero2 = zeroMask(threshold, 2);
  for (let word = from; word < until; word++) {
    const at = base + word;
    let exceeding = words[at]! & zero0;
    exceeding = compareBit(exceeding, words[at + wordsPerLine]!, zero1);
    exceeding = compareBit(exceeding, words[at + 2 * wordsPerLine]!, zero2);
    bits[offset + word] = bits[offset + word]! & ~exceeding;
  }
}

function keepLong(planes: BitLines, base: number, threshold: number, rows: RowRange): void {
  const { words, wordsPerLine } = planes;
  const { bits, offset, from, until } = rows;
  const zero0 = zeroMask(threshold, 0);
  const zero1 = zeroMask(threshold, 1);
  const zero2 = zeroMask(threshold, 2);
  const zero3 = zeroMask(threshold, 3);
  const zero4 = zeroMask(threshold, 4);
  const zero5 = zeroMask(threshold, 5);
  for (let word = from; word < until; word++) {
    const at = base + word;
    let exceeding = words[at]! & zero0;
    exceeding = compareBit(exceeding, words[at + wordsPerLine]!, zero1);
    exceeding = compareBit(exceeding, words[at + 2 * wordsPerLine]!, zero2);
    exceeding = compareBit(exceeding, words[at + 3 * wordsPerLine]!, zero3);
    exceeding = compareBit(exceeding, words[at + 4 * wordsPerLine]!, zero4);
    exceeding = compareBit(exceeding, words[at + 5 * wordsPerLine]!, zero5);
    bits[offset + word] = bits[offset + word]! & ~exceeding;
  }
}

/** All ones if the number has a 0 at this bit, else 0. */
function zeroMask(number: number, bit: number): number {
  return ((number >>> bit) & 1) - 1;
}

/** Or-s the bits in where the mask is all ones, and-s them where it is 0. */
function compareBit(exceeding: number, bits: number, zero: number): number {
  return (exceeding & (bits | zero)) | (bits & zero);
}
