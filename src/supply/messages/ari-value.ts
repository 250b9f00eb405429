/** One value of an ARI message in the style of Channex, as an entry of a calendar. */
import { Wrong } from '../../domain/wrong.ts';
import type { CalendarEntry, EntryFields } from '../../domain/calendar.ts';
import { type AnyField, FIELDS, rowOf } from '../../domain/calendar-fields.ts';
import type { GuestRates } from '../../domain/guest-rates.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { fromMinorUnits, MONEY_INTEGER_DIGITS_MAX, parseMoney } from '../../domain/money.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { WEEKDAYS, type Weekday, weekdayRanges } from '../../domain/weekdays.ts';
import { minorDigitsOf } from '../../domain/currency-codes.ts';
import { Fields, type Findings, notGiven, type Path } from '../../domain/document/document-fields.ts';
import { CALENDAR_ENTRIES_MAX } from '../../domain/document/document-limits.ts';
import { FRACTION_DIGITS_MAX } from '../../domain/changing-fields.ts';
import { checkChangingFields, checkCurrency } from './changing-fields.ts';

/** Fields by their name in a message; if a value has several names of one field, the last one in this list wins. */
const FIELD_OF_NAME: ReadonlyMap<string, AnyField> = new Map(
  FIELDS.flatMap((field) => rowOf(field).ariNames.map((name) => [name, field] as const)),
);

/** Known fields of a value; others are ignored with a warning. */
export const ARI_FIELDS: ReadonlySet<string> = new Set([
  'property_id',
  'room_type_id',
  'rate_plan_id',
  'date',
  'date_from',
  'date_to',
  'days',
  ...FIELD_OF_NAME.keys(),
]);

const RATE_FIELDS: ReadonlySet<string> = new Set(['occupancy', 'rate', 'currency', 'fraction_size']);

/** Both `mo` and `mon` are in use. */
const DAY_NAMES: ReadonlyMap<unknown, Weekday> = new Map(
  WEEKDAYS.flatMap((weekday) => [
    [weekday, weekday],
    [weekday.slice(0, 2), weekday],
  ]),
);

/**
 * Adds the entry; a value with weekdays becomes one entry per stretch of days. `currency` is the property's; null if
 * the name is not mapped to an existing property.
 */
export function readAriValue(value: Fields, currency: string | null, entries: CalendarEntry[]): void {
  const [from, to] = readDates(value);
  const digits = checkChangingFields(value, currency);
  const values: Partial<Record<AnyField, number | GuestRates | null>> = {};
  for (const [name, field] of FIELD_OF_NAME) {
    if (!value.has(name)) continue;
    if (value.isNull(name)) values[field] = null;
    else Object.assign(values, readField(value, { name, field, currency, digits }));
  }
  const set = values as EntryFields;
  if (!value.has('days') || value.isNull('days')) {
    entries.push({ from, to, set });
    return;
  }
  for (const range of weekdayRanges(from, to, readDays(value))) {
    entries.push({ ...range, set });
    if (entries.length <= CALENDAR_ENTRIES_MAX) continue;
    value.report('days', new Wrong('stretchesMany', { max: CALENDAR_ENTRIES_MAX }));
    return;
  }
}

/** Both included, as OTA ranges are. */
function readDates(value: Fields): readonly [EpochDay, EpochDay] {
  if (!value.isNull('date')) {
    for (const name of ['date_from', 'date_to']) {
      if (!value.isNull(name)) value.report(name, new Wrong('besideDate'));
    }
    const date = value.date('date');
    return [date, date];
  }
  const from = readDate(value, 'date_from');
  const to = readDate(value, 'date_to');
  if (to < from) value.report('date_to', new Wrong('datesTurned', { other: 'date_from' }));
  return [from, Math.max(from, to)];
}

/** Null is absent. */
function readDate(value: Fields, name: string): EpochDay {
  if (!value.isNull(name)) return value.date(name);
  value.findings.report(value.path(name), new Wrong('required'), 'FIELD_REQUIRED');
  return 0;
}

interface NamedField {
  readonly name: string;
  readonly field: AnyField;
  readonly currency: string | null;
  /** Decimals of whole minor units, if the value names them. */
  readonly digits: number | undefined;
}

function readField(value: Fields, { name, field, currency, digits }: NamedField): EntryFields {
  switch (rowOf(field).shape) {
    case 'units':
      return { [field]: value.units(name) };
    case 'nights':
      // In these systems, zero nights means no such restriction.
      return { [field]: value.integer(name, 0, Number.MAX_SAFE_INTEGER) || null };
    case 'flag':
      return { [field]: readFlag(value, name) };
    case 'money':
      return { [field]: readRate(value, name, currency, digits) };
    case 'moneyByGuests':
      return asFields(readRates(value, { name, currency, digits }));
  }
}

function readFlag(value: Fields, name: string): number {
  const flag = value.value(name);
  if (flag === true || flag === 1) return 1;
  if (flag !== false && flag !== 0) value.report(name, notGiven(new Wrong('notFlag'), flag));
  return 0;
}

/**
 * Hundredths, from a decimal string or from a whole number of minor units: of the currency (ISO 4217), or of the digits
 * that the message names.
 */
function readRate(value: Fields, name: string, currency: string | null, digits?: number): number {
  const rate = value.value(name);
  if (typeof rate === 'number' && Number.isSafeInteger(rate) && rate > 0) {
    const hundredths = fromMinorUnits(rate, digits ?? minorDigitsOf(currency ?? ''));
    if (hundredths === undefined) value.report(name, unitsReason(rate, currency));
    return Number(hundredths ?? 0n);
  }
  const hundredths = typeof rate === 'string' ? parseMoney(rate) : undefined;
  if (hundredths === undefined || hundredths === 0n) value.report(name, notGiven(NOT_RATE, rate));
  return Number(hundredths ?? 0n);
}

const NOT_RATE = new Wrong('notRate', { amount: '120.00', units: 12_000 });

function unitsReason(units: number, currency: string | null): Wrong {
  const counts = { digits: MONEY_INTEGER_DIGITS_MAX, units };
  return currency === null
    ? new Wrong('notMinorUnits', counts)
    : new Wrong('notMinorUnitsOf', { ...counts, currency });
}

interface OccupancyRate {
  /** Undefined: for any number. */
  readonly guests: number | undefined;
  readonly rate: number;
}

/** `[{"occupancy": 2, "rate": "120.00"}]`; a single one without occupancy is the rate for any number of guests. */
function readRates(
  value: Fields,
  { name, currency, digits }: Pick<NamedField, 'name' | 'currency' | 'digits'>,
): readonly OccupancyRate[] {
  const rates = value
    .list(name, STAY_GUESTS_MAX)
    .map(({ value: item, path }) =>
      readOccupancyRate(Fields.of(item, path, RATE_FIELDS, value.findings), currency, digits),
    );
  if (rates.length === 0) value.report(name, new Wrong('noRates'));
  if (rates.length > 1 && rates.some(({ guests }) => guests === undefined))
    value.report(name, new Wrong('occupancyMissing'));
  else if (new Set(rates.map(({ guests }) => guests)).size < rates.length)
    value.report(name, new Wrong('occupancyTwice'));
  return rates;
}

function readOccupancyRate(
  fields: Fields,
  currency: string | null,
  ofValue: number | undefined,
): OccupancyRate {
  checkCurrency(fields, 'currency', currency);
  const digits = fields.isNull('fraction_size')
    ? ofValue
    : fields.integer('fraction_size', 0, FRACTION_DIGITS_MAX);
  return {
    guests: fields.isNull('occupancy') ? undefined : fields.integer('occupancy', 1, STAY_GUESTS_MAX),
    rate: fields.isPresent('rate') ? readRate(fields, 'rate', currency, digits) : 0,
  };
}

/** Rates by guests take the place of one rate for all, and the reverse. */
function asFields(rates: readonly OccupancyRate[]): EntryFields {
  const [first] = rates;
  if (first !== undefined && first.guests === undefined) return { rate: first.rate, ratesByGuests: null };
  const byGuests = rates.map(({ guests = 1, rate }) => ({ guests, rate }));
  return { ratesByGuests: byGuests.toSorted((a, b) => a.guests - b.guests) };
}

function readDays(value: Fields): Weekday[] {
  const items = value.list('days', WEEKDAYS.length);
  if (items.length === 0) value.report('days', new Wrong('noDay', { example: 'mo' }));
  const named = items.map(({ value: day, path }) => {
    const weekday = DAY_NAMES.get(day);
    if (weekday === undefined)
      value.findings.report(
        path,
        notGiven(new Wrong('notChoice', { choices: 'mo, tu, we, th, fr, sa, su' }), day),
      );
    return weekday;
  });
  const days = new Set(named);
  return WEEKDAYS.filter((weekday) => days.has(weekday));
}

/** The fields of one value; unknown fields are not errors here. */
export function fieldsOfValue(item: unknown, path: Path, findings: Findings): Fields {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  const known = isObject ? new Set([...ARI_FIELDS, ...Object.keys(item)]) : ARI_FIELDS;
  return Fields.of(item, path, known, findings);
}
