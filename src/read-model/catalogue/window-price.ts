/**
 * Prices of one property for many stays: its rates are decoded once, and a lower bound of each stay, nearly its total,
 * says which of them need a price.
 */
import { CAUTION, leastAmounts, leastTaxes } from '../../domain/price-bounds.ts';
import type { PriceTerms, TypeTerms } from '../../domain/price-terms.ts';
import { chooseDiscounts, type RateCalendar } from '../../domain/pricing.ts';
import { rateForGuests } from '../../domain/guest-rates.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { StayLines } from './index/block-search.ts';
import type { PricedMoment } from './priced-moment.ts';
import { readRates, readTerms } from './property/price-record.ts';
import { type Offered, type Place, priceSlot, type SlotPrice, withoutDiscounts } from './slot-price.ts';

/** 100 % in hundredths of a percent. */
const WHOLE = 10_000;

/** All stays of a window. */
export interface WindowStays {
  /** By check-in, then by nights. */
  readonly stays: readonly StayLines[];
  /** The first night of all, and behind the last one. */
  readonly from: EpochDay;
  readonly until: EpochDay;
  readonly guests: number;
}

/** Nights of a type before the discount, added up from the first night of the window. */
interface NightSums {
  readonly type: TypeTerms;
  readonly sums: Float64Array;
  /** Nights without a rate up to each. */
  readonly missing: Int32Array;
}

export class WindowPrice {
  readonly #place: Place;
  readonly #window: WindowStays;
  readonly #hasDiscounts: boolean;
  readonly #offered: Offered;
  readonly #terms: PriceTerms;
  readonly #rates: (RateCalendar | undefined)[] = [];
  #sums: readonly NightSums[] | undefined;
  readonly #ratesOf = (typeIndex: number): RateCalendar => this.#readRates(typeIndex);

  constructor(place: Place, window: WindowStays, moment: PricedMoment) {
    this.#place = place;
    this.#window = window;
    this.#hasDiscounts = moment.hasDiscounts;
    this.#offered = moment.offeredAt(place);
    const terms = readTerms(place.block.prices(place.slot));
    this.#terms = moment.hasDiscounts ? terms : withoutDiscounts(terms);
  }

  /** As a search for the stay prices a property that it found. */
  price(stay: StayLines): SlotPrice {
    const { block, slot } = this.#place;
    const ratesOf = this.#ratesOf;
    const pricedStay = { stay, hasDiscounts: this.#hasDiscounts, isFound: true, ratesOf };
    return priceSlot(block, slot, pricedStay, this.#offered);
  }

  /** The total is above this, in minor units; infinite without a price. */
  least(stay: StayLines): number {
    const { taxes, unit, cleaningFee, quoting } = this.#terms;
    if (!quoting) return Number.POSITIVE_INFINITY;
    const nights = this.#leastNights(stay);
    const { guests } = this.#window;
    const always = leastTaxes(taxes);
    const { amount, ruleCount } = leastAmounts(taxes, { nights: stay.nightCount, guests });
    // Each night is rounded twice, its rate and its discount, and each rule once.
    const rounded = unit * (2 * stay.nightCount * always.nights + always.ruleCount + ruleCount);
    return CAUTION * (nights * always.nights + cleaningFee * always.cleaningFee + amount) - rounded;
  }

  /** Nights of the type that costs least, less its discount. */
  #leastNights(stay: StayLines): number {
    this.#sums ??= this.#addUp();
    const from = stay.checkIn - this.#window.from;
    const until = stay.checkOut - this.#window.from;
    const discountOf = chooseDiscounts(this.#terms, stay, this.#offered.first);
    let least = Number.POSITIVE_INFINITY;
    for (const { type, sums, missing } of this.#sums) {
      if (missing[until] !== missing[from]) continue;
      const hundredths = discountOf(type.inventoryTypeId)?.hundredths ?? 0;
      least = Math.min(least, (sums[until]! - sums[from]!) * (1 - hundredths / WHOLE));
    }
    return least;
  }

  #addUp(): readonly NightSums[] {
    return this.#terms.types.map((type, typeIndex) => {
      const { from, until, guests } = this.#window;
      const calendar = this.#readRates(typeIndex);
      const sums = new Float64Array(until - from + 1);
      const missing = new Int32Array(until - from + 1);
      const rates = ratesByNight(calendar, type, this.#window, guests);
      for (let night = 0; night < until - from; night++) {
        const rate = rates[night]!;
        const isMissing = Number.isNaN(rate);
        sums[night + 1] = sums[night]! + (isMissing ? 0 : rate);
        missing[night + 1] = missing[night]! + (isMissing ? 1 : 0);
      }
      return { type, sums, missing };
    });
  }

  #readRates(typeIndex: number): RateCalendar {
    const { block, slot } = this.#place;
    const { from, until } = this.#window;
    return (this.#rates[typeIndex] ??= readRates(block.prices(slot), typeIndex, from, until));
  }
}

/** Minor units of each night of the window, further guests included; NaN without a rate. */
function ratesByNight(
  { rate, ratesByGuests }: RateCalendar,
  { includedGuests, extraGuestRate }: TypeTerms,
  { from, until }: WindowStays,
  guests: number,
): Float64Array {
  const rates = new Float64Array(until - from).fill(Number.NaN);
  const extra = Math.max(0, guests - includedGuests) * extraGuestRate;
  const fill = (value: number, run: { readonly from: EpochDay; readonly until: EpochDay }): void => {
    rates.fill(value, Math.max(run.from - from, 0), Math.max(run.until - from, 0));
  };
  for (const run of rate) fill(run.value + extra, run);
  // Where a night has both, those by guests count.
  for (const run of ratesByGuests) fill(rateForGuests(run.value, guests) ?? Number.NaN, run);
  return rates;
}
