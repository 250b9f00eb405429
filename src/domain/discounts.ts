/** Which discount of a property counts for a stay, and what it takes off a night. */
import type { StayRequest } from './eligibility.ts';
import { type EpochDay, getLocalDate } from './local-date.ts';
import { getDecimal, roundHalfUp } from './money.ts';
import type { Discount, Property } from './property.ts';

const PERCENT = 100n;

/** A discount as quotes use it: its bounds as numbers, both included. */
export interface DiscountRule {
  /** As the operator wrote it. */
  readonly terms: Discount;
  readonly nightCount: Bounds;
  readonly daysAhead: Bounds;
  readonly arrival: Bounds;
  readonly booking: Bounds;
  /** What a price, in minor units, is reduced by: rounded half up. 5 % of 10.10 is 0.51. */
  readonly reductionOf: (price: bigint) => bigint;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** The one that counts for an inventory type; undefined when none applies. */
export type DiscountOfType = (inventoryTypeId: string) => DiscountRule | undefined;

const noDiscount: DiscountOfType = () => undefined;

/**
 * Of those that apply to a type and the stay one counts: that with the highest percentage, of equal ones the first
 * listed. `today` is where the property stands. Types are asked for one by one, because a property may have very many.
 */
export function chooseDiscounts(
  { discounts }: Pick<Property, 'discounts'>,
  stay: StayRequest,
  today: EpochDay,
): DiscountOfType {
  if (discounts === undefined) return noDiscount;
  const ofType = new Map<string, DiscountRule>();
  for (const rule of rulesOf(discounts)) {
    if (!applies(rule, stay, today)) continue;
    const { inventoryTypeIds } = rule.terms;
    // The rules that follow have a lower percentage, or the same and are listed later.
    if (inventoryTypeIds === undefined) return (inventoryTypeId) => ofType.get(inventoryTypeId) ?? rule;
    for (const inventoryTypeId of inventoryTypeIds)
      if (!ofType.has(inventoryTypeId)) ofType.set(inventoryTypeId, rule);
  }
  return (inventoryTypeId) => ofType.get(inventoryTypeId);
}

/** Whether its bounds hold, whatever the type. */
function applies(rule: DiscountRule, { checkIn, checkOut }: StayRequest, today: EpochDay): boolean {
  return (
    isWithin(checkOut - checkIn, rule.nightCount) &&
    isWithin(checkIn - today, rule.daysAhead) &&
    isWithin(checkIn, rule.arrival) &&
    isWithin(today, rule.booking)
  );
}

function isWithin(value: number, { least, most }: Bounds): boolean {
  return value >= least && value <= most;
}

/** Of properties that are kept in memory: made with their first quote, and gone with them. */
const knownRules = new WeakMap<readonly Discount[], readonly DiscountRule[]>();

/** The highest percentage first; equal ones as they are listed. */
function rulesOf(discounts: readonly Discount[]): readonly DiscountRule[] {
  const known = knownRules.get(discounts);
  if (known !== undefined) return known;
  // Decimals with two digits are equal, and ordered, as doubles too.
  const rules = discounts
    .toSorted((one, other) => Number(other.percent) - Number(one.percent))
    .map(makeDiscountRule);
  knownRules.set(discounts, rules);
  return rules;
}

export function makeDiscountRule(terms: Discount): DiscountRule {
  const { percent, minNights, maxNights, minAdvanceDays, maxAdvanceDays } = terms;
  const { numerator, denominator } = getDecimal(percent);
  return {
    terms,
    nightCount: boundsOf(minNights, maxNights),
    daysAhead: boundsOf(minAdvanceDays, maxAdvanceDays),
    arrival: datesOf(terms.stayFrom, terms.stayTo),
    booking: datesOf(terms.bookFrom, terms.bookTo),
    reductionOf: (price) => roundHalfUp(price * numerator, denominator * PERCENT),
  };
}

function boundsOf(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Bounds {
  return { least, most };
}

function datesOf(from: string | undefined, to: string | undefined): Bounds {
  const dayOf = (date: string | undefined) => (date === undefined ? undefined : getLocalDate(date));
  return boundsOf(dayOf(from), dayOf(to));
}
