/** One entry of a calendar document: its nights and their values. */
import type { CalendarEntry, EntryFields } from '../calendar.ts';
import { type AnyField, FIELDS, rowOf } from '../calendar-fields.ts';
import type { GuestRate, GuestRates } from '../guest-rates.ts';
import { parseMoney } from '../money.ts';
import { STAY_GUESTS_MAX } from '../stay-limits.ts';
import { WEEKDAYS, type Weekday, weekdayRanges } from '../weekdays.ts';
import { Wrong } from '../wrong.ts';
import { Fields, notGiven } from './document-fields.ts';
import { CALENDAR_ENTRIES_MAX } from './document-limits.ts';
import type { Grammar, JsonSchema } from './grammar.ts';
import { MONEY_SCHEMA } from './grammar-values.ts';

export const ENTRY_FIELDS: ReadonlySet<string> = new Set(['dateFrom', 'dateTo', ...FIELDS, 'weekdays']);

/** `"1"` to `"30"`, the keys of `ratesByGuests`. */
const GUEST_NUMBERS: ReadonlySet<string> = new Set(
  Array.from({ length: STAY_GUESTS_MAX }, (_, index) => String(index + 1)),
);

export interface EntryRules {
  /** Whether systems send it, not people: units below zero are then zero, and 0 nights do not limit a stay. */
  readonly isOfSystem: boolean;
}

/** Adds the entry; one with weekdays becomes an entry for each stretch of them. */
export function readCalendarEntry(
  entry: Fields,
  entries: CalendarEntry[],
  rules: EntryRules = { isOfSystem: false },
): void {
  const mistakes = entry.findings.mistakes.length;
  const from = entry.date('dateFrom');
  const to = entry.date('dateTo');
  const areDates = entry.findings.mistakes.length === mistakes;
  if (areDates && to < from) entry.report('dateTo', new Wrong('datesTurned', { other: 'dateFrom' }));
  const values: Partial<Record<AnyField, number | GuestRates | null>> = {};
  for (const field of FIELDS)
    if (entry.has(field)) values[field] = entry.isNull(field) ? null : readValue(entry, field, rules);
  const set = values as EntryFields;
  if (!entry.has('weekdays')) {
    entries.push({ from, to, set });
    return;
  }
  const weekdays = readWeekdays(entry);
  if (!areDates) return;
  for (const range of weekdayRanges(from, to, weekdays)) {
    entries.push({ ...range, set });
    if (entries.length <= CALENDAR_ENTRIES_MAX) continue;
    entry.report('weekdays', new Wrong('entriesOfCalendar', { max: CALENDAR_ENTRIES_MAX }));
    return;
  }
}

const WEEKDAY_NAMES = WEEKDAYS.join(', ');

function readWeekdays(entry: Fields): Weekday[] {
  const items = entry.list('weekdays', WEEKDAYS.length);
  if (items.length === 0) entry.report('weekdays', new Wrong('noWeekday', { choices: WEEKDAY_NAMES }));
  for (const { value, path } of items) {
    if (WEEKDAYS.some((weekday) => weekday === value)) continue;
    entry.findings.report(path, notGiven(new Wrong('notChoice', { choices: WEEKDAY_NAMES }), value));
  }
  return WEEKDAYS.filter((weekday) => items.some(({ value }) => value === weekday));
}

function readValue(entry: Fields, field: AnyField, { isOfSystem }: EntryRules): number | GuestRates | null {
  switch (rowOf(field).shape) {
    case 'units':
      return isOfSystem ? entry.units(field) : entry.integer(field, 0, Number.MAX_SAFE_INTEGER);
    case 'nights':
      return entry.integer(field, isOfSystem ? 0 : 1, Number.MAX_SAFE_INTEGER) || null;
    case 'flag':
      return entry.boolean(field, false) ? 1 : 0;
    case 'money':
      return readMoney(entry, field);
    case 'moneyByGuests':
      return readGuestRates(entry, field);
  }
}

function readGuestRates(entry: Fields, field: AnyField): GuestRates {
  const amounts = Fields.of(entry.value(field), () => entry.path(field), GUEST_NUMBERS, entry.findings);
  const rates: GuestRate[] = [];
  for (const name of GUEST_NUMBERS)
    if (amounts.has(name)) rates.push({ guests: Number(name), rate: readMoney(amounts, name) });
  if (rates.length === 0) entry.report(field, new Wrong('noAmount', { example: '{"2":"120.00"}' }));
  return rates;
}

/** Minor units. */
function readMoney(fields: Fields, name: string): number {
  const value = fields.value(name);
  const minorUnits = typeof value === 'string' ? parseMoney(value) : undefined;
  if (minorUnits === undefined) fields.report(name, notGiven(NOT_MONEY, value));
  if (minorUnits === 0n) fields.warn(name, new Wrong('sellsForNothing'), 'RATE_ZERO');
  return Number(minorUnits ?? 0n);
}

export const NOT_MONEY = new Wrong('notMoney', { example: '120.00' });

// Schemas.

const ANY_COUNT = Number.MAX_SAFE_INTEGER;

function fieldSchema(field: AnyField): JsonSchema {
  const { shape, meaning: description } = rowOf(field);
  switch (shape) {
    case 'units':
      return { type: ['integer', 'null'], minimum: 0, maximum: ANY_COUNT, description };
    case 'nights':
      return { type: ['integer', 'null'], minimum: 1, maximum: ANY_COUNT, description };
    case 'flag':
      return { type: ['boolean', 'null'], description };
    case 'money':
      return { ...MONEY_SCHEMA, type: ['string', 'null'], description };
    case 'moneyByGuests': {
      const propertyNames = { enum: [...GUEST_NUMBERS] };
      const bounds = { minProperties: 1, propertyNames, additionalProperties: MONEY_SCHEMA };
      return { type: ['object', 'null'], ...bounds, description };
    }
  }
}

const date = { type: 'string', format: 'date', description: 'A night, YYYY-MM-DD; both ends are included.' };

/** Fields of an entry, except those that name its inventory type. */
export const ENTRY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  dateFrom: date,
  dateTo: date,
  weekdays: {
    type: 'array',
    items: { enum: WEEKDAYS },
    minItems: 1,
    maxItems: WEEKDAYS.length,
    description: 'The entry names only these nights of its range.',
  },
  ...Object.fromEntries(FIELDS.map((field) => [field, fieldSchema(field)])),
};
export const ENTRY_REQUIRED = ['dateFrom', 'dateTo'];

/** The calendar of an inventory type. It has many entries, so they are read without a step for each field. */
export const CALENDAR: Grammar<readonly CalendarEntry[]> = {
  kind: 'list',
  schema: {
    type: 'array',
    maxItems: CALENDAR_ENTRIES_MAX,
    description:
      'Applied in order; null clears a field. A type without a calendar keeps the one that it has.',
    items: {
      type: 'object',
      required: ENTRY_REQUIRED,
      properties: ENTRY_SCHEMAS,
      additionalProperties: false,
    },
  },
  read(value, name, reader) {
    if (!Array.isArray(value)) return reader.wrong(name, notGiven(new Wrong('notList'), value));
    if (value.length > CALENDAR_ENTRIES_MAX)
      return reader.wrong(name, notGiven(new Wrong('listLong', { max: CALENDAR_ENTRIES_MAX }), value.length));
    const entries: CalendarEntry[] = [];
    for (const [index, item] of value.entries()) {
      const path = (): string => `${reader.path(name)}[${index}]`;
      readCalendarEntry(Fields.of(item, path, ENTRY_FIELDS, reader.findings), entries);
      if (reader.findings.isFull) return entries;
    }
    return entries;
  },
};
