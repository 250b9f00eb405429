/** The price of a stay in one inventory type, with all its parts, and the discount of the property that applies. */
import type { Calendar } from './calendar.ts';
import type { StayRequest } from './eligibility.ts';
import { rateForGuests } from './guest-rates.ts';
import { type EpochDay, getLocalDate } from './local-date.ts';
import { getMoney, roundHalfUp } from './money.ts';
import { valueAt } from './night-runs.ts';
import type { Discount, InventoryType, Property } from './property.ts';

import { applyTaxes, type TaxLine } from './taxes.ts';
/** The parts of a property that determine its prices. */
export interface PricedProperty extends Pick<Property, 'quoting' | 'cleaningFee' | 'taxes' | 'discounts'> {
  readonly inventoryTypes: readonly PricedType[];
}
export type PricedType = Pick<InventoryType, 'inventoryTypeId' | 'includedGuests' | 'extraGuestRate'>;
export type RateCalendar = Pick<Calendar, 'rate' | 'ratesByGuests'>;

/** One occupied night in minor units: `price = rate + extraGuests - discount`. */
export interface NightPrice {
  readonly night: EpochDay;
  readonly rate: bigint;
  /** Added for the guests beyond `includedGuests`; zero with rates by guests. */
  readonly extraGuests: bigint;
  /** Taken off by the discount of the stay; zero without one. */
  readonly discount: bigint;
  readonly price: bigint;
}

/** The applied discount, and its sum over all nights, in minor units. */
export interface AppliedDiscount {
  readonly terms: Discount;
  readonly amount: bigint;
}

/** Minor units. `total = accommodation + cleaningFee + taxes`, each the sum of its own parts. */
export interface StayPrice {
  /** The sum of the discounted nights. */
  readonly accommodation: bigint;
  readonly cleaningFee: bigint;
  readonly taxes: bigint;
  readonly total: bigint;
  readonly discount: AppliedDiscount | null;
  readonly nights: readonly NightPrice[];
  readonly taxLines: readonly TaxLine[];
}

/**
 * Undefined when an occupied night has no rate. The caller checks that the stay is possible. `terms` are those of the
 * discount that applies to type and stay (`chooseDiscounts`); taxes are computed on the reduced price.
 */
export function priceStay(
  property: Pick<PricedProperty, 'cleaningFee' | 'taxes'>,
  type: PricedType,
  calendar: RateCalendar,
  stay: StayRequest,
  terms: Discount | undefined,
): StayPrice | undefined {
  const nights = priceNights(type, calendar, stay, terms);
  if (nights === undefined) return undefined;
  const accommodation = sum(nights.map((night) => night.price));
  const cleaningFee = property.cleaningFee === null ? 0n : parsedMoney(property.cleaningFee);
  const taxLines = applyTaxes(property.taxes, { guests: stay.guests, nights, cleaningFee });
  const taxes = sum(taxLines.map((line) => line.amount));
  const discount = terms === undefined ? null : { terms, amount: sum(nights.map((night) => night.discount)) };
  const total = accommodation + cleaningFee + taxes;
  return { accommodation, cleaningFee, taxes, total, discount, nights, taxLines };
}

/** Each night is reduced separately, so that the nights add up to the accommodation to the cent. */
function priceNights(
  type: PricedType,
  calendar: RateCalendar,
  { checkIn, checkOut, guests }: StayRequest,
  terms: Discount | undefined,
): NightPrice[] | undefined {
  const reductionOf = terms === undefined ? () => 0n : remembered(makeReduction(terms));
  const extraGuests = BigInt(Math.max(0, guests - type.includedGuests)) * parsedMoney(type.extraGuestRate);
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

/** Fees and rates of extra guests are few and repeat. */
const MONEY_KEPT_MAX = 4_096;
const knownMoney = new Map<string, bigint>();

function parsedMoney(text: string): bigint {
  let minorUnits = knownMoney.get(text);
  if (minorUnits === undefined) {
    if (knownMoney.size >= MONEY_KEPT_MAX) knownMoney.clear();
    minorUnits = getMoney(text);
    knownMoney.set(text, minorUnits);
  }
  return minorUnits;
}

type Reduction = ReturnType<typeof makeReduction>;

/** Caches the last night: most nights of a stay cost as much as the one before. */
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

/** The discount of an inventory type; undefined when none applies. */
export type DiscountOfType = (inventoryTypeId: string) => Discount | undefined;

const noDiscount: DiscountOfType = () => undefined;

/**
 * Chooses one of the discounts that apply to type and stay: the highest percentage, among equals the first listed.
 * `today` is the property's date. Types are looked up one by one, because a property may have very many.
 */
export function chooseDiscounts(
  { discounts }: Pick<Property, 'discounts'>,
  stay: StayRequest,
  today: EpochDay,
): DiscountOfType {
  if (discounts === undefined) return noDiscount;
  const ofType = new Map<string, Discount>();
  for (const parsed of highestFirst(discounts)) {
    if (!applies(parsed, stay, today)) continue;
    const { discount } = parsed;
    // The ones that follow have a lower percentage, or the same and are listed later.
    if (discount.inventoryTypeIds === undefined)
      return (inventoryTypeId) => ofType.get(inventoryTypeId) ?? discount;
    for (const inventoryTypeId of discount.inventoryTypeIds)
      if (!ofType.has(inventoryTypeId)) ofType.set(inventoryTypeId, discount);
  }
  return (inventoryTypeId) => ofType.get(inventoryTypeId);
}

/** The reduction of a night's price: minor units, rounded half up. 5 % of 10.10 is 0.51. */
export function makeReduction(discount: Discount): (price: bigint) => bigint {
  const hundredths = BigInt(hundredthsOf(discount));
  return (price) => roundHalfUp(price * hundredths, WHOLE);
}

/** Hundredths of a percent, exactly: 12.5 % is 1250. */
export function hundredthsOf({ percent }: Discount): number {
  return Math.round(Number(percent) * HUNDREDTHS_OF_A_PERCENT);
}

/** A discount with its texts as numbers. */
interface ParsedDiscount {
  readonly discount: Discount;
  readonly hundredths: number;
  /** Bounds of the check-in night, and of the booking day. */
  readonly stay: DayBounds;
  readonly book: DayBounds;
}

interface DayBounds {
  readonly first: EpochDay;
  readonly last: EpochDay;
}

/** Whether the bounds of a discount hold; types are not checked. */
function applies(
  { discount, stay, book }: ParsedDiscount,
  { checkIn, checkOut }: StayRequest,
  today: EpochDay,
) {
  const {
    minNights = 0,
    maxNights = Infinity,
    minAdvanceDays = -Infinity,
    maxAdvanceDays = Infinity,
  } = discount;
  return (
    isWithin(checkOut - checkIn, minNights, maxNights) &&
    isWithin(checkIn - today, minAdvanceDays, maxAdvanceDays) &&
    isWithin(checkIn, stay.first, stay.last) &&
    isWithin(today, book.first, book.last)
  );
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** Discounts of properties in memory, parsed and ordered at their first quote; freed with them. */
const ordered = new WeakMap<readonly Discount[], readonly ParsedDiscount[]>();

/** Equal percentages stay in listed order. */
function highestFirst(discounts: readonly Discount[]): readonly ParsedDiscount[] {
  let inOrder = ordered.get(discounts);
  if (inOrder === undefined) {
    inOrder = discounts.map(parseDiscount).sort((one, other) => other.hundredths - one.hundredths);
    ordered.set(discounts, inOrder);
  }
  return inOrder;
}

function parseDiscount(discount: Discount): ParsedDiscount {
  const { stayFrom, stayTo, bookFrom, bookTo } = discount;
  return {
    discount,
    hundredths: hundredthsOf(discount),
    stay: dayBounds(stayFrom, stayTo),
    book: dayBounds(bookFrom, bookTo),
  };
}

function dayBounds(from: string | undefined, to: string | undefined): DayBounds {
  return {
    first: from === undefined ? -Infinity : getLocalDate(from),
    last: to === undefined ? Infinity : getLocalDate(to),
  };
}
