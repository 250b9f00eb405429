/** Chooses the inventory type of a quote, or the reason against one. */
import type { Calendar } from './calendar.ts';
import { isEligible, makeOfferedNights, type OfferedNights, type StayRequest } from './eligibility.ts';
import { chooseDiscounts, priceStay, type RateCalendar, type StayPrice } from './pricing.ts';
import type { PriceTerms } from './price-terms.ts';
import { type InventoryType, type Property, typesOf } from './property.ts';
import { decodeCalendar } from './calendar-codec.ts';
import { type EpochDay, localToday } from './local-date.ts';

export interface PricedQuote {
  readonly outcome: 'priced';
  readonly type: InventoryType;
  readonly price: StayPrice;
}

/** Why there is no quote, in the order of decision. */
export type QuoteRefusal = 'STAY_UNAVAILABLE' | 'QUOTE_UNAVAILABLE';

type QuoteDecision = PricedQuote | { readonly outcome: QuoteRefusal };

/** A property document, and what its prices are computed with. */
export interface PricedProperty {
  readonly property: Property;
  readonly terms: PriceTerms;
}

/**
 * The eligible type with the lowest total after discounts, ties by inventoryTypeId. First some type must be eligible
 * (SPEC 4.4: a stay that is not available), then one of them must have a price and the property must quote. `calendars`
 * are in the order of `property.inventoryTypes`.
 */
export function decideQuote(
  { property, terms }: PricedProperty,
  calendars: readonly Calendar[],
  stay: StayRequest,
  offered: OfferedNights,
): QuoteDecision {
  const inventoryTypes = typesOf(property);
  const eligible = calendars
    .map((calendar, typeIndex) => ({ typeIndex, calendar }))
    .filter(({ typeIndex, calendar }) => isEligible(inventoryTypes[typeIndex]!, calendar, stay, offered));
  const decided = decideEligible(terms, eligible, stay, offered.first);
  if ('refusal' in decided) return { outcome: decided.refusal };
  return { outcome: 'priced', type: inventoryTypes[decided.typeIndex]!, price: decided.price };
}

/** A type that can host the stay, with its rates. */
export interface EligibleType {
  /** Among the types of the property. */
  readonly typeIndex: number;
  readonly calendar: RateCalendar;
}

/**
 * The decision once it is known which types can host the stay: the one with the lowest total, or the refusal. `today` is
 * the property's date. Quotes and the prices of stays from memory both decide by it.
 */
export function decideEligible(
  terms: PriceTerms,
  eligible: readonly EligibleType[],
  stay: StayRequest,
  today: EpochDay,
): ChosenPrice | { readonly refusal: QuoteRefusal } {
  if (eligible.length === 0) return { refusal: 'STAY_UNAVAILABLE' };
  if (!terms.quoting) return { refusal: 'QUOTE_UNAVAILABLE' };
  return choosePrice(terms, eligible, stay, today) ?? { refusal: 'QUOTE_UNAVAILABLE' };
}

/** The lowest total after discounts, ties by inventoryTypeId; undefined when no type has a price. */
function choosePrice(
  terms: PriceTerms,
  eligible: readonly EligibleType[],
  stay: StayRequest,
  today: EpochDay,
): ChosenPrice | undefined {
  const discountOf = chooseDiscounts(terms, stay, today);
  let best: ChosenPrice | undefined;
  for (const { typeIndex, calendar } of eligible) {
    const { inventoryTypeId } = terms.types[typeIndex]!;
    const price = priceStay(terms, terms.types[typeIndex]!, calendar, stay, discountOf(inventoryTypeId));
    if (price === undefined) continue;
    const candidate = { typeIndex, inventoryTypeId, price };
    if (best === undefined || isBetter(candidate, best)) best = candidate;
  }
  return best;
}

interface ChosenPrice {
  readonly typeIndex: number;
  readonly inventoryTypeId: string;
  readonly price: StayPrice;
}

function isBetter(candidate: ChosenPrice, best: ChosenPrice): boolean {
  if (candidate.price.total !== best.price.total) return candidate.price.total < best.price.total;
  return candidate.inventoryTypeId < best.inventoryTypeId;
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
interface EncodedProperty extends PricedProperty {
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
  return { decision: decideQuote(stored, calendars, stay, offered), calendars, offered };
}

function decodeCalendars(stored: EncodedProperty): readonly Calendar[] {
  return stored.calendars.map((calendar) => decodeCalendar(calendar.nights, calendar.rates));
}
