/**
 * Calendar dates as day numbers: pure arithmetic in the proleptic Gregorian calendar, without a clock; and the date in
 * a timezone.
 *
 * A date is counted in days since 1970-01-01, so that nights are integers: the stay [checkIn, checkOut) has `checkOut -
 * checkIn` nights whatever daylight saving does in between.
 */

/** Days since 1970-01-01; negative before. */
export type EpochDay = number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Every UTC day has this length, because Unix time counts no leap seconds. */
export const DAY_MS = 24 * HOUR_MS;

/** 0001-01-01 and 9999-12-31: the years that a LocalDate can write (SPEC 2). */
export const EPOCH_DAY_MIN: EpochDay = -719_162;
export const EPOCH_DAY_MAX: EpochDay = 2_932_896;

const DAYS_PER_ERA = 146_097; // 400 Gregorian years
const DAYS_TO_EPOCH = 719_468; // 0000-03-01 to 1970-01-01
const ZERO = 0x30;

/** The date in UTC at an instant, Unix ms. A property may have another date (`localToday`). */
export function utcDay(ms: number): EpochDay {
  return Math.floor(ms / DAY_MS);
}

/** The form of a LocalDate (SPEC 2); some texts of it are not dates. */
export const LOCAL_DATE_FORM = /^\d{4}-\d{2}-\d{2}$/;

/** The day number of `YYYY-MM-DD`; undefined unless the text is a real date of the years 0001..9999 (SPEC 2). */
export function parseLocalDate(text: string): EpochDay | undefined {
  if (!LOCAL_DATE_FORM.test(text)) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const dayOfMonth = twoDigits(text, 8);
  if (year < 1 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > daysInMonth(year, month)) {
    return undefined;
  }
  return toEpochDay(year, month, dayOfMonth);
}

/** Like `parseLocalDate`, for a validated text; throws on anything else, which is a bug. */
export function getLocalDate(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new TypeError(`not a date: ${JSON.stringify(text)}`);
  return day;
}

/** `YYYY-MM-DD` of a day within EPOCH_DAY_MIN..EPOCH_DAY_MAX; throws on anything else, which is a bug. */
export function formatLocalDate(day: EpochDay): string {
  if (!Number.isInteger(day) || day < EPOCH_DAY_MIN || day > EPOCH_DAY_MAX) {
    throw new RangeError(`not a day of the years 0001..9999: ${day}`);
  }
  const { year, month, dayOfMonth } = fromEpochDay(day);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
}

/** The same day of a later month, or its last day where that month is shorter. */
export function addMonths(day: EpochDay, months: number): EpochDay {
  const date = new Date(day * DAY_MS);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  const lastOfMonth = utcDay(Date.UTC(year, month + 1, 0));
  return Math.min(utcDay(Date.UTC(year, month, date.getUTCDate())), lastOfMonth);
}

/**
 * Counts from 1 March, so that the leap day is the last of its year and month lengths repeat every five months
 * (153 days): month m (March = 0) starts at floor((153 m + 2) / 5).
 */
export function toEpochDay(year: number, month: number, dayOfMonth: number): EpochDay {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

function twoDigits(text: string, index: number): number {
  return (text.charCodeAt(index) - ZERO) * 10 + text.charCodeAt(index + 1) - ZERO;
}

/** The date of a day number. */
export function fromEpochDay(day: EpochDay): { year: number; month: number; dayOfMonth: number } {
  const shifted = day + DAYS_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth };
}

/** `month` from 1. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

// Which date it is at a property: only this and `local-instant.ts` read the timezone database.

const IANA_NAME = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/;

/** Intl also accepts old abbreviations and families that the IANA database never had ("PST", "SystemV/PST8"). */
const NOT_IANA = /^(?!CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)[A-Z]{3}$|^SystemV\//;

interface ZoneClock {
  readonly formatter: Intl.DateTimeFormat;
  minute: number;
  today: EpochDay;
}

/** One per zone in use. Only zones of the timezone database get in: some hundreds at most. */
const zoneClocks = new Map<string, ZoneClock>();

/** Whether `name` is a zone of the IANA database in its own spelling; offsets such as `+01:00` are not zones. */
export function isTimezone(name: string): boolean {
  return findZoneClock(name) !== undefined;
}

/**
 * The local date in `timezone` at the instant `nowMs` (Unix ms). Throws on a zone that `isTimezone` refuses.
 *
 * Cached per zone for one minute: since 1972 no zone has changed its date within a minute. The minute itself is the
 * key, so an earlier instant gets its own answer.
 */
export function localToday(timezone: string, nowMs: number): EpochDay {
  const clock = findZoneClock(timezone);
  if (clock === undefined) throw new RangeError(`not a timezone: ${timezone}`);
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (clock.minute !== minute) {
    clock.today = localDay(clock.formatter, nowMs);
    clock.minute = minute;
  }
  return clock.today;
}

function findZoneClock(name: string): ZoneClock | undefined {
  const known = zoneClocks.get(name);
  if (known !== undefined) return known;
  const formatter = findFormatter(name);
  if (formatter === undefined) return undefined;
  const clock: ZoneClock = { formatter, minute: Number.NaN, today: 0 };
  zoneClocks.set(name, clock);
  return clock;
}

function findFormatter(name: string): Intl.DateTimeFormat | undefined {
  if (!IANA_NAME.test(name) || NOT_IANA.test(name)) return undefined;
  try {
    const formatter = makeFormatter(name);
    const resolved = formatter.resolvedOptions().timeZone;
    // An alias may resolve to another name; the same name in other letters ("Europe/ROME") is a misspelling.
    const isMisspelt = resolved !== name && resolved.toLowerCase() === name.toLowerCase();
    return isMisspelt ? undefined : formatter;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function makeFormatter(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
}

function localDay(formatter: Intl.DateTimeFormat, nowMs: number): EpochDay {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatter.formatToParts(nowMs)) parts[type] = value;
  return toEpochDay(Number(parts.year), Number(parts.month), Number(parts.day));
}

// Weeks of ISO 8601: from Monday to Sunday, each of the year that has its Thursday.

const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday, three days after a Monday. */
const DAYS_AFTER_MONDAY = 3;

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

/** The Monday of `2026-W53`: 2026-12-28. January 4 is always in the first week. */
export function mondayOf(isoWeek: string): EpochDay {
  const [year = NaN, number = NaN] = isoWeek.split('-W').map(Number);
  const week = isoWeekOf(toEpochDay(year, 1, 4)) + number - 1;
  return week * DAYS_PER_WEEK - DAYS_AFTER_MONDAY;
}
