/** The inventory types of a property document, and their calendars as entries. */
import type { CalendarEntry } from '../../domain/calendar.ts';
import { findReservedReason } from '../../domain/layers.ts';
import { parseMoney } from '../../domain/money.ts';
import { ID_PATTERN, type InventoryType } from '../../domain/property.ts';
import { ADVANCE_DAYS_MAX } from '../../domain/stay-limits.ts';
import { ENTRY_FIELDS, moneyReason, readCalendarEntry } from './calendar-entry.ts';
import { Fields, shown, type Findings } from './document-fields.ts';
import {
  CALENDAR_ENTRIES_MAX,
  DOCUMENT_ENTRIES_MAX,
  TYPE_GUESTS_MAX,
  INVENTORY_TYPES_MAX,
  NAME_LENGTH_MAX,
  PRICE_SOURCE_LENGTH_MAX,
} from './document-limits.ts';
import { readNumberRange } from './document-ranges.ts';
import { readLocalizedText } from './localized-document.ts';

export interface InventoryDocument {
  readonly type: InventoryType;
  readonly entries: CalendarEntry[];
  /** An empty calendar is one too; a document without one leaves it as it is. */
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
    ...readNumberRange(fields, ['minAdvanceDays', 'maxAdvanceDays'], { least: 0, most: ADVANCE_DAYS_MAX }),
    ...readPriceSource(fields),
  };
  return { type, entries: readCalendar(fields), hasCalendar: fields.has('calendar') };
}

function readPriceSource(fields: Fields): Pick<InventoryType, 'priceSource'> {
  if (fields.isNull('priceSource')) return {};
  const priceSource = fields.text('priceSource', PRICE_SOURCE_LENGTH_MAX);
  const reserved = findReservedReason(priceSource);
  if (reserved !== undefined) fields.report('priceSource', `is reserved: ${reserved}`);
  return { priceSource };
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
    readCalendarEntry(Fields.of(item, path, ENTRY_FIELDS, type.findings), entries);
  }
  return entries;
}
