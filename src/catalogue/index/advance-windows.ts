/**
 * Advance windows in the index: how many days after today a check-in has to be at least, and may be at most.
 *
 * Today differs by timezone, so the limits are kept by timezone, and a search compares each with the days that its
 * check-in is ahead there. Limits are numbers across bit planes (`stay-lengths.ts`), written so that every test reads
 * "number <= threshold" and 0 means no limit.
 */
import { ADVANCE_DAYS_MAX } from '../../domain/stay-limits.ts';
import type { Block } from './block.ts';
import type { KeyedLines } from './block-lines.ts';
import { compareBit, zeroMask } from './stay-lengths.ts';

/** Numbers go up to 731. */
export const ADVANCE_PLANES = 10;
const NUMBER_MAX = 2 ** ADVANCE_PLANES - 1;

/**
 * `minAdvanceDays` is its own number: it holds when it is at most the days ahead. `maxAdvanceDays` holds when
 * `maxAdvanceNumber(most)` is at most 731 less the days ahead, taken as 0 below 0.
 */
export function maxAdvanceNumber(most: number): number {
  return ADVANCE_DAYS_MAX + 1 - most;
}

/** Keeps the rows (words `from` to `until`) that take a check-in so many days ahead of today in their timezone. */
export function keepInAdvance(
  block: Block,
  daysAhead: (timezone: string) => number,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  const { minAdvance, maxAdvance } = block.lines;
  if (minAdvance.size > 0) keepUpTo(minAdvance, daysAhead, rows, offset, from, until);
  if (maxAdvance.size === 0) return;
  const daysLeft = (timezone: string): number => ADVANCE_DAYS_MAX + 1 - daysAhead(timezone);
  keepUpTo(maxAdvance, daysLeft, rows, offset, from, until);
}

function keepUpTo(
  keyed: KeyedLines,
  thresholdOf: (timezone: string) => number,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  for (const [timezone, { words, wordsPerLine }] of keyed) {
    const threshold = Math.min(Math.max(thresholdOf(timezone), 0), NUMBER_MAX);
    for (let word = from; word < until; word++) {
      let exceeding = 0;
      for (let plane = 0; plane < ADVANCE_PLANES; plane++)
        exceeding = compareBit(exceeding, words[plane * wordsPerLine + word]!, zeroMask(threshold, plane));
      rows[offset + word] = rows[offset + word]! & ~exceeding;
    }
  }
}
