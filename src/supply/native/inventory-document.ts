/** The inventory types of a property document, and their calendars as entries. */
import type { CalendarEntry, EntryFields } from '../../domain/calendar.ts';
import type { GuestRate, GuestRates } from '../../domain/guest-rates.ts';
import { parseMoney } from '../../domain/money.ts';
import { ID_PATTERN, type InventoryType } from '../../domain/property.ts';
import { ADVANCE_DAYS_MAX, STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { WEEKDAYS, type Weekday, weekdayRanges } from '../../domain/weekdays.ts';
import { Fields, shown, type Findings } from './document-fields.ts';
import {
  CALENDAR_ENTRIES_MAX,
  DOCUMENT_ENTRIES_MAX,
  TYPE_GUESTS_MAX,
  INVENTORY_TYPES_MAX,
  NAME_LENGTH_MAX,
  SOURCE_LENGTH_MAX,
} from './document-limits.ts';
import { readLocalizedText } from './localized-document.ts';

export interface InventoryDocument {
  readonly type: InventoryType;
  readonly entries: CalendarEntry[];
  /** An empty calendar is one too; a document that has none says nothing of it. */
  readonly hasCalendar: boolean;
}

const INVENTORY_FIELDS: ReadonlySet<string> = new Set([
  'inventoryTypeId',
  'name',
  'guestsMax',
  'includedGuests',
  'extraGuestRate',
  'minAdvanceDays',
  'maxAdvanceDays',
  'priceSource',
  'calendar',
]);

const FLAG_FIELDS = ['stopSell', 'closedToArrival', 'closedToDeparture'] as const;
const STAY_LENGTH_FIELDS = ['minStayArrival', 'minStayThrough', 'maxStay'] as const;
const ENTRY_FIELDS: ReadonlySet<string> = new Set([
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

export function readInventoryTypes(property: Fields): InventoryDocument[] {
  if (!property.isPresent('inventoryTypes')) return [];
  const items = property.list('inventoryTypes', INVENTORY_TYPES_MAX);
  if (items.length === 0) property.report('inventoryTypes', 'must have at least one inventory type');
  const seen = new Set<string>();
  let entryCount = 0;
  return items.map(({ value, path }) => {
    const inventory = readInventoryType(value, path, property.findings);
    entryCount += inventory.entries.length;
    if (entryCount > DOCUMENT_ENTRIES_MAX) {
      property.findings.report(
        `${path}.calendar`,
        `brings the calendars of this property above ${DOCUMENT_ENTRIES_MAX} stretches of nights; name shorter ranges`,
      );
    }
    const id = inventory.type.inventoryTypeId;
    if (seen.has(id)) {
      property.findings.report(
        `${path}.inventoryTypeId`,
        `${shown(id)} is already an inventory type of this property`,
      );
    }
    seen.add(id);
    return inventory;
  });
}

function readInventoryType(value: unknown, path: string, findings: Findings): InventoryDocument {
  const fields = Fields.of(value, path, INVENTORY_FIELDS, findings);
  const guestsMax = fields.isPresent('guestsMax') ? fields.integer('guestsMax', 1, TYPE_GUESTS_MAX) : 1;
  const type: InventoryType = {
    inventoryTypeId: fields.id('inventoryTypeId', ID_PATTERN),
    name: readLocalizedText(fields, 'name', NAME_LENGTH_MAX),
    guestsMax,
    includedGuests: fields.has('includedGuests')
      ? fields.integer('includedGuests', 0, TYPE_GUESTS_MAX)
      : guestsMax,
    extraGuestRate: readMoneyText(fields, 'extraGuestRate') ?? '0.00',
    ...readAdvanceDays(fields),
    ...readPriceSource(fields),
  };
  return { type, entries: readCalendar(fields), hasCalendar: fields.has('calendar') };
}

function readPriceSource(fields: Fields): Pick<InventoryType, 'priceSource'> {
  if (fields.isNull('priceSource')) return {};
  return { priceSource: fields.text('priceSource', SOURCE_LENGTH_MAX) };
}

function readAdvanceDays(fields: Fields): Pick<InventoryType, 'minAdvanceDays' | 'maxAdvanceDays'> {
  const days: { minAdvanceDays?: number; maxAdvanceDays?: number } = {};
  for (const name of ['minAdvanceDays', 'maxAdvanceDays'] as const)
    if (!fields.isNull(name)) days[name] = fields.integer(name, 0, ADVANCE_DAYS_MAX);
  const { minAdvanceDays, maxAdvanceDays } = days;
  if (minAdvanceDays !== undefined && maxAdvanceDays !== undefined && maxAdvanceDays < minAdvanceDays)
    fields.report('maxAdvanceDays', `must not be below minAdvanceDays (${minAdvanceDays})`);
  return days;
}

/** An amount of money as the operator wrote it; null when the field is missing or null. */
export function readMoneyText(fields: Fields, name: string): string | null {
  if (fields.isNull(name)) return null;
  const value = fields.value(name);
  if (typeof value === 'string' && parseMoney(value) !== undefined) return value;
  fields.report(name, moneyReason(value));
  return null;
}

function readCalendar(type: Fields): CalendarEntry[] {
  if (!type.has('calendar')) return [];
  const value = type.value('calendar');
  if (!Array.isArray(value)) {
    type.report('calendar', `must be a list, not ${shown(value)}`);
    return [];
  }
  if (value.length > CALENDAR_ENTRIES_MAX) {
    type.report('calendar', `must have at most ${CALENDAR_ENTRIES_MAX} entries, not ${value.length}`);
    return [];
  }
  const entries: CalendarEntry[] = [];
  for (const [index, item] of value.entries()) {
    if (type.findings.first !== undefined) return entries;
    const path = (): string => `${type.path('calendar')}[${index}]`;
    readEntry(Fields.of(item, path, ENTRY_FIELDS, type.findings), entries);
  }
  return entries;
}

/** Adds the entry; one that names weekdays becomes an entry for each stretch of them. */
function readEntry(entry: Fields, entries: CalendarEntry[]): void {
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

function moneyReason(value: unknown): string {
  return `must be a non-negative amount with at most two decimals in a string such as "120.00", not ${shown(value)}`;
}
