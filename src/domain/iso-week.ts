/** Weeks of ISO 8601: from Monday to Sunday, each of the year that has its Thursday. */
import { type EpochDay, formatLocalDate, toEpochDay } from './local-date.ts';

const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday, three days after a Monday. */
const DAYS_AFTER_MONDAY = 3;

/** Weeks since the one of 1970-01-01. */
export function isoWeekOf(day: EpochDay): number {
  return Math.floor((day + DAYS_AFTER_MONDAY) / DAYS_PER_WEEK);
}

/** `2026-W53` is the week from 2026-12-28 to 2027-01-03: its Thursday is in 2026. */
export function formatIsoWeek(week: number): string {
  const thursday = week * DAYS_PER_WEEK;
  const year = formatLocalDate(thursday).slice(0, 4);
  const number = Math.floor((thursday - toEpochDay(Number(year), 1, 1)) / DAYS_PER_WEEK) + 1;
  return `${year}-W${String(number).padStart(2, '0')}`;
}
