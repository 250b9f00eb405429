/** The price of a stay in one inventory type, with all its parts, and the discount of the property that applies. */
import type { Calendar } from './calendar.ts';
import { countPaying } from './child-ages.ts';
import type { StayRequest } from './eligibility.ts';
import { rateForGuests } from './guest-rates.ts';
import type { EpochDay } from './local-date.ts';
import { roundToUnit } from './money.ts';
import { valueAt } from './night-runs.ts';
import { type DiscountTerms, isWithin, type PriceTerms, type TypeTerms } from './price-terms.ts';
import type { Discount } from './property.ts';
import { applyTaxes, type TaxLine } from './taxes.ts';

/** The rates of an inventory type. */
export type RateCalendar = Pick<Calendar, 'rate' | 'ratesByGuests'>;

/** One occupied night in minor units: `price = rate + extraGuests + children`, in whole payable units, less `discount`. */
export interface NightPrice {
  readonly night: EpochDay;
  readonly rate: number;
  /** Added for the guests beyond `includedGuests`; zero with rates by guests. */
  readonly extraGuests: number;
  /** Added for the children who pay by age. */
  readonly children: number;
  /** Taken off by the discount of the stay; zero without one. */
  readonly discount: number;
  readonly price: number;
}

/** The applied discount, and its sum over all nights, in minor units. */
export interface AppliedDiscount {
  readonly terms: Discount;
  readonly amount: number;
}

/** Minor units. `total = accommodation + cleaningFee + taxes`, each the sum of its own parts. */
export interface StayPrice {
  /** The sum of the discounted nights. */
  readonly accommodation: number;
  readonly cleaningFee: number;
  readonly taxes: bigint;
  readonly total: bigint;
  readonly discount: AppliedDiscount | null;
  readonly nights: readonly NightPrice[];
  readonly taxLines: readonly TaxLine[];
}

/**
 * Undefined when an occupied night has no rate. Whether the stay is possible is not checked here. `discount` is the one
 * that applies to the type and the stay (`chooseDiscounts`); taxes are computed on the reduced price.
 */
export function priceStay(
  { cleaningFee, taxes: rules, unit }: Pick<PriceTerms, 'cleaningFee' | 'taxes' | 'unit'>,
  type: TypeTerms,
  calendar: RateCalendar,
  stay: StayRequest,
  discount: DiscountTerms | undefined,
): StayPrice | undefined {
  const nights = priceNights(type, calendar, stay, { discount, unit });
  if (nights === undefined) return undefined;
  let accommodation = 0;
  for (const { price } of nights) accommodation += price;
  const taxLines = applyTaxes(rules, { guests: stay.guests, childAges: stay.childAges, nights, cleaningFee });
  let taxes = 0n;
  for (const { amount } of taxLines) taxes += amount;
  const total = BigInt(accommodation + cleaningFee) + taxes;
  const applied = discount === undefined ? null : appliedDiscount(discount, nights);
  const price = { accommodation, cleaningFee, taxes, total, discount: applied, nights, taxLines };
  assertSums(price, unit);
  return price;
}

/** Throws on a price that is not the sum of its parts, or can't be paid: a bug, which nobody may be told as a price. */
function assertSums(
  { accommodation, cleaningFee, taxes, total, discount, nights, taxLines }: StayPrice,
  unit: number,
): void {
  let full = 0;
  let reduction = 0;
  for (const night of nights) {
    full += roundToUnit(night.rate + night.extraGuests + night.children, unit);
    reduction += night.discount;
    if (!(night.price >= 0 && night.discount >= 0)) throw new RangeError('a night has no price');
  }
  let added = 0;
  for (const { amount } of taxLines) added += Number(amount);
  // Doubles: sums of taxes may be beyond their integers, where the last digits are not compared.
  const isSum =
    accommodation === full - reduction &&
    reduction === (discount?.amount ?? 0) &&
    Math.abs(Number(taxes) - added) <= added * Number.EPSILON * taxLines.length &&
    Number(total) === accommodation + cleaningFee + Number(taxes);
  const isPayable = (accommodation + cleaningFee) % unit === 0 && total % BigInt(unit) === 0n;
  if (!isSum || !isPayable) throw new RangeError('a price is not the sum of its parts');
}

function appliedDiscount({ written }: DiscountTerms, nights: readonly NightPrice[]): AppliedDiscount {
  return { terms: written, amount: nights.reduce((sum, night) => sum + night.discount, 0) };
}

/** Each night is reduced separately, so that the nights add up to the accommodation to the cent. */
function priceNights(
  type: TypeTerms,
  calendar: RateCalendar,
  { checkIn, checkOut, ...party }: StayRequest,
  { discount, unit }: { readonly discount: DiscountTerms | undefined; readonly unit: number },
): NightPrice[] | undefined {
  const { guests, children } = countPaying(type.ageBands, party);
  const reductionOf = discount === undefined ? noReduction : makeReduction(discount, unit);
  const extraGuests = Math.max(0, guests - type.includedGuests) * type.extraGuestRate;
  const nights: NightPrice[] = [];
  for (let night = checkIn; night < checkOut; night++) {
    const byGuests = valueAt(calendar.ratesByGuests, night);
    const rate = rateOf(calendar, night, guests, byGuests);
    if (rate === undefined) return undefined;
    const extra = byGuests === undefined ? extraGuests : 0;
    const full = roundToUnit(rate + extra + children, unit);
    const reduction = reductionOf(full);
    nights.push({ night, rate, extraGuests: extra, children, discount: reduction, price: full - reduction });
  }
  return nights;
}

/** The rate of a night for so many paying guests, in minor units; undefined without one. Extra guests are not in it. */
export function rateOf(
  calendar: RateCalendar,
  night: EpochDay,
  guests: number,
  byGuests = valueAt(calendar.ratesByGuests, night),
): number | undefined {
  return byGuests === undefined ? valueAt(calendar.rate, night) : rateForGuests(byGuests, guests);
}

// Which discount counts, and what it takes off a night.

/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000;

/** The one that counts for an inventory type; undefined when none applies. */
export type DiscountOfType = (inventoryTypeId: string) => DiscountTerms | undefined;

const noDiscount: DiscountOfType = () => undefined;

/**
 * Chooses one of the discounts that apply to type and stay: the highest percentage, among equals the first listed.
 * `today` is the property's date. Types are looked up one by one, because a property may have very many.
 */
export function chooseDiscounts(
  { discounts }: Pick<PriceTerms, 'discounts'>,
  stay: StayRequest,
  today: EpochDay,
): DiscountOfType {
  if (discounts.length === 0) return noDiscount;
  const ofType = new Map<string, DiscountTerms>();
  for (const discount of discounts) {
    if (!applies(discount, stay, today)) continue;
    const { inventoryTypeIds } = discount.written;
    // The ones that follow have a lower percentage, or the same and are listed later.
    if (inventoryTypeIds === undefined) return (inventoryTypeId) => ofType.get(inventoryTypeId) ?? discount;
    for (const inventoryTypeId of inventoryTypeIds)
      if (!ofType.has(inventoryTypeId)) ofType.set(inventoryTypeId, discount);
  }
  return (inventoryTypeId) => ofType.get(inventoryTypeId);
}

/** The reduction of a night's price in whole units: minor units, rounded half up to a unit. 5 % of 10.10 is 0.51. */
export function makeReduction(
  { hundredths }: Pick<DiscountTerms, 'hundredths'>,
  unit: number,
): (price: number) => number {
  return (price) => {
    const units = price / unit;
    // Units times hundredths may be above 2^53; these are not.
    const wholes = Math.floor(units / WHOLE);
    const rest = units - wholes * WHOLE;
    return unit * (wholes * hundredths + Math.floor((2 * rest * hundredths + WHOLE) / (2 * WHOLE)));
  };
}

const noReduction = (): number => 0;

/** Whether the bounds of a discount hold, whatever the type. */
function applies(
  { nights, advanceDays, checkIn, bookedOn }: DiscountTerms,
  stay: StayRequest,
  today: EpochDay,
): boolean {
  return (
    isWithin(nights, stay.checkOut - stay.checkIn) &&
    isWithin(advanceDays, stay.checkIn - today) &&
    isWithin(checkIn, stay.checkIn) &&
    isWithin(bookedOn, today)
  );
}
