/** One entry of a calendar as it is written: nights, and what is set for them. */
import type { CalendarEntry, EntryFields } from '../../domain/calendar.ts';
import { type AnyField, FIELDS, rowOf } from '../../domain/calendar-fields.ts';
import type { GuestRate, GuestRates } from '../../domain/guest-rates.ts';
import { parseMoney } from '../../domain/money.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { WEEKDAYS, type Weekday, weekdayRanges } from '../../domain/weekdays.ts';
import { Fields, shown } from './document-fields.ts';
import { CALENDAR_ENTRIES_MAX } from './document-limits.ts';

/** Of a calendar entry. */
export const ENTRY_FIELDS: ReadonlySet<string> = new Set(['dateFrom', 'dateTo', ...FIELDS, 'weekdays']);

/** `"1"` to `"30"`, the keys of `ratesByGuests`. */
const GUEST_NUMBERS: ReadonlySet<string> = new Set(
  Array.from({ length: STAY_GUESTS_MAX }, (_, index) => String(index + 1)),
);

/** Adds the entry; one that names weekdays becomes an entry for each stretch of them. */
export function readCalendarEntry(entry: Fields, entries: CalendarEntry[]): void {
  const from = entry.date('dateFrom');
  const to = entry.date('dateTo');
  if (to < from) entry.report('dateTo', 'must not be before dateFrom, both nights are included');
  const values: Partial<Record<AnyField, number | GuestRates | null>> = {};
  for (const field of FIELDS)
    if (entry.has(field)) values[field] = entry.isNull(field) ? null : readValue(entry, field);
  const set = values as EntryFields;
  if (!entry.has('weekdays')) {
    entries.push({ from, to, set });
    return;
  }
  for (const range of weekdayRanges(from, to, readWeekdays(entry))) {
    entries.push({ ...range, set });
    if (entries.length <= CALENDAR_ENTRIES_MAX) continue;
    entry.report(
      'weekdays',
      `makes more than ${CALENDAR_ENTRIES_MAX} stretches of nights of this calendar; name a shorter range`,
    );
    return;
  }
}

function readWeekdays(entry: Fields): Weekday[] {
  const items = entry.list('weekdays', WEEKDAYS.length);
  if (items.length === 0) entry.report('weekdays', `must name at least one of ${WEEKDAYS.join(', ')}`);
  for (const { value, path } of items) {
    if (WEEKDAYS.some((weekday) => weekday === value)) continue;
    entry.findings.report(path, `must be one of ${WEEKDAYS.join(', ')}, not ${shown(value)}`);
  }
  return WEEKDAYS.filter((weekday) => items.some(({ value }) => value === weekday));
}

function readValue(entry: Fields, field: AnyField): number | GuestRates {
  switch (rowOf(field).shape) {
    case 'units':
      return entry.integer(field, 0, Number.MAX_SAFE_INTEGER);
    case 'nights':
      return entry.integer(field, 1, Number.MAX_SAFE_INTEGER);
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
  if (rates.length === 0)
    entry.report(field, 'must have at least one amount such as {"2":"120.00"}, or be null');
  return rates;
}

/** Minor units. */
function readMoney(fields: Fields, name: string): number {
  const value = fields.value(name);
  const minorUnits = typeof value === 'string' ? parseMoney(value) : undefined;
  if (minorUnits === undefined) fields.report(name, moneyReason(value));
  return Number(minorUnits ?? 0n);
}

export function moneyReason(value: unknown): string {
  return `must be a non-negative amount with at most two decimals in a string such as "120.00", not ${shown(value)}`;
}
