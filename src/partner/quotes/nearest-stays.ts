/** Finds other dates for an unavailable stay: of the same length, as near as possible, decided by the evaluator. */
import type { Calendar } from '../../domain/calendar.ts';
import type { OfferedNights, StayRequest } from '../../domain/eligibility.ts';
import { NEAREST_STAYS_MAX, nearestShifts } from '../../domain/nearest-shifts.ts';
import { decideQuote, type PricedProperty, type PricedQuote } from '../../domain/quote-decision.ts';

export interface PossibleStay {
  readonly stay: StayRequest;
  readonly offer: PricedQuote;
}

/** Days searched before and after the wanted check-in. */
export const NEAREST_DAYS_MAX = 45;

/** A decision evaluates each inventory type, so a property with very many types is searched less far. */
const DECISIONS_OF_TYPES_MAX = 3_000;

/**
 * Up to NEAREST_STAYS_MAX stays with a price, the nearest first; of two that are equally near the later one first,
 * because it leaves more time to travel. `calendars` are in the order of the inventory types.
 */
export function findNearestStays(
  priced: PricedProperty,
  calendars: readonly Calendar[],
  wanted: StayRequest,
  offered: OfferedNights,
): readonly PossibleStay[] {
  const found: PossibleStay[] = [];
  for (const shift of nearestShifts(daysFor(priced.property.inventoryTypes.length), 'later')) {
    const stay = { ...wanted, checkIn: wanted.checkIn + shift, checkOut: wanted.checkOut + shift };
    if (stay.checkIn < offered.first || stay.checkOut > offered.end) continue;
    const offer = decideQuote(priced, calendars, stay, offered);
    if (offer.outcome === 'priced') found.push({ stay, offer });
    if (found.length === NEAREST_STAYS_MAX) break;
  }
  return found;
}

function daysFor(typeCount: number): number {
  return Math.min(NEAREST_DAYS_MAX, Math.ceil(DECISIONS_OF_TYPES_MAX / (2 * typeCount)));
}
