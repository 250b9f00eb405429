/** The price of a night by number of guests, from the price rules of its room: never below the one of Beds24. */
import type { GuestRate, GuestRates } from '../../../../domain/guest-rates.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../../../domain/stay-limits.ts';
import { decimalOf, isUnsaid, type JsonObject, readDecimal, toMinor } from '../read-answer.ts';
import type { Reason } from './reasons.ts';
import type { PriceRule, RoomTerms } from './room-terms.ts';

/** Rules that count for the chosen offer. */
export interface CountingRules {
  /** Each sells to some guest. */
  readonly all: readonly PriceRule[];
  /** The only one, whose conditions are restrictions of the room; undefined where several count, or none. */
  readonly only: PriceRule | undefined;
}

export function countingRules({ rules, offers }: RoomTerms, offer: string): CountingRules {
  const isSold = Object.hasOwn(offers, offer);
  const all = isSold ? rules.filter((rule) => String(rule.offer) === offer) : [];
  return { all, only: all.length === 1 ? all[0] : undefined };
}

export interface NightPrices {
  readonly rates: GuestRates;
  /** Why `rates` may be above the true price; where they are empty, why there are none. */
  readonly doubts: ReadonlySet<Reason>;
}

/** The lowest price of several rules, for each number of guests. */
export function priceNight(
  { all, only }: CountingRules,
  { guestsMax }: RoomTerms,
  night: JsonObject,
): NightPrices {
  const doubts = new Set<Reason>();
  const multiplier = readMultiplier(night);
  const lowest: number[] = [];
  for (const rule of all) {
    const price = priceOf(rule, night);
    if (price === 'none') continue;
    const doubt = doubtOf(rule, rule === only, price);
    if (doubt !== undefined) doubts.add(doubt);
    else if (multiplier !== undefined && price !== 'unsaid')
      for (const { guests, rate } of ratesOf(rule, price, multiplier, guestsMax))
        lowest[guests] = Math.min(lowest[guests] ?? Infinity, rate);
  }
  return { rates: withoutRepeats(lowest), doubts };
}

/** Undefined: it has one that cannot be read. */
export function readMultiplier({ multiplier }: JsonObject): Decimal | undefined {
  if (isUnsaid(multiplier)) return ONE;
  const read = readDecimal(multiplier);
  return read === undefined || read.numerator === 0n ? undefined : read;
}

export function isOne({ numerator, denominator }: Decimal): boolean {
  return numerator === denominator;
}

const ONE: Decimal = { numerator: 1n, denominator: 1n };

/** `none`: the rule does not sell the night. `unsaid`: it may, at a price that the answer lacks. */
function priceOf({ id, isLinked }: PriceRule, night: JsonObject): Decimal | 'none' | 'unsaid' {
  const value = night[isLinked ? `linkedPrice${id}` : `price${id}`];
  const price = readDecimal(value);
  if (price === undefined) return isLinked ? 'unsaid' : 'none';
  return price.numerator === 0n ? 'none' : price;
}

function doubtOf(rule: PriceRule, isOnly: boolean, price: Decimal | 'unsaid'): Reason | undefined {
  if (!isOnly && isConditional(rule)) return 'conditional_rule';
  if (price === 'unsaid') return 'linked_price';
  return rule.priceFor === null ? 'price_rule' : undefined;
}

/** Whether the rule counts for some stays only. No stay is longer than STAY_NIGHTS_MAX. */
function isConditional({ minStay, maxStay, minDays, maxDays }: PriceRule): boolean {
  return (
    (minStay !== null && minStay > 1) ||
    (maxStay !== null && maxStay < STAY_NIGHTS_MAX) ||
    (minDays !== null && minDays > 0) ||
    maxDays !== null
  );
}

function* ratesOf(
  { priceFor }: PriceRule,
  price: Decimal,
  multiplier: Decimal,
  guestsMax: number,
): Generator<GuestRate> {
  for (let guests = 1; guests <= Math.min(guestsMax, STAY_GUESTS_MAX); guests += 1) {
    const amount = amountFor(priceFor, price, guests);
    const rate = amount === undefined ? undefined : toMinor(product(amount, multiplier));
    if (rate !== undefined) yield { guests, rate };
  }
}

function amountFor(priceFor: PriceRule['priceFor'], price: Decimal, guests: number): Decimal | undefined {
  if (priceFor === null || priceFor === 'all') return price;
  if (priceFor === 'each') return product(price, { numerator: BigInt(guests), denominator: 1n });
  const more = guests - priceFor.upTo;
  if (more <= 0) return price;
  const extra = priceFor.extra === null ? undefined : decimalOf(priceFor.extra);
  // Without an amount for them, it is not sold to more guests.
  if (extra === undefined || extra.numerator === 0n) return undefined;
  return sum(price, product(extra, { numerator: BigInt(more), denominator: 1n }));
}

function product(one: Decimal, other: Decimal): Decimal {
  return {
    numerator: one.numerator * other.numerator,
    denominator: one.denominator * other.denominator,
  };
}

function sum(one: Decimal, other: Decimal): Decimal {
  return {
    numerator: one.numerator * other.denominator + other.numerator * one.denominator,
    denominator: one.denominator * other.denominator,
  };
}

/** An amount covers fewer guests too: one that is equal to that for a guest more is left out. */
function withoutRepeats(lowest: readonly number[]): GuestRates {
  const rates: GuestRate[] = [];
  for (const [guests, rate] of lowest.entries())
    if (rate !== undefined && rate !== lowest[guests + 1]) rates.push({ guests, rate });
  return rates;
}
