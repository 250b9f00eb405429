/**
 * Advance windows in the index: how many days after today a check-in has to be at least, and may be at most.
 *
 * Today differs by timezone, so the limits are kept by timezone, and a search compares each with the days that its
 * check-in is ahead there. Limits are numbers across bit planes (`stay-lengths.ts`), written so that every test reads
 * "number <= threshold" and 0 means no limit.
 */
import { ADVANCE_DAYS_MAX } from '../../domain/stay-limits.ts';
import { BitLines } from './bit-lines.ts';
import { compareBit, zeroMask } from './stay-lengths.ts';

/** Numbers go up to 731. */
const PLANES = 10;
const NUMBER_MAX = 2 ** PLANES - 1;

/**
 * `minAdvanceDays` is its own number: it holds when it is at most the days ahead. `maxAdvanceDays` holds when this
 * number is at most `daysLeft`, or 0 where that is below 0.
 */
export function maxAdvanceNumber(mostDays: number): number {
  return ADVANCE_DAYS_MAX + 1 - mostDays;
}

/** The threshold for `maxAdvanceNumber`. */
export function daysLeft(daysAhead: number): number {
  return ADVANCE_DAYS_MAX + 1 - daysAhead;
}

/** One limit of every row that has it, by timezone. */
export class AdvanceLimits {
  readonly planes = new Map<string, BitLines>();
  /** No row has a larger number; may be too high after a removal. */
  #largest = 0;

  /** False when no row has a limit. */
  get isSet(): boolean {
    return this.planes.size > 0;
  }

  copy(): AdvanceLimits {
    const copy = new AdvanceLimits();
    for (const [timezone, planes] of this.planes) copy.planes.set(timezone, planes.copy());
    copy.#largest = this.#largest;
    return copy;
  }

  /** Gives a row whose bits are clear its number. */
  set(timezone: string, row: number, number: number, wordsPerLine: number): void {
    if (number === 0) return;
    this.#largest = Math.max(this.#largest, number);
    let planes = this.planes.get(timezone);
    if (planes === undefined) {
      planes = new BitLines(PLANES, wordsPerLine);
      this.planes.set(timezone, planes);
    }
    for (let plane = 0; plane < PLANES; plane++) if (((number >>> plane) & 1) === 1) planes.set(plane, row);
  }

  /** Clears in `rows` (words `from` to `until`) every row whose number exceeds the threshold of its timezone. */
  keepUpTo(
    thresholdOf: (timezone: string) => number,
    rows: Int32Array,
    offset: number,
    from: number,
    until: number,
  ): void {
    for (const [timezone, planes] of this.planes) {
      const threshold = Math.min(Math.max(thresholdOf(timezone), 0), NUMBER_MAX);
      // Mostly so: limits are a few days at least or a year at most, and a check-in is between them.
      if (threshold < this.#largest) dropExceeding(planes, threshold, rows, offset, from, until);
    }
  }
}

/** Written out, as in `stay-lengths.ts`: a loop over the planes takes several times as long. */
function dropExceeding(
  { words, wordsPerLine: width }: BitLines,
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
  const zero6 = zeroMask(threshold, 6);
  const zero7 = zeroMask(threshold, 7);
  const zero8 = zeroMask(threshold, 8);
  const zero9 = zeroMask(threshold, 9);
  for (let word = from; word < until; word++) {
    let exceeding = words[word]! & zero0;
    exceeding = compareBit(exceeding, words[word + width]!, zero1);
    exceeding = compareBit(exceeding, words[word + 2 * width]!, zero2);
    exceeding = compareBit(exceeding, words[word + 3 * width]!, zero3);
    exceeding = compareBit(exceeding, words[word + 4 * width]!, zero4);
    exceeding = compareBit(exceeding, words[word + 5 * width]!, zero5);
    exceeding = compareBit(exceeding, words[word + 6 * width]!, zero6);
    exceeding = compareBit(exceeding, words[word + 7 * width]!, zero7);
    exceeding = compareBit(exceeding, words[word + 8 * width]!, zero8);
    exceeding = compareBit(exceeding, words[word + 9 * width]!, zero9);
    rows[offset + word] = rows[offset + word]! & ~exceeding;
  }
}
