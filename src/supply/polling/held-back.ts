/**
 * Holds back a calendar that suddenly opens most of its closed nights: that is more often a fault of the platform than
 * good news. It waits until the platform sends the same a second time, an empty one for hours, or a person accepts it. Only openings wait.
 * Closings apply at once, because a stay that moves opens its old nights and closes others.
 */
import { type EpochDay, HOUR_MS } from '../../domain/local-date.ts';
import { type NightRuns, visitStretches } from '../../domain/night-runs.ts';

/** A calendar that is held back. */
export interface HeldNights {
  readonly closed: NightRuns;
  /** Nights from here on were not read. */
  readonly until: EpochDay;
  /** Unix ms; a second answer that says the same counts only from then on. Absent: at once. */
  readonly notBeforeMs?: number;
}

/** Platforms have served valid, empty calendars for hours. */
export const EMPTY_HELD_MS = 6 * HOUR_MS;

/** Whether no night from `today` on is closed any more, where several stays were. `stayCount`: as read last. */
export function isSuddenlyEmpty(
  before: NightRuns,
  after: NightRuns,
  today: EpochDay,
  stayCount: number,
): boolean {
  const isAhead = ({ until }: { readonly until: EpochDay }): boolean => until > today;
  if (after.some(isAhead)) return false;
  const runCount = before.filter(isAhead).length;
  // Stays that touch are one run.
  return runCount > 1 || (runCount === 1 && stayCount > 1);
}

/** Whether half or more of the nights closed from `today` on would open. */
export function opensTooMuch(before: NightRuns, after: NightRuns, today: EpochDay): boolean {
  let closedCount = 0;
  let openedCount = 0;
  visitStretches([before, after], (from, until, [was, becomes]) => {
    const nights = until - Math.max(from, today);
    if (nights <= 0 || was === undefined) return;
    closedCount += nights;
    if (becomes === undefined) openedCount += nights;
  });
  return closedCount > 0 && openedCount * 2 >= closedCount;
}

/** Whether `one` closes only nights from `today` on that `other` closes too. */
export function closesNothingMore(one: NightRuns, other: NightRuns, today: EpochDay): boolean {
  let isWithin = true;
  visitStretches([one, other], (_from, until, [first, second]) => {
    if (until > today && first !== undefined && second === undefined) isWithin = false;
  });
  return isWithin;
}

/** Whether both close the same nights from `today` on, within the range read for both. */
export function isSameFromToday(one: HeldNights, other: HeldNights, today: EpochDay): boolean {
  const until = Math.min(one.until, other.until);
  let isSame = true;
  visitStretches([one.closed, other.closed], (from, end, [first, second]) => {
    if (Math.max(from, today) < Math.min(end, until) && first !== second) isSame = false;
  });
  return isSame;
}

export function formatHeld({ closed, until, notBeforeMs }: HeldNights): string {
  return JSON.stringify({ closed: closed.map((run) => [run.from, run.until]), until, notBeforeMs });
}

/** Accepts only texts of `formatHeld`. */
export function parseHeld(text: string): HeldNights {
  const { closed, ...rest } = JSON.parse(text) as Omit<HeldNights, 'closed'> & {
    closed: [EpochDay, EpochDay][];
  };
  return { closed: closed.map(([from, end]) => ({ from, until: end, value: 1 })), ...rest };
}
