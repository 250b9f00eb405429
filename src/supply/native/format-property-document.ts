/** The inverse of `property-document.ts`: the native document of a stored property. */
import { type CalendarEntry, type CalendarField } from '../../domain/calendar.ts';
import { presentGuestRates } from '../../domain/guest-rates.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Property } from '../../domain/property.ts';
import type { JsonObject } from './document-fields.ts';

const FLAGS: ReadonlySet<CalendarField> = new Set(['stopSell', 'closedToArrival', 'closedToDeparture']);

/**
 * A document that reads back as the same property and entries. Every field is written, defaults included.
 * `entries` has one list per inventory type; `calendarRanges` makes them from a stored calendar.
 */
export function formatPropertyDocument(
  property: Property,
  entries: readonly (readonly CalendarEntry[])[],
): JsonObject {
  return {
    ...property,
    maxSupplyAgeHours: property.maxSupplyAgeHours ?? null,
    inventoryTypes: property.inventoryTypes.map((type, index) => ({
      ...type,
      minAdvanceDays: type.minAdvanceDays ?? null,
      maxAdvanceDays: type.maxAdvanceDays ?? null,
      calendar: (entries[index] ?? []).map(formatEntry),
    })),
  };
}

export function formatEntry({ from, to, set }: CalendarEntry): JsonObject {
  const entry: Record<string, unknown> = { dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to) };
  const { ratesByGuests, ...numbers } = set;
  for (const [field, value] of Object.entries(numbers) as [CalendarField, number | null][]) {
    entry[field] = value === null ? null : formatValue(field, value);
  }
  if (ratesByGuests !== undefined)
    entry['ratesByGuests'] = ratesByGuests === null ? null : presentGuestRates(ratesByGuests);
  return entry;
}

function formatValue(field: CalendarField, value: number): string | number | boolean {
  if (field === 'rate') return formatMoney(BigInt(value));
  return FLAGS.has(field) ? value === 1 : value;
}
