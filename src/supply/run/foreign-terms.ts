/**
 * Content that a well-formed document may not have here: prices of an inventory type that another source prices, and a
 * booking site that the operator has not allowed.
 */
import { Wrong } from '../../domain/wrong.ts';
import { bookingOriginOf } from '../../domain/booking-template.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import { setsPrice } from '../../domain/layers.ts';
import type { Property } from '../../domain/property.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';

export interface Refused {
  readonly field: string;
  readonly reason: Wrong;
}

/** Travellers are sent only to origins that the operator has listed. */
export function findForeignSite(
  details: Pick<PropertyDetails, 'bookingUrl'> | undefined,
  bookingOrigins: readonly string[],
): Refused | undefined {
  const bookingUrl = details?.bookingUrl;
  if (bookingUrl === undefined) return undefined;
  const origin = bookingOriginOf(bookingUrl) ?? '';
  if (bookingOrigins.includes(origin)) return undefined;
  return { field: 'bookingUrl', reason: new Wrong('foreignSite', { origin }) };
}

/** The first price that `source` may not set, as a field and a reason. `entries` has one list per inventory type. */
export function findForeignPrice(
  { inventoryTypes }: Property,
  entries: readonly (readonly CalendarEntry[])[],
  source: string,
): Refused | undefined {
  for (const [index, { priceSource = source }] of inventoryTypes.entries()) {
    if (priceSource === source) continue;
    if (entries[index]?.some(setsPrice) !== true) continue;
    return {
      field: `inventoryTypes[${index}].calendar`,
      reason: new Wrong('hasForeignPrices', { source: priceSource }),
    };
  }
  return undefined;
}
