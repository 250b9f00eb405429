/**
 * Reads over many days, some days at a time. SQLite adds up on the thread that asks: the rows of a few days stay in the
 * processor's cache, and others get their turn before the next ones.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EpochDay } from '../../domain/local-date.ts';

export interface Days {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
}

/** What is read of each part of the days, in their order. */
export async function readByParts<Range extends Days, Row>(
  range: Range,
  daysAtOnce: number,
  read: (part: Range) => Promise<readonly Row[]>,
): Promise<readonly (readonly Row[])[]> {
  const parts: (readonly Row[])[] = [];
  for (let from = range.from; from <= range.to; from += daysAtOnce) {
    if (from > range.from) await nextTurn();
    parts.push(await read({ ...range, from, to: Math.min(range.to, from + daysAtOnce - 1) }));
  }
  return parts;
}
