/** Encodes a parsed document for the database. */
import { encodeNights, encodeRates } from '../../domain/calendar-codec.ts';
import { buildCalendar, type CalendarEntry } from '../../domain/calendar.ts';
import { buildLowestRates } from '../../domain/lowest-rates.ts';
import { NO_DETAILS, type PropertyDetails } from '../../domain/property-details.ts';
import type { Property } from '../../domain/property.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';

export interface EncodeOptions {
  /** The property's source; `--replace` withdraws by source. */
  readonly source: string;
  readonly horizonNights: number;
  /** Inventory types without a calendar in the document. */
  readonly keptTypeIds?: readonly string[];
  /** Details that only the traveller's page shows. */
  readonly details?: PropertyDetails | undefined;
}

/** `entries` has one list per inventory type, in the order of `property.inventoryTypes`. Depends on no clock. */
export function encodeProperty(
  property: Property,
  entries: readonly (readonly CalendarEntry[])[],
  { source, horizonNights, keptTypeIds = [], details = NO_DETAILS }: EncodeOptions,
): PropertyWrite {
  const calendars = property.inventoryTypes.map((_, index) => buildCalendar(entries[index] ?? []));
  return {
    property,
    details,
    source,
    keptTypeIds,
    lowestRates: buildLowestRates(calendars, horizonNights),
    calendars: property.inventoryTypes.map(({ inventoryTypeId }, index) => ({
      inventoryTypeId,
      nights: encodeNights(calendars[index]!),
      rates: encodeRates(calendars[index]!),
    })),
  };
}
