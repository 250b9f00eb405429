/**
 * Lower bounds of prices, from terms alone: a search prices no stay that can't be among the cheapest. They decide what
 * need not be priced, and never what is answered.
 */
import { isPercentLogic, isUnbounded, isWithin, type TaxTerms } from './price-terms.ts';
import { quantityOf } from './taxes.ts';

/** Doubles are rounded: this keeps bounds below the totals, however large those are. */
export const CAUTION = 1 - 1e-9;

/** The part of the taxes that every stay pays. */
export interface LeastTaxes {
  /** Factors of the nights and of the cleaning fee: 1 and the percentages that are always added. */
  readonly nights: number;
  readonly cleaningFee: number;
  /** Rules that are rounded. */
  readonly ruleCount: number;
  /** Stays of one length and number of guests cost more exactly where their nights do. */
  readonly followNights: boolean;
}

export function leastTaxes(taxes: readonly TaxTerms[]): LeastTaxes {
  const always = taxes.filter(isAlwaysAdded);
  let nights = 1;
  let cleaningFee = 1;
  for (const rule of always) {
    if (rule.isOnNights) nights += factorOf(rule);
    if (rule.isOnCleaningFee) cleaningFee += factorOf(rule);
  }
  return { nights, cleaningFee, ruleCount: always.length, followNights: taxes.every(followsNights) };
}

/**
 * The amounts that every stay of so many nights pays, in minor units, before rounding. `adults` pay them all; what children
 * pay comes on top.
 */
export function leastAmounts(
  taxes: readonly TaxTerms[],
  stay: { readonly nights: number; readonly adults: number },
): { readonly amount: number; readonly ruleCount: number } {
  let amount = 0;
  let ruleCount = 0;
  for (const rule of taxes) {
    if (isPercentLogic(rule.logic) || rule.inclusive || rule.tiers.length > 0 || !isUnbounded(rule.validity))
      continue;
    if (!isWithin(rule.stayNights, stay.nights)) continue;
    const nights = Math.min(Math.max(stay.nights - rule.skipNights, 0), rule.maxNights);
    amount += factorOf(rule) * quantityOf(rule.logic, { arrivals: 1, nights, guests: stay.adults });
    ruleCount += 1;
  }
  return { amount, ruleCount };
}

/** Whether what the rule adds depends on nothing but the sum of the nights, and never falls as that grows. */
function followsNights(rule: TaxTerms): boolean {
  if (rule.inclusive || isAlwaysAdded(rule)) return true;
  return !isPercentLogic(rule.logic) && rule.tiers.length === 0 && isUnbounded(rule.validity);
}

/** Whether the rule adds a percentage of all nights, whatever the stay. */
function isAlwaysAdded(rule: TaxTerms): boolean {
  const { logic, inclusive, skipNights, maxNights, capPerGuestNight } = rule;
  const isWhole =
    skipNights === 0 && maxNights === Number.POSITIVE_INFINITY && capPerGuestNight === undefined;
  const isForAll = isUnbounded(rule.validity) && isUnbounded(rule.stayNights);
  return isPercentLogic(logic) && !inclusive && isWhole && isForAll;
}

/** A share, or minor units. */
function factorOf({ value, unit }: TaxTerms): number {
  return (value.numerator / value.denominator) * unit;
}
