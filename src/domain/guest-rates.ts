/** Rates of a night by number of guests: an amount for up to so many guests each. */

import { formatMoney } from './money.ts';

export interface GuestRate {
  /** The amount covers up to so many guests, above the number before it. */
  readonly guests: number;
  /** Minor units, for the whole unit. */
  readonly rate: number;
}

/** By ascending number of guests, each once. */
export type GuestRates = readonly GuestRate[];

/** The rate of a night for so many guests, in minor units; undefined when no amount covers them. */
export function rateForGuests(rates: GuestRates, guests: number): number | undefined {
  return rates.find((rate) => rate.guests >= guests)?.rate;
}

export function lowestGuestRate(rates: GuestRates): number | undefined {
  return rates.length === 0 ? undefined : Math.min(...rates.map(({ rate }) => rate));
}

export function presentGuestRates(rates: GuestRates): Record<string, string> {
  return Object.fromEntries(rates.map(({ guests, rate }) => [guests, formatMoney(rate)]));
}

export function sameGuestRates(one: GuestRates, other: GuestRates): boolean {
  return (
    one === other ||
    (one.length === other.length &&
      one.every(({ guests, rate }, index) => guests === other[index]!.guests && rate === other[index]!.rate))
  );
}
