/**
 * The calendar of one inventory type: what is set for which nights, field by field, as runs.
 */
import type { EpochDay } from './local-date.ts';

/** Fields of a calendar. `rate` is in minor units; the flags are 0 or 1; the stay lengths are nights. */
export const CALENDAR_FIELDS = [
  'availability',
  'rate',
  'stopSell',
  'closedToArrival',
  'closedToDeparture',
  'minStayArrival',
  'minStayThrough',
  'maxStay',
] as const;
export type CalendarField = (typeof CALENDAR_FIELDS)[number];

/** The nights `from` (included) to `until` (excluded) all have `value`. */
export interface NightRun {
  readonly from: EpochDay;
  readonly until: EpochDay;
  readonly value: number;
}

/** Ascending, disjoint; neighbours that touch have different values. A night in no run is not set. */
export type NightRuns = readonly NightRun[];

export type Calendar = Readonly<Record<CalendarField, NightRuns>>;
