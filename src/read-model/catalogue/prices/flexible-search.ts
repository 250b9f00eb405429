/** A search for the best stay of each property among many check-in dates and lengths. */
import type { Party } from '../../../domain/child-ages.ts';
import { type EpochDay, formatLocalDate } from '../../../domain/local-date.ts';
import type { PriceLimit } from '../../../domain/stay-filters.ts';
import { countHits, type NamedMarkets, type SearchQuery } from '../cities/city-search.ts';
import type { StayLines } from '../index/block-search.ts';
import { MergedWalk } from '../index/market-search.ts';
import { searchWindow, type WindowHits } from '../index/window-search.ts';
import { amountOf, isCheaper } from './price-order.ts';
import type { PricedMoment, PricedPage } from './priced-moment.ts';
import {
  currencyCode,
  leastNight,
  leastRest,
  type PriceHead,
  readCurrencyCode,
} from '../property/price-record.ts';
import { siftHits } from './sift-hits.ts';
import { formatPricing, type PropertyRef, type SlotPrice } from './slot-price.ts';
import { type IsBeyond, type PricedProperty, type Ranking, StayOrder } from './stay-order.ts';
import { type FilteredQuery, formatCounts, makeSieve } from './stay-search.ts';
import type { TraitBook } from './trait-book.ts';
import { WindowPrice, type WindowStays } from './window-price.ts';

export interface FlexibleSearch extends Omit<SearchQuery, 'stay' | keyof Party>, Party, FilteredQuery {
  /** Check-in dates, ascending. */
  readonly checkIns: readonly EpochDay[];
  /** Lengths from `nights` to `maxNights`. */
  readonly nights: number;
  readonly maxNights: number;
  readonly sort: 'total' | 'night';
}

export function searchFlexibleStays(
  moment: PricedMoment,
  book: TraitBook,
  named: NamedMarkets,
  query: FlexibleSearch,
): PricedPage {
  const window = windowOf(moment, query);
  const stays = window.stays.map((lines) => moment.offeredStay(lines));
  const hits = searchWindow(named.markets, { ...query, cityName: named.cityName, stays });
  const best = new BestStays(moment, window, hits, query);
  const sieve = makeSieve(book, query, () => (ref) => best.affords(ref));
  const markets = sieve === undefined ? hits.any : siftHits(hits.any, sieve);
  const total = countHits(markets);
  const [from, until] = [(query.page - 1) * query.pageSize, query.page * query.pageSize];
  const order = new StayOrder(from < total ? total : 0, Math.min(until, total), best);
  if (from < total) order.order(new MergedWalk(markets, 0));
  const items: (PropertyRef & { readonly fields: string })[] = [];
  for (const ref of order.page(from, until))
    items.push({ ...ref, fields: formatFields(ref, query, best.countCheckIns(ref)) });
  const body = moment.formatPage(items, { ...query, total }, formatCounts(sieve));
  return { body, found: { ...named, markets: hits.any, total } };
}

function windowOf(
  moment: PricedMoment,
  { checkIns, nights, maxNights, guests, childAges }: FlexibleSearch,
): WindowStays {
  const stays: StayLines[] = [];
  for (const checkIn of checkIns)
    for (let length = nights; length <= maxNights; length++)
      stays.push(moment.stayLines({ checkIn, checkOut: checkIn + length, guests, childAges }));
  // Without a date there is no stay.
  return { stays, guests, childAges, from: checkIns[0] ?? 0, until: (checkIns.at(-1) ?? 0) + maxNights };
}

function formatFields(
  { block, slot, stay, priced }: PricedProperty,
  { guests, childAges }: Party,
  checkIns: number,
): string {
  const { checkIn, checkOut } = stay;
  const shown = {
    checkIn: formatLocalDate(checkIn),
    checkOut: formatLocalDate(checkOut),
    nights: checkOut - checkIn,
    guests,
    childAges,
    timezone: block.timezone(slot),
  };
  return `,"stay":${JSON.stringify(shown)},"pricing":${formatPricing(priced.price)},"checkIns":${checkIns}`;
}

/** The stays of a property that can be had, and what they cost. */
class BestStays implements Ranking {
  readonly isByNight: boolean;
  readonly #moment: PricedMoment;
  readonly #window: WindowStays;
  readonly #hits: WindowHits;
  readonly #lengths: readonly [fewest: number, most: number];
  readonly #limit: PriceLimit | undefined;

  constructor(
    moment: PricedMoment,
    window: WindowStays,
    hits: WindowHits,
    { sort, nights, maxNights, filters }: FlexibleSearch,
  ) {
    this.isByNight = sort === 'night';
    this.#moment = moment;
    this.#window = window;
    this.#hits = hits;
    this.#lengths = [nights, maxNights];
    this.#limit = filters?.maxTotal;
  }

  least(head: PriceHead): number {
    const night = leastNight(head, this.#window);
    const rest = leastRest(head);
    const [fewest, most] = this.#lengths;
    if (!this.isByNight) return night * fewest + rest;
    // Rounding may take more than the fee: then the longest stay has the lowest bound.
    return night + Math.min(rest / fewest, rest / most);
  }

  best(ref: PropertyRef, isBeyond: IsBeyond): PricedProperty | undefined {
    const price = new WindowPrice(ref, this.#window, this.#moment);
    const stays = this.#staysOf(ref);
    const bounded = this.#candidates(stays, price);
    let best: PricedProperty | undefined;
    for (const { stay, amount } of bounded) {
      if (best !== undefined && amount >= amountOf(this.#rank(best))) break;
      if (isBeyond(amount)) return best;
      const found = { ...ref, stay, priced: price.price(stay) };
      if (!this.#isWithin(found.priced)) continue;
      if (best === undefined || isCheaper(this.#rank(found), this.#rank(best)) === true) best = found;
    }
    const [first] = stays;
    return best ?? { ...ref, stay: first!, priced: price.price(first!) };
  }

  /** Whether a stay is within the price limit. */
  affords(ref: PropertyRef): boolean {
    if (this.#limit === undefined) return true;
    const head = ref.block.priceHead(ref.slot);
    const least = leastNight(head, this.#window) * this.#lengths[0] + leastRest(head);
    if (!this.#isOfLimit(head) || least > Number(this.#limit.total)) return false;
    const price = new WindowPrice(ref, this.#window, this.#moment);
    for (const { stay, total } of this.#candidates(this.#staysOf(ref), price)) {
      if (total > Number(this.#limit.total)) continue;
      const isWithin = this.#isWithin(price.price(stay));
      if (isWithin) return true;
    }
    return false;
  }

  /** On how many dates one of the stays begins. */
  countCheckIns(ref: PropertyRef): number {
    const stays = this.#staysOf(ref);
    if (this.#limit === undefined) return new Set(stays.map(({ checkIn }) => checkIn)).size;
    const price = new WindowPrice(ref, this.#window, this.#moment);
    const checkIns = new Set<EpochDay>();
    for (const { stay, total } of this.#cheapestFirst(stays, price)) {
      if (total > Number(this.#limit.total) || checkIns.has(stay.checkIn)) continue;
      if (this.#isWithin(price.price(stay))) checkIns.add(stay.checkIn);
    }
    return checkIns.size;
  }

  /** Stays that may be the best, by the lower bound of their amount: of each length one, where nights decide. */
  #candidates(stays: readonly StayLines[], price: WindowPrice): readonly BoundedStay[] {
    if (!price.isOrderedByNights) return this.#cheapestFirst(stays, price);
    const [fewest, most] = this.#lengths;
    const best: (StayLines | undefined)[] = [];
    const leasts = new Float64Array(most - fewest + 1).fill(Number.POSITIVE_INFINITY);
    for (const stay of stays) {
      const length = stay.nightCount - fewest;
      const nights = price.leastNights(stay);
      // The earliest of those that cost the same.
      if (nights >= leasts[length]!) continue;
      leasts[length] = nights;
      best[length] = stay;
    }
    return this.#cheapestFirst(
      best.filter((stay) => stay !== undefined),
      price,
    );
  }

  /** Those that have a price, by its lower bound. */
  #cheapestFirst(stays: readonly StayLines[], price: WindowPrice): readonly BoundedStay[] {
    const bounded: BoundedStay[] = [];
    for (const stay of stays) {
      const total = price.least(stay);
      if (total === Number.POSITIVE_INFINITY) continue;
      bounded.push({ stay, total, amount: this.isByNight ? total / stay.nightCount : total });
    }
    return bounded.sort((one, other) => one.amount - other.amount);
  }

  #staysOf({ block, slot }: PropertyRef): readonly StayLines[] {
    return this.#hits.staysOf(block, slot).map((index) => this.#window.stays[index]!);
  }

  #isOfLimit(head: PriceHead): boolean {
    return readCurrencyCode(head) === currencyCode(this.#limit!.currency);
  }

  #isWithin({ price }: SlotPrice): boolean {
    return price !== undefined && (this.#limit === undefined || price.total <= this.#limit.total);
  }

  #rank({ stay: { checkIn, checkOut }, priced }: PricedProperty) {
    const nights = checkOut - checkIn;
    return { total: priced.price!.total, per: this.isByNight ? nights : 1, checkIn, nights };
  }
}

/** Lower bounds of a stay's total and of its amount in the order. */
interface BoundedStay {
  readonly stay: StayLines;
  readonly total: number;
  readonly amount: number;
}
