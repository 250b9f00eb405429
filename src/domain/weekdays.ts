/** Weekdays of nights. */
import type { EpochDay } from './local-date.ts';

/** In the order of ISO 8601. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_DAY_0 = 3;

/** The nights `from`..`to` (both included) on these weekdays, as ascending ranges that do not touch. */
export function* weekdayRanges(
  from: EpochDay,
  to: EpochDay,
  weekdays: readonly Weekday[],
): Generator<{ readonly from: EpochDay; readonly to: EpochDay }> {
  const isNamed = WEEKDAYS.map((weekday) => weekdays.includes(weekday));
  if (!isNamed.includes(false)) {
    yield { from, to };
    return;
  }
  let start: EpochDay | undefined;
  for (let night = from; night <= to + 1; night++) {
    const isIn = night <= to && isNamed[weekdayOf(night)]!;
    if (isIn) start ??= night;
    else if (start !== undefined) {
      yield { from: start, to: night - 1 };
      start = undefined;
    }
  }
}

/** 0 is Monday. */
export function weekdayOf(day: EpochDay): number {
  return (((day + WEEKDAY_OF_DAY_0) % 7) + 7) % 7;
}
