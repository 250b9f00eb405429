/**
 * Release periods and booking windows in the index: the least and the most days from today to check-in.
 *
 * Today differs by timezone, so the limits are kept by timezone, and a search compares them with the days ahead there.
 * Both become numbers that must not exceed a threshold. Catalogues have few distinct limits (a day, a week, a year), so
 * each has a line with all rows whose number is as large or larger: for any threshold, one line has all rows beyond it.
 */
import { ADVANCE_DAYS_MAX } from '../../../domain/stay-limits.ts';
import type { Memory } from '../memory/memory.ts';
import type { RecordReader, RecordWriter } from '../memory/record.ts';
import { BitLines, NO_LINE } from './bit-lines.ts';
import type { UnwantedLines } from './unwanted-lines.ts';

export interface AdvanceWindow {
  readonly minAdvanceDays?: number;
  readonly maxAdvanceDays?: number;
}

interface Zone {
  readonly timezone: string;
  /** `minAdvanceDays`: met when it is at most the days ahead. */
  readonly least: Steps;
  /** `maxAdvanceDays` turned round by `daysLeft`: met when it is at most that of the days ahead. */
  readonly most: Steps;
}

function daysLeft(days: number): number {
  return ADVANCE_DAYS_MAX + 1 - days;
}

/** The limits of every row that has any. */
export class AdvanceWindows {
  /** A list: most blocks have one timezone, and a search visits all of them. */
  #zones: Zone[] = [];
  readonly #memory: Memory;

  /** Reads a record; without one there are no limits. */
  constructor(memory: Memory, wordsPerLine: number, record?: RecordReader) {
    this.#memory = memory;
    for (let left = record?.take() ?? 0; left > 0; left--)
      this.#zones.push(makeZone(record!.takeText(), memory, wordsPerLine, record));
  }

  write(record: RecordWriter): void {
    record.put(this.#zones.length);
    for (const { timezone, least, most } of this.#zones) {
      record.putText(timezone);
      least.write(record);
      most.write(record);
    }
  }

  /** All lines, for inserting and removing rows. */
  *lines(): Iterable<BitLines> {
    for (const { least, most } of this.#zones) yield* [least.lines, most.lines];
  }

  /** Sets the limits of a row whose bits are clear. */
  set(timezone: string, row: number, window: AdvanceWindow, wordsPerLine: number): void {
    const { minAdvanceDays = 0, maxAdvanceDays } = window;
    if (minAdvanceDays > 0) this.#zoneOf(timezone, wordsPerLine).least.set(row, minAdvanceDays);
    if (maxAdvanceDays === undefined) return;
    this.#zoneOf(timezone, wordsPerLine).most.set(row, daysLeft(maxAdvanceDays));
  }

  /** Drops limits without rows. */
  dropUnused(): void {
    for (const { least, most } of this.#zones) {
      least.dropUnused();
      most.dropUnused();
    }
    const isEmpty = ({ least, most }: Zone): boolean => least.isEmpty && most.isEmpty;
    if (this.#zones.some(isEmpty)) this.#zones = this.#zones.filter((zone) => !isEmpty(zone));
  }

  /** The limits of one row. */
  windowOf(timezone: string, row: number): AdvanceWindow {
    const zone = this.#zones.find((one) => one.timezone === timezone);
    const minAdvanceDays = zone?.least.numberOf(row);
    const left = zone?.most.numberOf(row);
    return {
      ...(minAdvanceDays === undefined ? {} : { minAdvanceDays }),
      ...(left === undefined ? {} : { maxAdvanceDays: daysLeft(left) }),
    };
  }

  /** Adds the lines of all rows that refuse a check-in so many days ahead. */
  addOutside(daysAhead: (timezone: string) => number, unwanted: UnwantedLines): void {
    for (const { timezone, least, most } of this.#zones) {
      const ahead = daysAhead(timezone);
      least.addAbove(ahead, unwanted);
      most.addAbove(daysLeft(ahead), unwanted);
    }
  }

  #zoneOf(timezone: string, wordsPerLine: number): Zone {
    const known = this.#zones.find((zone) => zone.timezone === timezone);
    if (known !== undefined) return known;
    const made = makeZone(timezone, this.#memory, wordsPerLine);
    this.#zones.push(made);
    return made;
  }
}

function makeZone(timezone: string, memory: Memory, wordsPerLine: number, record?: RecordReader): Zone {
  const makeSteps = (): Steps => new Steps(memory, wordsPerLine, record);
  return { timezone, least: makeSteps(), most: makeSteps() };
}

/** The distinct numbers of a limit, ascending, each with a line of the rows at this number or above. */
class Steps {
  readonly #numbers: number[];
  readonly lines: BitLines;

  constructor(memory: Memory, wordsPerLine: number, record?: RecordReader) {
    this.#numbers = Array.from({ length: record?.take() ?? 0 }, () => record!.take());
    this.lines = new BitLines(memory, this.#numbers.length, wordsPerLine, record?.takeAddress());
  }

  write(record: RecordWriter): void {
    record.put(this.#numbers.length, ...this.#numbers, this.lines.address);
  }

  get isEmpty(): boolean {
    return this.#numbers.length === 0;
  }

  set(row: number, number: number): void {
    const at = this.#countUpTo(number - 1);
    if (this.#numbers[at] !== number) {
      // As the line behind it: no row has a number in between yet.
      const lines = [...this.#numbers.keys()];
      this.lines.arrange(lines.toSpliced(at, 0, lines[at] ?? NO_LINE));
      this.#numbers.splice(at, 0, number);
    }
    for (let line = 0; line <= at; line++) this.lines.set(line, row);
  }

  /** Undefined for a row without a limit. */
  numberOf(row: number): number | undefined {
    for (let at = this.#numbers.length - 1; at >= 0; at--)
      if (this.lines.has(at, row)) return this.#numbers[at];
    return undefined;
  }

  /** Adds the line of all rows above `threshold`, if there are any. */
  addAbove(threshold: number, unwanted: UnwantedLines): void {
    const line = this.#countUpTo(threshold);
    if (line < this.#numbers.length) unwanted.add(this.lines.words, line * this.lines.wordsPerLine);
  }

  dropUnused(): void {
    for (let at = this.#numbers.length - 1; at >= 0; at--) {
      if (!this.#isLikeNext(at)) continue;
      this.lines.arrange([...this.#numbers.keys()].toSpliced(at, 1));
      this.#numbers.splice(at, 1);
    }
  }

  #countUpTo(limit: number): number {
    const numbers = this.#numbers;
    let count = 0;
    while (count < numbers.length && numbers[count]! <= limit) count++;
    return count;
  }

  /** Whether a line equals the next one; after the last, an empty one. */
  #isLikeNext(line: number): boolean {
    const { words, wordsPerLine, lineCount } = this.lines;
    const base = line * wordsPerLine;
    for (let word = base; word < base + wordsPerLine; word++) {
      if (words[word] !== (line + 1 === lineCount ? 0 : words[word + wordsPerLine])) return false;
    }
    return true;
  }
}
