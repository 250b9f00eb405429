/**
 * Rates of a night that depend on how many travel: an amount for up to so many guests, for several numbers of guests.
 */

import { formatMoney } from './money.ts';

export interface GuestRate {
  /** The amount is for at most so many, and for more than the number before it. */
  readonly guests: number;
  /** Minor units, for the whole unit. */
  readonly rate: number;
}

/** By ascending number of guests, each once. */
export type GuestRates = readonly GuestRate[];

/** What a night costs for so many guests, in minor units; undefined when no amount is for so many. */
export function rateForGuests(rates: GuestRates, guests: number): number | undefined {
  return rates.find((rate) => rate.guests >= guests)?.rate;
}

/** The lowest of all amounts; undefined when there are none. */
export function lowestGuestRate(rates: GuestRates): number | undefined {
  return rates.length === 0 ? undefined : Math.min(...rates.map(({ rate }) => rate));
}

/** As an object of money by number of guests: `{"1":"80.00","2":"100.00"}`. */
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
