/** Which discount of a property counts for a stay, and what it takes off a night. */
import type { StayRequest } from './eligibility.ts';
import { formatLocalDate, type EpochDay } from './local-date.ts';
import { getDecimal, roundHalfUp } from './money.ts';
import type { Discount } from './property.ts';

const PERCENT = 100n;

/** The one that counts for an inventory type; undefined when none applies. */
export type DiscountOfType = (inventoryTypeId: string) => Discount | undefined;

/**
 * Of those that apply to a type and the stay one counts: that with the highest percentage, of equal ones the first
 * listed. `today` is where the property stands. Types are asked for one by one, because a property may have very many.
 */
export function chooseDiscounts(
  discounts: readonly Discount[] | undefined,
  stay: StayRequest,
  today: EpochDay,
): DiscountOfType {
  if (discounts === undefined) return () => undefined;
  const ofType = new Map<string, Discount>();
  for (const discount of highestFirst(findApplying(discounts, stay, today))) {
    if (discount.inventoryTypeIds === undefined)
      return (inventoryTypeId) => ofType.get(inventoryTypeId) ?? discount;
    for (const inventoryTypeId of discount.inventoryTypeIds)
      if (!ofType.has(inventoryTypeId)) ofType.set(inventoryTypeId, discount);
  }
  return (inventoryTypeId) => ofType.get(inventoryTypeId);
}

/** What each price of a night is reduced by: minor units, rounded half up. 5 % of 10.10 is 0.51. */
export function makeReduction({ percent }: Discount): (price: bigint) => bigint {
  const { numerator, denominator } = getDecimal(percent);
  return (price) => roundHalfUp(price * numerator, denominator * PERCENT);
}

/** Those whose bounds hold, whatever the type. */
function findApplying(
  discounts: readonly Discount[],
  { checkIn, checkOut }: StayRequest,
  today: EpochDay,
): Discount[] {
  const nightCount = checkOut - checkIn;
  const daysAhead = checkIn - today;
  // LocalDates have one form: their texts are ordered as the dates are.
  const arrival = formatLocalDate(checkIn);
  const booking = formatLocalDate(today);
  return discounts.filter(
    (discount) =>
      isWithin(nightCount, discount.minNights, discount.maxNights) &&
      isWithin(daysAhead, discount.minAdvanceDays, discount.maxAdvanceDays) &&
      isWithin(arrival, discount.stayFrom, discount.stayTo) &&
      isWithin(booking, discount.bookFrom, discount.bookTo),
  );
}

function isWithin<Value extends number | string>(
  value: Value,
  least: Value | undefined,
  most: Value | undefined,
): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}

/** Doubles distinguish two decimals, and equal ones stay equal; those keep their order. */
function highestFirst(discounts: readonly Discount[]): Discount[] {
  return discounts
    .map((discount) => ({ discount, percent: Number(discount.percent) }))
    .sort((one, other) => other.percent - one.percent)
    .map(({ discount }) => discount);
}
