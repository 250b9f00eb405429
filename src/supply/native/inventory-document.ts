/** The inventory types of a property document, and their calendars as entries. */
import type { CalendarEntry, CalendarField } from '../../domain/calendar.ts';
import { parseMoney } from '../../domain/money.ts';
import type { InventoryType } from '../../domain/property.ts';
import { Fields, shown, type Findings } from './document-fields.ts';
import {
  CALENDAR_ENTRIES_MAX,
  GUESTS_MAX,
  ID_PATTERN,
  INVENTORY_TYPES_MAX,
  NAME_LENGTH_MAX,
} from './document-limits.ts';
import { readLocalizedText } from './localized-document.ts';

export interface InventoryDocument {
  readonly type: InventoryType;
  readonly entries: CalendarEntry[];
}

const INVENTORY_FIELDS: ReadonlySet<string> = new Set([
  'inventoryTypeId',
  'name',
  'guestsMax',
  'includedGuests',
  'extraGuestRate',
  'calendar',
]);

const FLAG_FIELDS = ['stopSell', 'closedToArrival', 'closedToDeparture'] as const;
const STAY_LENGTH_FIELDS = ['minStayArrival', 'minStayThrough', 'maxStay'] as const;
const ENTRY_FIELDS: ReadonlySet<string> = new Set([
  'dateFrom',
  'dateTo',
  'availability',
  'rate',
  ...FLAG_FIELDS,
  ...STAY_LENGTH_FIELDS,
]);

export function readInventoryTypes(property: Fields): InventoryDocument[] {
  if (!property.isPresent('inventoryTypes')) return [];
  const items = property.list('inventoryTypes', INVENTORY_TYPES_MAX);
  if (items.length === 0) property.report('inventoryTypes', 'must have at least one inventory type');
  const seen = new Set<string>();
  return items.map(({ value, path }) => {
    const inventory = readInventoryType(value, path, property.findings);
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
  const guestsMax = fields.isPresent('guestsMax') ? fields.integer('guestsMax', 1, GUESTS_MAX) : 1;
  const type: InventoryType = {
    inventoryTypeId: fields.id('inventoryTypeId', ID_PATTERN),
    name: readLocalizedText(fields, 'name', NAME_LENGTH_MAX),
    guestsMax,
    includedGuests: fields.has('includedGuests')
      ? fields.integer('includedGuests', 0, GUESTS_MAX)
      : guestsMax,
    extraGuestRate: readMoneyText(fields, 'extraGuestRate') ?? '0.00',
  };
  return { type, entries: readCalendar(fields) };
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
    entries.push(readEntry(Fields.of(item, path, ENTRY_FIELDS, type.findings)));
  }
  return entries;
}

function readEntry(entry: Fields): CalendarEntry {
  const from = entry.date('dateFrom');
  const to = entry.date('dateTo');
  if (to < from) entry.report('dateTo', 'must not be before dateFrom, both nights are included');
  const set: Partial<Record<CalendarField, number | null>> = {};
  if (entry.has('availability')) set.availability = readCount(entry, 'availability', 0);
  if (entry.has('rate')) set.rate = readRate(entry);
  for (const field of FLAG_FIELDS) if (entry.has(field)) set[field] = readFlag(entry, field);
  for (const field of STAY_LENGTH_FIELDS) if (entry.has(field)) set[field] = readCount(entry, field, 1);
  return { from, to, set };
}

function readCount(entry: Fields, name: string, least: number): number | null {
  return entry.isNull(name) ? null : entry.integer(name, least, Number.MAX_SAFE_INTEGER);
}

function readFlag(entry: Fields, name: string): number | null {
  if (entry.isNull(name)) return null;
  return entry.boolean(name, false) ? 1 : 0;
}

function readRate(entry: Fields): number | null {
  const value = entry.value('rate');
  if (value === null) return null;
  const rate = typeof value === 'string' ? parseMoney(value) : undefined;
  if (rate === undefined) entry.report('rate', moneyReason(value));
  return Number(rate ?? 0n);
}

function moneyReason(value: unknown): string {
  return `must be a non-negative amount with at most two decimals in a string such as "120.00", not ${shown(value)}`;
}
