/** What a stay costs in one inventory type, with all its parts. */
import type { Calendar } from './calendar.ts';
import { makeReduction } from './discounts.ts';
import type { StayRequest } from './eligibility.ts';
import { rateForGuests } from './guest-rates.ts';
import type { EpochDay } from './local-date.ts';
import { getMoney } from './money.ts';
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
