/**
 * Prices of one property for many stays: its rates are decoded once, and a lower bound of each stay, nearly its total,
 * says which of them need a price.
 */
import { countAdults, countPaying, type Party } from '../../../domain/child-ages.ts';
import { CAUTION, leastAmounts, type LeastTaxes, leastTaxes } from '../../../domain/price-bounds.ts';
import {
  type DiscountTerms,
  isUnbounded,
  type PriceTerms,
  type TypeTerms,
} from '../../../domain/price-terms.ts';
import {
  chooseDiscounts,
  type DiscountOfType,
  makeReduction,
  type RateCalendar,
} from '../../../domain/pricing.ts';
import { rateForGuests } from '../../../domain/guest-rates.ts';
import type { EpochDay } from '../../../domain/local-date.ts';
import { roundToUnit } from '../../../domain/money.ts';
import type { StayLines } from '../index/block-search.ts';
import type { PricedMoment } from './priced-moment.ts';
import { readRates, readTerms } from '../property/price-record.ts';
import { type Offered, type PropertyRef, priceSlot, type SlotPrice } from './slot-price.ts';

/** All stays of a window. */
export interface WindowStays extends Party {
  /** By check-in, then by nights. */
  readonly stays: readonly StayLines[];
  /** The first night of all, and behind the last one. */
  readonly from: EpochDay;
  readonly until: EpochDay;
}

/** Nights of a type less a discount, added up from the first night of the window. */
interface NightSums {
  readonly sums: Float64Array;
  /** Nights without a rate up to each; undefined where all have one. */
  readonly missing: Int32Array | undefined;
}

/** Rates of a type, and their sums by the discount that is taken off: its hundredths of a percent, 0 without one. */
interface TypeRates {
  readonly type: TypeTerms;
  readonly calendar: RateCalendar;
  readonly sums: Map<number, NightSums>;
}

export class WindowPrice {
  /**
   * Among stays of one length, nights that cost less are a lower total, and equal nights equal totals. False with several
   * types: the one that costs least may not be the one that can be had.
   */
  readonly isOrderedByNights: boolean;
  readonly #ref: PropertyRef;
  readonly #window: WindowStays;
  readonly #offered: Offered;
  readonly #terms: PriceTerms;
  readonly #always: LeastTaxes;
  readonly #types: (TypeRates | undefined)[] = [];
  /** The same discounts apply to all stays of one length; and those of each length. */
  readonly #isSteady: boolean;
  readonly #discounts: (DiscountOfType | undefined)[] = [];
  readonly #ratesOf = (typeIndex: number): RateCalendar => this.#typeRates(typeIndex).calendar;

  constructor(ref: PropertyRef, window: WindowStays, moment: PricedMoment) {
    this.#ref = ref;
    this.#window = window;
    this.#offered = moment.offeredAt(ref);
    const terms = readTerms(ref.block.prices(ref.slot));
    this.#terms = terms;
    this.#always = leastTaxes(terms.taxes);
    this.#isSteady = terms.discounts.every(
      (rule) => isUnbounded(rule.advanceDays) && isUnbounded(rule.checkIn),
    );
    this.isOrderedByNights = terms.types.length === 1 && this.#always.followNights;
  }

  /** As a search for the stay prices a property that it found. */
  price(stay: StayLines): SlotPrice {
    const ratesOf = this.#ratesOf;
    const pricedStay = { stay, isFound: true, ratesOf };
    return priceSlot(this.#ref, pricedStay, this.#offered);
  }

  /** The total is above this, in minor units; infinite without a price. `nights` is `leastNights` of the stay. */
  least(stay: StayLines, nights = this.leastNights(stay)): number {
    const { taxes, unit, cleaningFee } = this.#terms;
    const always = this.#always;
    const { amount, ruleCount } = leastAmounts(taxes, {
      nights: stay.nightCount,
      adults: countAdults(this.#window),
    });
    const least = nights * always.nights + cleaningFee * always.cleaningFee + amount;
    // Each rule is rounded.
    return CAUTION * least - unit * (1 + always.ruleCount + ruleCount);
  }

  /** The nights of the type that costs least, in minor units, less its discount; infinite without a price. */
  leastNights(stay: StayLines): number {
    const { types, quoting } = this.#terms;
    if (!quoting) return Number.POSITIVE_INFINITY;
    const from = stay.checkIn - this.#window.from;
    const until = stay.checkOut - this.#window.from;
    const discountOf = this.#discountsOf(stay);
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < types.length; index++) {
      const discount = discountOf(types[index]!.inventoryTypeId);
      const { sums, missing } = this.#sumsOf(this.#typeRates(index), discount);
      if (missing === undefined || missing[until] === missing[from])
        least = Math.min(least, sums[until]! - sums[from]!);
    }
    return least;
  }

  #discountsOf(stay: StayLines): DiscountOfType {
    if (!this.#isSteady) return chooseDiscounts(this.#terms, stay, this.#offered.first);
    return (this.#discounts[stay.nightCount] ??= chooseDiscounts(this.#terms, stay, this.#offered.first));
  }

  #sumsOf({ type, calendar, sums: known }: TypeRates, discount: DiscountTerms | undefined): NightSums {
    const hundredths = discount?.hundredths ?? 0;
    let sums = known.get(hundredths);
    if (sums === undefined) {
      sums = addUp(pricesByNight({ type, calendar }, this.#window, { discount, unit: this.#terms.unit }));
      known.set(hundredths, sums);
    }
    return sums;
  }

  #typeRates(typeIndex: number): TypeRates {
    return (this.#types[typeIndex] ??= this.#readRates(typeIndex));
  }

  #readRates(typeIndex: number): TypeRates {
    const { block, slot } = this.#ref;
    const { from, until } = this.#window;
    const calendar = readRates(block.prices(slot), typeIndex, from, until);
    return { type: this.#terms.types[typeIndex]!, calendar, sums: new Map<number, NightSums>() };
  }
}

/** In place: `prices` has a place more than there are nights. */
function addUp(prices: Float64Array): NightSums {
  let missing: Int32Array | undefined;
  let sum = 0;
  for (let night = 0; night < prices.length; night++) {
    const price = prices[night]!;
    prices[night] = sum;
    if (Number.isNaN(price)) {
      missing ??= new Int32Array(prices.length);
      missing[night + 1] = 1;
    } else sum += price;
  }
  for (let night = 1; missing !== undefined && night < missing.length; night++)
    missing[night]! += missing[night - 1]!;
  return { sums: prices, missing };
}

/**
 * Each night of the window as `priceStay` prices it, in minor units, and 0 behind the last one; NaN without a rate.
 * Nights of one run cost the same.
 */
function pricesByNight(
  { type, calendar }: Pick<TypeRates, 'type' | 'calendar'>,
  { from, until, ...party }: WindowStays,
  { discount, unit }: { readonly discount: DiscountTerms | undefined; readonly unit: number },
): Float64Array {
  const count = until - from;
  const prices = new Float64Array(count + 1).fill(Number.NaN, 0, count);
  const reductionOf = discount === undefined ? undefined : makeReduction(discount, unit);
  const fill = (amount: number, run: { readonly from: EpochDay; readonly until: EpochDay }): void => {
    const full = roundToUnit(amount, unit);
    const price = reductionOf === undefined ? full : full - reductionOf(full);
    prices.fill(price, Math.max(run.from - from, 0), Math.min(Math.max(run.until - from, 0), count));
  };
  const { guests, children } = countPaying(type.ageBands, party);
  const beside = Math.max(0, guests - type.includedGuests) * type.extraGuestRate + children;
  for (const run of calendar.rate) fill(run.value + beside, run);
  // Where a night has both, those by guests count.
  for (const run of calendar.ratesByGuests)
    fill((rateForGuests(run.value, guests) ?? Number.NaN) + children, run);
  return prices;
}
