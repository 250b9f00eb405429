/** What a stay costs in one inventory type, with all its parts. */
import type { Calendar } from './calendar.ts';
import type { StayRequest } from './eligibility.ts';
import { rateForGuests } from './guest-rates.ts';
import type { EpochDay } from './local-date.ts';
import { getMoney } from './money.ts';
import { valueAt } from './night-runs.ts';
import type { InventoryType, Property } from './property.ts';
import { applyTaxes, type TaxLine } from './taxes.ts';

/** One occupied night in minor units: `price = rate + extraGuests`. */
export interface NightPrice {
  readonly night: EpochDay;
  readonly rate: bigint;
  /** What the guests beyond `includedGuests` add; nothing where the rate is one by guests. */
  readonly extraGuests: bigint;
  readonly price: bigint;
}

/** Minor units; always `total = accommodation + cleaningFee + taxes`, each the sum of its own parts. */
export interface StayPrice {
  readonly accommodation: bigint;
  readonly cleaningFee: bigint;
  readonly taxes: bigint;
  readonly total: bigint;
  readonly nights: readonly NightPrice[];
  readonly taxLines: readonly TaxLine[];
}

/** Undefined when an occupied night has no rate. Whether the stay is possible is not checked here. */
export function priceStay(
  property: Property,
  type: InventoryType,
  calendar: Calendar,
  stay: StayRequest,
): StayPrice | undefined {
  const nights = priceNights(type, calendar, stay);
  if (nights === undefined) return undefined;
  const accommodation = sum(nights.map((night) => night.price));
  const cleaningFee = property.cleaningFee === null ? 0n : getMoney(property.cleaningFee);
  const taxLines = applyTaxes(property.taxes, { guests: stay.guests, nights, cleaningFee });
  const taxes = sum(taxLines.map((line) => line.amount));
  return { accommodation, cleaningFee, taxes, total: accommodation + cleaningFee + taxes, nights, taxLines };
}

function priceNights(
  type: InventoryType,
  calendar: Calendar,
  { checkIn, checkOut, guests }: StayRequest,
): NightPrice[] | undefined {
  const extraGuests = BigInt(Math.max(0, guests - type.includedGuests)) * getMoney(type.extraGuestRate);
  const nights: NightPrice[] = [];
  for (let night = checkIn; night < checkOut; night++) {
    const byGuests = valueAt(calendar.ratesByGuests, night);
    const minorUnits =
      byGuests === undefined ? valueAt(calendar.rate, night) : rateForGuests(byGuests, guests);
    if (minorUnits === undefined) return undefined;
    const rate = BigInt(minorUnits);
    const extra = byGuests === undefined ? extraGuests : 0n;
    nights.push({ night, rate, extraGuests: extra, price: rate + extra });
  }
  return nights;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
