/** The calendar of a city: for each check-in date how many properties can host a stay, and the least total. */
import type { Party } from '../../../domain/child-ages.ts';
import { type EpochDay, formatLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import type { PriceLimit } from '../../../domain/stay-filters.ts';
import type { NamedMarkets, SearchQuery } from '../cities/city-search.ts';
import { type MarketHits, MergedWalk, timezonesOf } from '../index/market-search.ts';
import { searchWindow, type WindowHits } from '../index/window-search.ts';
import { CheapestFirst } from './price-order.ts';
import type { PricedMoment } from './priced-moment.ts';
import {
  currencyCode,
  currencyOf,
  leastNight,
  leastRest,
  readCurrencyCode,
} from '../property/price-record.ts';
import { siftHits } from './sift-hits.ts';
import type { PropertyRef } from './slot-price.ts';
import { type FilteredQuery, makeSieve } from './stay-search.ts';
import type { TraitBook } from './trait-book.ts';
import { WindowPrice, type WindowStays } from './window-price.ts';

export interface DayRange {
  readonly from: EpochDay;
  /** Excluded. */
  readonly until: EpochDay;
}

/** The check-in dates of the range. */
export interface DaysQuestion
  extends
    Pick<SearchQuery, 'city' | 'country' | 'partnerId'>,
    DayRange,
    Party,
    Pick<FilteredQuery, 'filters'> {
  readonly nights: number;
}

/** JSON. */
export function readCityDays(
  moment: PricedMoment,
  book: TraitBook,
  named: NamedMarkets,
  question: DaysQuestion,
): Buffer {
  const { nights, guests, childAges, filters } = question;
  const window = windowOf(moment, question);
  const stays = window.stays.map((lines) => moment.offeredStay(lines));
  const hits = searchWindow(named.markets, { ...question, cityName: named.cityName, stays });
  // The price limit is of each day, not of the property.
  const sieve = makeSieve(book, { filters });
  const markets = sieve === undefined ? hits.any : siftHits(hits.any, sieve);
  const lowest = new LowestTotals(moment, window, hits, filters?.maxTotal);
  lowest.find(markets);
  const days = window.stays.map(({ checkIn }, index) => ({
    checkIn: formatLocalDate(checkIn),
    properties: lowest.countOf(index) ?? hits.countOf(index, markets),
    lowest: lowest.ofDay(index),
  }));
  return Buffer.from(JSON.stringify({ nights, guests, childAges, days }));
}

function windowOf(
  moment: PricedMoment,
  { from, until, nights, guests, childAges }: DaysQuestion,
): WindowStays {
  const stays = Array.from({ length: until - from }, (_, day) =>
    moment.stayLines({ checkIn: from + day, checkOut: from + day + nights, guests, childAges }),
  );
  return { stays, guests, childAges, from, until: until - 1 + nights };
}

/** The first of all today's dates; in UTC where the partner sees no property. */
export function earliestToday(moment: PricedMoment, named: NamedMarkets, partnerId: string): EpochDay {
  const timezones = timezonesOf(named.markets, { cityName: named.cityName, partnerId, guests: 1 });
  return Math.min(...(timezones.size === 0 ? [UTC] : timezones).values().map(moment.today));
}

const UTC = 'UTC';

interface FoundTotal {
  readonly total: bigint;
  /** Position of the property in search order. */
  readonly number: number;
  readonly propertyId: string;
}

/** The least totals of one currency by day. */
class CurrencyTotals {
  readonly first = new CheapestFirst<undefined>(FIRST_PRICED);
  readonly totals: (FoundTotal | undefined)[] = [];
  /** As doubles, infinite before the first; and the highest of them. */
  readonly tops: Float64Array;
  top = Number.POSITIVE_INFINITY;

  constructor(dayCount: number) {
    this.tops = new Float64Array(dayCount).fill(Number.POSITIVE_INFINITY);
  }

  offer(day: number, found: FoundTotal): void {
    const held = this.totals[day];
    const isLower =
      held === undefined ||
      found.total < held.total ||
      (found.total === held.total && found.number < held.number);
    if (!isLower) return;
    this.totals[day] = found;
    this.tops[day] = Number(found.total);
    this.top = Math.max(...this.tops);
  }
}

/** Prices of each currency that are tried before those of all others. */
const FIRST_PRICED = 16;

interface Candidate extends PropertyRef {
  readonly currency: CurrencyTotals;
  /** Each total is above this; infinite without a price. */
  readonly least: number;
  isPriced: boolean;
}

/**
 * Finds the least total of each day and currency. Properties with the lowest bounds come first; of the others most are
 * passed over, because they can't be below what was found.
 */
class LowestTotals {
  readonly #moment: PricedMoment;
  readonly #window: WindowStays;
  readonly #hits: WindowHits;
  readonly #limit: PriceLimit | undefined;
  readonly #currencies = new Map<number, CurrencyTotals>();
  readonly #candidates: Candidate[] = [];
  /** Stays within the limit by day; only with a limit. */
  readonly #within: number[] | undefined;

  constructor(moment: PricedMoment, window: WindowStays, hits: WindowHits, limit: PriceLimit | undefined) {
    this.#moment = moment;
    this.#window = window;
    this.#hits = hits;
    this.#limit = limit;
    this.#within = limit && window.stays.map(() => 0);
  }

  find(markets: readonly MarketHits[]): void {
    const walk = new MergedWalk(markets, 0);
    for (let number = 0; walk.block !== undefined; walk.next(), number++) {
      this.#addCandidate({ block: walk.block, slot: walk.slot }, number);
    }
    for (const { first } of this.#currencies.values())
      for (const { position } of first.sorted()) this.#price(position);
    for (const [number, { least, currency }] of this.#candidates.entries()) {
      if (this.#within !== undefined || least < currency.top) this.#price(number);
    }
  }

  /** Properties with a stay within the limit; undefined without one. */
  countOf(day: number): number | undefined {
    return this.#within?.[day];
  }

  ofDay(day: number): readonly { currency: string; total: string; propertyId: string }[] {
    return [...this.#currencies]
      .sort(([one], [other]) => one - other)
      .flatMap(([code, { totals }]) => {
        const found = totals[day];
        if (found === undefined) return [];
        const { total, propertyId } = found;
        return [{ currency: currencyOf(code), total: formatMoney(total), propertyId }];
      });
  }

  #addCandidate(ref: PropertyRef, number: number): void {
    const head = ref.block.priceHead(ref.slot);
    const code = readCurrencyCode(head);
    const least = leastNight(head, this.#window) * this.#window.stays[0]!.nightCount + leastRest(head);
    let currency = this.#currencies.get(code);
    if (currency === undefined)
      this.#currencies.set(code, (currency = new CurrencyTotals(this.#window.stays.length)));
    const isPriced = this.#limit !== undefined && code !== currencyCode(this.#limit.currency);
    this.#candidates.push({ ...ref, currency, least, isPriced });
    if (!currency.first.isBeyond(code, least))
      currency.first.add({
        currency: code,
        total: least,
        per: 1,
        checkIn: 0,
        nights: 0,
        position: number,
        item: undefined,
      });
  }

  #price(number: number): void {
    const candidate = this.#candidates[number]!;
    if (candidate.isPriced) return;
    candidate.isPriced = true;
    const { block, slot, currency, least } = candidate;
    const days = this.#hits.staysOf(block, slot).filter((day) => this.#isOpen(currency, day, least));
    if (days.length === 0) return;
    const price = new WindowPrice(candidate, this.#window, this.#moment);
    for (const day of days) {
      const stay = this.#window.stays[day]!;
      if (!this.#isOpen(currency, day, price.least(stay))) continue;
      const { price: found } = price.price(stay);
      if (found === undefined || (this.#limit !== undefined && found.total > this.#limit.total)) continue;
      if (this.#within !== undefined) this.#within[day]! += 1;
      currency.offer(day, { total: found.total, number, propertyId: block.slots.id(slot) });
    }
  }

  /** Whether a stay of at least this total may count. */
  #isOpen({ tops }: CurrencyTotals, day: number, least: number): boolean {
    return this.#limit === undefined ? least < tops[day]! : least <= Number(this.#limit.total);
  }
}
