/** Which discount of a property counts for a stay, and what it takes off a night. */
import type { StayRequest } from './eligibility.ts';
import { type EpochDay, formatLocalDate } from './local-date.ts';
import { roundHalfUp } from './money.ts';
import type { Discount, Property } from './property.ts';

const HUNDREDTHS_OF_A_PERCENT = 100;
/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000n;

/** The one that counts for an inventory type; undefined when none applies. */
export type DiscountOfType = (inventoryTypeId: string) => Discount | undefined;

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
  const applies = makeTest(stay, today);
  const ofType = new Map<string, Discount>();
  for (const discount of highestFirst(discounts)) {
    if (!applies(discount)) continue;
    // The ones that follow have a lower percentage, or the same and are listed later.
    if (discount.inventoryTypeIds === undefined)
      return (inventoryTypeId) => ofType.get(inventoryTypeId) ?? discount;
    for (const inventoryTypeId of discount.inventoryTypeIds)
      if (!ofType.has(inventoryTypeId)) ofType.set(inventoryTypeId, discount);
  }
  return (inventoryTypeId) => ofType.get(inventoryTypeId);
}

/** What each price of a night is reduced by: minor units, rounded half up. 5 % of 10.10 is 0.51. */
export function makeReduction(discount: Discount): (price: bigint) => bigint {
  const hundredths = BigInt(hundredthsOf(discount));
  return (price) => roundHalfUp(price * hundredths, WHOLE);
}

/** Of a percent, exactly: 12.5 % is 1250. */
export function hundredthsOf({ percent }: Discount): number {
  return Math.round(Number(percent) * HUNDREDTHS_OF_A_PERCENT);
}

/** Whether the bounds of a discount hold, whatever the type. */
function makeTest({ checkIn, checkOut }: StayRequest, today: EpochDay): (discount: Discount) => boolean {
  const nightCount = checkOut - checkIn;
  const daysAhead = checkIn - today;
  // LocalDates have one form: their texts are ordered as the dates are.
  const arrival = formatLocalDate(checkIn);
  const booking = formatLocalDate(today);
  return (discount) =>
    isWithin(nightCount, discount.minNights, discount.maxNights) &&
    isWithin(daysAhead, discount.minAdvanceDays, discount.maxAdvanceDays) &&
    isWithin(arrival, discount.stayFrom, discount.stayTo) &&
    isWithin(booking, discount.bookFrom, discount.bookTo);
}

function isWithin<Value extends number | string>(
  value: Value,
  least: Value | undefined,
  most: Value | undefined,
): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}

/** Of properties that are kept in memory: put in order for their first quote, and gone with them. */
const ordered = new WeakMap<readonly Discount[], readonly Discount[]>();

/** Equal percentages as they are listed. */
function highestFirst(discounts: readonly Discount[]): readonly Discount[] {
  let inOrder = ordered.get(discounts);
  if (inOrder === undefined) {
    inOrder = discounts
      .map((discount) => ({ discount, hundredths: hundredthsOf(discount) }))
      .sort((one, other) => other.hundredths - one.hundredths)
      .map(({ discount }) => discount);
    ordered.set(discounts, inOrder);
  }
  return inOrder;
}
