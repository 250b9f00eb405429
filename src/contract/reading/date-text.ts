/** Reads a LocalDate of a request, telling a wrong form from a date that no calendar has. */

/** Days since 1970-01-01. */
export type DayNumber = number;

const LOCAL_DATE_FORM = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;
const ZERO = 0x30;
/** The Gregorian calendar repeats after 400 years, which are this many days. */
const CYCLE_YEARS = 400;
const CYCLE_DAYS = 146_097;

/** The day of `YYYY-MM-DD` in the years 0001..9999, or why there is none. */
export function parseDateText(text: string): DayNumber | 'FORMAT_INVALID' | 'DATE_INVALID' {
  if (!LOCAL_DATE_FORM.test(text)) return 'FORMAT_INVALID';
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const dayOfMonth = twoDigits(text, 8);
  if (year < 1 || month < 1 || month > 12 || dayOfMonth < 1) return 'DATE_INVALID';
  const day = dayNumber(year, month, dayOfMonth);
  // Days 1 to 28 are in every month. 2026-02-30 is two days into March: not before the first of the next month.
  if (dayOfMonth > 28 && day >= dayNumber(year, month + 1, 1)) return 'DATE_INVALID';
  return day;
}

/** The number that stands at `index`, where the form is known to have two digits. */
function twoDigits(text: string, index: number): number {
  return (text.charCodeAt(index) - ZERO) * 10 + text.charCodeAt(index + 1) - ZERO;
}

/**
 * Date.UTC reads the years 0 to 99 as 1900 to 1999, so the date is asked for one cycle later and moved back. Month 13
 * is January of the next year.
 */
function dayNumber(year: number, month: number, dayOfMonth: number): DayNumber {
  return Date.UTC(year + CYCLE_YEARS, month - 1, dayOfMonth) / DAY_MS - CYCLE_DAYS;
}
