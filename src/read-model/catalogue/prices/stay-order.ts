/**
 * The properties of a search by price: the cheapest ones wanted, and those without a price in search order.
 *
 * Lower bounds of all are read, then those with the lowest ones are priced, then the others. Most of these are passed
 * over, because the first ones are nearly the cheapest; the result is that of pricing all of them.
 */
import type { EpochDay } from '../../../domain/local-date.ts';
import type { Block } from '../index/block.ts';
import type { MergedWalk } from '../index/market-search.ts';
import { CheapestFirst } from './price-order.ts';
import { type PriceHead, readCurrencyCode } from '../property/price-record.ts';
import type { PropertyRef, SlotPrice } from './slot-price.ts';

/** Properties priced first, for each one wanted. */
const FIRST_PRICED = 2;

/** A property with one of its stays. */
export interface PricedProperty extends PropertyRef {
  readonly priced: SlotPrice;
  readonly stay: { readonly checkIn: EpochDay; readonly checkOut: EpochDay };
}

/** Whether a stay of at least this amount comes too late to be shown. */
export type IsBeyond = (least: number) => boolean;

export interface Ranking {
  /** Amounts are totals divided by nights. */
  readonly isByNight: boolean;
  /** All amounts of the property are above this; infinite without a price. */
  readonly least: (head: PriceHead) => number;
  /** The first of its stays in the order, without prices the earliest; undefined when that comes too late. */
  readonly best: (ref: PropertyRef, isBeyond: IsBeyond) => PricedProperty | undefined;
}

export class StayOrder {
  readonly #ranking: Ranking;
  readonly #wanted: number;
  readonly #cheapest: CheapestFirst<PricedProperty>;
  readonly #unpriced: (PricedProperty & { readonly number: number })[] = [];
  // The hits by their number in search order: block, slot (PRICED once it has been priced), currency, lower bound.
  readonly #blocks: Block[] = [];
  readonly #slots: Int32Array;
  readonly #currencies: Int32Array;
  readonly #leasts: Float64Array;

  /** Keeps the first `wanted` of `count` properties. */
  constructor(count: number, wanted: number, ranking: Ranking) {
    this.#ranking = ranking;
    this.#wanted = wanted;
    this.#cheapest = new CheapestFirst(wanted);
    this.#slots = new Int32Array(count);
    this.#currencies = new Int32Array(count);
    this.#leasts = new Float64Array(count);
  }

  /** Before `page`. */
  order(walk: MergedWalk): void {
    const first = new CheapestFirst<undefined>(FIRST_PRICED * this.#wanted);
    for (let number = 0; walk.block !== undefined; walk.next(), number++) {
      const head = walk.block.priceHead(walk.slot);
      const currency = readCurrencyCode(head);
      const total = this.#ranking.least(head);
      this.#blocks.push(walk.block);
      this.#slots[number] = walk.slot;
      this.#currencies[number] = currency;
      this.#leasts[number] = total;
      if (!first.isBeyond(currency, total))
        first.add({ currency, total, per: 1, checkIn: 0, nights: 0, position: number, item: undefined });
    }
    for (const { position } of first.sorted()) if (this.#isNeeded(position)) this.#price(position);
    for (let number = 0; number < this.#slots.length; number++) {
      if (this.#isNeeded(number)) this.#price(number);
    }
  }

  page(from: number, until: number): readonly PricedProperty[] {
    const priced = this.#cheapest.sorted().map(({ item }) => item);
    const unpriced = this.#unpriced.sort((one, other) => one.number - other.number);
    return [...priced, ...unpriced].slice(from, until);
  }

  #isNeeded(number: number): boolean {
    const isPriced = this.#slots[number] === PRICED;
    return !isPriced && !this.#cheapest.isBeyond(this.#currencies[number]!, this.#leasts[number]!);
  }

  #price(number: number): void {
    const currency = this.#currencies[number]!;
    const ref = { block: this.#blocks[number]!, slot: this.#slots[number]! };
    this.#slots[number] = PRICED;
    const best = this.#ranking.best(ref, (least) => this.#cheapest.isBeyond(currency, least));
    if (best !== undefined) this.#keep(best, number, currency);
  }

  #keep(best: PricedProperty, number: number, currency: number): void {
    const { price } = best.priced;
    const { checkIn, checkOut } = best.stay;
    const nights = checkOut - checkIn;
    const per = this.#ranking.isByNight ? nights : 1;
    if (price !== undefined)
      this.#cheapest.add({
        currency,
        total: price.total,
        per,
        checkIn,
        nights,
        position: number,
        item: best,
      });
    // Where the cheapest fill the pages, no other is shown.
    else if (this.#cheapest.count < this.#wanted) this.#unpriced.push({ ...best, number });
  }
}

const PRICED = -1;
