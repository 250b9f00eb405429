/** The inverse of `property-document.ts`: the native document of a stored property. */
import type { CalendarEntry } from '../../domain/calendar.ts';
import { ALL_FIELDS, presentValue } from '../../domain/calendar-fields.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import type { Property } from '../../domain/property.ts';
import { NO_DETAILS, type PropertyDetails } from '../../domain/property-details.ts';
import type { JsonObject } from '../../domain/document/document-fields.ts';

/**
 * A document that reads back as the same property and entries. Every field is written, defaults included.
 * `entries` has one list per inventory type; `calendarRanges` makes them from a stored calendar.
 */
export function formatPropertyDocument(
  { detailsDigest: _detailsDigest, ...property }: Property,
  entries: readonly (readonly CalendarEntry[])[],
  details: PropertyDetails = NO_DETAILS,
): JsonObject {
  return {
    ...property,
    ...details,
    discounts: property.discounts ?? [],
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
  for (const field of ALL_FIELDS) {
    const value = set[field];
    if (value !== undefined) entry[field] = value === null ? null : presentValue(field, value);
  }
  return entry;
}
