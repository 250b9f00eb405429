/** Prices of an inventory type come from one source; a document of another one may not hold any. */
import type { CalendarEntry } from '../../domain/calendar.ts';
import { setsPrice } from '../../domain/layers.ts';
import type { Property } from '../../domain/property.ts';

/** The first price that `source` may not set, as a field and a reason. `entries` has one list per inventory type. */
export function findForeignPrice(
  { inventoryTypes }: Property,
  entries: readonly (readonly CalendarEntry[])[],
  source: string,
): { readonly field: string; readonly reason: string } | undefined {
  for (const [index, { priceSource = source }] of inventoryTypes.entries()) {
    if (priceSource === source) continue;
    if (entries[index]?.some(setsPrice) !== true) continue;
    return {
      field: `inventoryTypes[${index}].calendar`,
      reason: `has prices, and prices of this type come from "${priceSource}" only; leave them out, or change priceSource`,
    };
  }
  return undefined;
}
