/** Chooses the inventory type of a quote, or the reason against one. */
import type { Calendar } from './calendar.ts';
import { isEligible, makeOfferedNights, type OfferedNights, type StayRequest } from './eligibility.ts';
import {
  chooseDiscounts,
  type PricedProperty,
  type PricedType,
  priceStay,
  type RateCalendar,
  type StayPrice,
} from './pricing.ts';
import type { InventoryType, Property } from './property.ts';
import { decodeCalendar } from './calendar-codec.ts';
import { type EpochDay, localToday } from './local-date.ts';

export interface PricedQuote<Type extends PricedType = InventoryType> {
  readonly outcome: 'priced';
  readonly type: Type;
  readonly price: StayPrice;
}

type QuoteDecision =
  | PricedQuote
  | { readonly outcome: 'STAY_UNAVAILABLE' }
  | { readonly outcome: 'QUOTE_UNAVAILABLE' };

/**
 * The eligible type with the lowest total after discounts, ties by inventoryTypeId. First some type must be eligible
 * (SPEC 4.4: a stay that is not available), then one of them must have a price and the property must quote. `calendars`
 * are in the order of `property.inventoryTypes`.
 */
export function decideQuote(
  property: Property,
  calendars: readonly Calendar[],
  stay: StayRequest,
  offered: OfferedNights,
): QuoteDecision {
  const eligible = property.inventoryTypes
    .map((type, index) => ({ type, calendar: calendars[index]! }))
    .filter(({ type, calendar }) => isEligible(type, calendar, stay, offered));
  if (eligible.length === 0) return { outcome: 'STAY_UNAVAILABLE' };
  if (!property.quoting) return { outcome: 'QUOTE_UNAVAILABLE' };

  return choosePrice(property, eligible, stay, offered.first) ?? { outcome: 'QUOTE_UNAVAILABLE' };
}

/** A type that can host the stay, with its rates. */
export interface EligibleType<Type extends PricedType> {
  readonly type: Type;
  readonly calendar: RateCalendar;
}

/**
 * The eligible type with the lowest total after discounts, ties by inventoryTypeId; undefined when none has a price.
 * `today` is the property's date. Quotes and the prices of cards both use it.
 */
export function choosePrice<Type extends PricedType>(
  property: Omit<PricedProperty, 'inventoryTypes'>,
  eligible: readonly EligibleType<Type>[],
  stay: StayRequest,
  today: EpochDay,
): PricedQuote<Type> | undefined {
  const discountOf = chooseDiscounts(property, stay, today);
  let best: PricedQuote<Type> | undefined;
  for (const { type, calendar } of eligible) {
    const price = priceStay(property, type, calendar, stay, discountOf(type.inventoryTypeId));
    if (price === undefined) continue;
    const candidate: PricedQuote<Type> = { outcome: 'priced', type, price };
    if (best === undefined || isBetter(candidate, best)) best = candidate;
  }
  return best;
}

function isBetter(candidate: PricedQuote<PricedType>, best: PricedQuote<PricedType>): boolean {
  if (candidate.price.total !== best.price.total) return candidate.price.total < best.price.total;
  return candidate.type.inventoryTypeId < best.type.inventoryTypeId;
}

// The decision of a quote over a property as storage holds it, for a moment in time.

function offeredNights(timezone: string, nowMs: number, horizonNights: number): OfferedNights {
  return makeOfferedNights(localToday(timezone, nowMs), horizonNights);
}

/** The decision and its inputs, for further questions about the same moment. */
export interface StoredDecision {
  readonly decision: QuoteDecision;
  /** One per inventory type, in the order of `property.inventoryTypes`. */
  readonly calendars: readonly Calendar[];
  readonly offered: OfferedNights;
}

/** A property as storage holds it. */
interface EncodedProperty {
  readonly property: Property;
  /** As `calendar-codec.ts` encodes them, in the order of `property.inventoryTypes`. */
  readonly calendars: readonly { readonly nights: Uint8Array; readonly rates: Uint8Array }[];
}

/** Decides by the stored calendars alone; the caller checks visibility. */
export function decideStored(
  stored: EncodedProperty,
  stay: StayRequest,
  moment: { readonly nowMs: number; readonly horizonNights: number },
): StoredDecision {
  const calendars = decodeCalendars(stored);
  const offered = offeredNights(stored.property.timezone, moment.nowMs, moment.horizonNights);
  return { decision: decideQuote(stored.property, calendars, stay, offered), calendars, offered };
}

function decodeCalendars(stored: EncodedProperty): readonly Calendar[] {
  return stored.calendars.map((calendar) => decodeCalendar(calendar.nights, calendar.rates));
}
