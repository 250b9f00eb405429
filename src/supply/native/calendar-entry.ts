/** One entry of a calendar as it is written: nights, and what is set for them. */
import type { CalendarEntry, EntryFields } from '../../domain/calendar.ts';
import type { GuestRate, GuestRates } from '../../domain/guest-rates.ts';
import { parseMoney } from '../../domain/money.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { WEEKDAYS, type Weekday, weekdayRanges } from '../../domain/weekdays.ts';
import { Fields, shown } from './document-fields.ts';
import { CALENDAR_ENTRIES_MAX } from './document-limits.ts';

const FLAG_FIELDS = ['stopSell', 'closedToArrival', 'closedToDeparture'] as const;
const STAY_LENGTH_FIELDS = ['minStayArrival', 'minStayThrough', 'maxStay'] as const;
/** Of a calendar entry. */
export const ENTRY_FIELDS: ReadonlySet<string> = new Set([
  'dateFrom',
  'dateTo',
  'availability',
  'rate',
  'ratesByGuests',
  'weekdays',
  ...FLAG_FIELDS,
  ...STAY_LENGTH_FIELDS,
]);

/** `"1"` to `"30"`, the keys of `ratesByGuests`. */
const GUEST_NUMBERS: ReadonlySet<string> = new Set(
  Array.from({ length: STAY_GUESTS_MAX }, (_, index) => String(index + 1)),
);

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Adds the entry; one that names weekdays becomes an entry for each stretch of them. */
export function readCalendarEntry(entry: Fields, entries: CalendarEntry[]): void {
  const from = entry.date('dateFrom');
  const to = entry.date('dateTo');
  if (to < from) entry.report('dateTo', 'must not be before dateFrom, both nights are included');
  const set: Mutable<EntryFields> = {};
  if (entry.has('availability')) set.availability = readCount(entry, 'availability', 0);
  if (entry.has('rate')) set.rate = entry.isNull('rate') ? null : readMoney(entry, 'rate');
  if (entry.has('ratesByGuests')) set.ratesByGuests = readGuestRates(entry);
  for (const field of FLAG_FIELDS) if (entry.has(field)) set[field] = readFlag(entry, field);
  for (const field of STAY_LENGTH_FIELDS) if (entry.has(field)) set[field] = readCount(entry, field, 1);
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

function readGuestRates(entry: Fields): GuestRates | null {
  if (entry.isNull('ratesByGuests')) return null;
  const amounts = Fields.of(
    entry.value('ratesByGuests'),
    () => entry.path('ratesByGuests'),
    GUEST_NUMBERS,
    entry.findings,
  );
  const rates: GuestRate[] = [];
  for (const name of GUEST_NUMBERS)
    if (amounts.has(name)) rates.push({ guests: Number(name), rate: readMoney(amounts, name) });
  if (rates.length === 0)
    entry.report('ratesByGuests', 'must have at least one amount such as {"2":"120.00"}, or be null');
  return rates;
}

function readCount(entry: Fields, name: string, least: number): number | null {
  return entry.isNull(name) ? null : entry.integer(name, least, Number.MAX_SAFE_INTEGER);
}

function readFlag(entry: Fields, name: string): number | null {
  if (entry.isNull(name)) return null;
  return entry.boolean(name, false) ? 1 : 0;
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
