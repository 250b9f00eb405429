/**
 * Holds back a calendar that suddenly opens most of its closed nights: that is more often a fault of the platform than
 * good news. It waits until the platform sends the same a second time or a person accepts it. Only openings wait.
 * Closings apply at once, because a stay that moves opens its old nights and closes others.
 */
import type { EpochDay } from '../../domain/local-date.ts';
import { type NightRuns, visitStretches } from '../../domain/night-runs.ts';

/** A calendar that is held back. */
export interface HeldNights {
  readonly closed: NightRuns;
  /** Nights from here on were not read. */
  readonly until: EpochDay;
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

export function formatHeld({ closed, until }: HeldNights): string {
  return JSON.stringify({ closed: closed.map((run) => [run.from, run.until]), until });
}

/** Accepts only texts of `formatHeld`. */
export function parseHeld(text: string): HeldNights {
  const { closed, until } = JSON.parse(text) as { closed: [EpochDay, EpochDay][]; until: EpochDay };
  return { closed: closed.map(([from, end]) => ({ from, until: end, value: 1 })), until };
}
