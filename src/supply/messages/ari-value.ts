/** One value of an ARI message in the style of Channex, as an entry of a calendar. */
import type { CalendarEntry, EntryFields } from '../../domain/calendar.ts';
import type { GuestRate } from '../../domain/guest-rates.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { parseMoney } from '../../domain/money.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { WEEKDAYS, type Weekday, weekdayRanges } from '../../domain/weekdays.ts';
import { Fields, type Findings, shown } from '../native/document-fields.ts';
import { CALENDAR_ENTRIES_MAX } from '../native/document-limits.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const FLAGS = {
  stop_sell: 'stopSell',
  closed_to_arrival: 'closedToArrival',
  closed_to_departure: 'closedToDeparture',
} as const;

/** `min_stay` says nothing of arrival or through; a night that is arrived on decides, as it does for `max_stay`. */
const STAY_LENGTHS = {
  min_stay: 'minStayArrival',
  min_stay_arrival: 'minStayArrival',
  min_stay_through: 'minStayThrough',
  max_stay: 'maxStay',
} as const;

/** What such a value may have; anything else is left alone with a warning. */
export const ARI_FIELDS: ReadonlySet<string> = new Set([
  'property_id',
  'room_type_id',
  'rate_plan_id',
  'date',
  'date_from',
  'date_to',
  'days',
  'availability',
  'rate',
  'rates',
  ...Object.keys(FLAGS),
  ...Object.keys(STAY_LENGTHS),
]);

const RATE_FIELDS: ReadonlySet<string> = new Set(['occupancy', 'rate']);

/** `mo` or `mon`, both in use. */
const DAY_NAMES: ReadonlyMap<unknown, Weekday> = new Map(
  WEEKDAYS.flatMap((weekday) => [
    [weekday, weekday],
    [weekday.slice(0, 2), weekday],
  ]),
);

/** Adds the entry; one that names days becomes an entry for each stretch of them. */
export function readAriValue(value: Fields, entries: CalendarEntry[]): void {
  const [from, to] = readDates(value);
  const set: Mutable<EntryFields> = {};
  if (value.has('availability')) set.availability = readWhole(value, 'availability');
  if (value.has('rate')) set.rate = value.isNull('rate') ? null : readRate(value);
  if (value.has('rates')) set.ratesByGuests = value.isNull('rates') ? null : readRates(value);
  for (const [name, field] of Object.entries(FLAGS)) if (value.has(name)) set[field] = readFlag(value, name);
  for (const [name, field] of Object.entries(STAY_LENGTHS)) {
    // Zero nights is how these systems say that there is no such restriction.
    if (value.has(name)) set[field] = readWhole(value, name) || null;
  }
  if (!value.has('days') || value.isNull('days')) {
    entries.push({ from, to, set });
    return;
  }
  for (const range of weekdayRanges(from, to, readDays(value))) {
    entries.push({ ...range, set });
    if (entries.length <= CALENDAR_ENTRIES_MAX) continue;
    value.report('days', `makes more than ${CALENDAR_ENTRIES_MAX} stretches of nights; name a shorter range`);
    return;
  }
}

/** Both included, as OTA ranges are. */
function readDates(value: Fields): readonly [EpochDay, EpochDay] {
  if (value.has('date')) {
    for (const name of ['date_from', 'date_to']) {
      if (value.has(name)) value.report(name, 'must not stand beside date; send one date, or a range');
    }
    const date = value.date('date');
    return [date, date];
  }
  const from = value.date('date_from');
  const to = value.date('date_to');
  if (to < from) value.report('date_to', 'must not be before date_from, both nights are included');
  return [from, Math.max(from, to)];
}

function readWhole(value: Fields, name: string): number | null {
  return value.isNull(name) ? null : value.integer(name, 0, Number.MAX_SAFE_INTEGER);
}

function readFlag(value: Fields, name: string): number | null {
  const flag = value.value(name);
  if (flag === null) return null;
  if (flag === true || flag === 1) return 1;
  if (flag !== false && flag !== 0) value.report(name, `must be true or false, not ${shown(flag)}`);
  return 0;
}

/** Minor units: a decimal string, or a whole number of minor units. */
function readRate(value: Fields): number {
  const rate = value.value('rate');
  if (typeof rate === 'number' && Number.isSafeInteger(rate) && rate >= 0) return rate === 0 ? 0 : rate;
  const minorUnits = typeof rate === 'string' ? parseMoney(rate) : undefined;
  if (minorUnits === undefined) {
    const wanted = 'must be an amount such as "120.00", or a whole number of minor units such as 12000';
    value.report('rate', `${wanted}, not ${shown(rate)}`);
  }
  return Number(minorUnits ?? 0n);
}

/** `[{"occupancy": 2, "rate": "120.00"}]` */
function readRates(value: Fields): GuestRate[] {
  const rates = value.list('rates', STAY_GUESTS_MAX).map(({ value: item, path }) => {
    const fields = Fields.of(item, path, RATE_FIELDS, value.findings);
    const guests = fields.isPresent('occupancy') ? fields.integer('occupancy', 1, STAY_GUESTS_MAX) : 1;
    return { guests, rate: fields.isPresent('rate') ? readRate(fields) : 0 };
  });
  if (rates.length === 0) value.report('rates', 'must have at least one rate, or be null');
  if (new Set(rates.map(({ guests }) => guests)).size < rates.length) {
    value.report('rates', 'must name each occupancy once');
  }
  return rates.toSorted((a, b) => a.guests - b.guests);
}

function readDays(value: Fields): Weekday[] {
  const items = value.list('days', WEEKDAYS.length);
  if (items.length === 0) value.report('days', 'must name at least one day, such as "mo"');
  const named = items.map(({ value: day, path }) => {
    const weekday = DAY_NAMES.get(day);
    if (weekday === undefined)
      value.findings.report(path, `must be one of mo, tu, we, th, fr, sa, su, not ${shown(day)}`);
    return weekday;
  });
  const days = new Set(named);
  return WEEKDAYS.filter((weekday) => days.has(weekday));
}

/** The fields of one value; unknown ones are not mistakes here. */
export function fieldsOfValue(item: unknown, path: () => string, findings: Findings): Fields {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  const known = isObject ? new Set([...ARI_FIELDS, ...Object.keys(item)]) : ARI_FIELDS;
  return Fields.of(item, path, known, findings);
}
