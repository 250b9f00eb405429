/** What a stay costs in one inventory type, with all its parts; and which discount of the property counts for it. */
import type { Calendar } from './calendar.ts';
import type { StayRequest } from './eligibility.ts';
import { rateForGuests } from './guest-rates.ts';
import { type EpochDay, formatLocalDate } from './local-date.ts';
import { getMoney, roundHalfUp } from './money.ts';
import { valueAt } from './night-runs.ts';
import type { Discount, InventoryType, Property } from './property.ts';
import { applyTaxes, type TaxLine } from './taxes.ts';

/** One occupied night in minor units: `price = rate + extraGuests - discount`. */
export interface NightPrice {
  readonly night: EpochDay;
  readonly rate: bigint;
  /** What the guests beyond `includedGuests` add; nothing where the rate is one by guests. */
  readonly extraGuests: bigint;
  /** What the discount of the stay takes off; nothing where none counts. */
  readonly discount: bigint;
  readonly price: bigint;
}

/** The discount that counts for a stay, and what it takes off all nights together, in minor units. */
export interface AppliedDiscount {
  readonly terms: Discount;
  readonly amount: bigint;
}

/** Minor units; always `total = accommodation + cleaningFee + taxes`, each the sum of its own parts. */
export interface StayPrice {
  /** Of the nights' prices, which have the discount taken off. */
  readonly accommodation: bigint;
  readonly cleaningFee: bigint;
  readonly taxes: bigint;
  readonly total: bigint;
  readonly discount: AppliedDiscount | null;
  readonly nights: readonly NightPrice[];
  readonly taxLines: readonly TaxLine[];
}

/**
 * Undefined when an occupied night has no rate. Whether the stay is possible is not checked here. `terms` are of the
 * discount that applies to the type and the stay (`chooseDiscounts`); taxes are computed on the reduced price.
 */
export function priceStay(
  property: Property,
  type: InventoryType,
  calendar: Calendar,
  stay: StayRequest,
  terms: Discount | undefined,
): StayPrice | undefined {
  const nights = priceNights(type, calendar, stay, terms);
  if (nights === undefined) return undefined;
  const accommodation = sum(nights.map((night) => night.price));
  const cleaningFee = property.cleaningFee === null ? 0n : getMoney(property.cleaningFee);
  const taxLines = applyTaxes(property.taxes, { guests: stay.guests, nights, cleaningFee });
  const taxes = sum(taxLines.map((line) => line.amount));
  const discount = terms === undefined ? null : { terms, amount: sum(nights.map((night) => night.discount)) };
  const total = accommodation + cleaningFee + taxes;
  return { accommodation, cleaningFee, taxes, total, discount, nights, taxLines };
}

/** A discount is taken off each night by itself, so that the nights add up to the accommodation to the cent. */
function priceNights(
  type: InventoryType,
  calendar: Calendar,
  { checkIn, checkOut, guests }: StayRequest,
  terms: Discount | undefined,
): NightPrice[] | undefined {
  const reductionOf = terms === undefined ? () => 0n : remembered(makeReduction(terms));
  const extraGuests = BigInt(Math.max(0, guests - type.includedGuests)) * getMoney(type.extraGuestRate);
  const nights: NightPrice[] = [];
  for (let night = checkIn; night < checkOut; night++) {
    const byGuests = valueAt(calendar.ratesByGuests, night);
    const minorUnits =
      byGuests === undefined ? valueAt(calendar.rate, night) : rateForGuests(byGuests, guests);
    if (minorUnits === undefined) return undefined;
    const rate = BigInt(minorUnits);
    const extra = byGuests === undefined ? extraGuests : 0n;
    const full = rate + extra;
    const discount = reductionOf(full);
    nights.push({ night, rate, extraGuests: extra, discount, price: full - discount });
  }
  return nights;
}

type Reduction = ReturnType<typeof makeReduction>;

/** Most nights of a stay cost what the night before costs. */
function remembered(reductionOf: Reduction): Reduction {
  let price = 0n;
  let reduction = 0n;
  return (full) => {
    if (full !== price) [price, reduction] = [full, reductionOf(full)];
    return reduction;
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

// Which discount counts, and what it takes off a night.

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
