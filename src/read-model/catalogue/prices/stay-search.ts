/** A search for one stay, with prices: filters, then a page in the order of the search or by total. */
import type { Party } from '../../../domain/child-ages.ts';
import { formatLocalDate } from '../../../domain/local-date.ts';
import { NEAREST_STAYS_MAX, nearestShifts, OPENING_DAYS_MAX } from '../../../domain/nearest-shifts.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../domain/property.ts';
import type { PriceLimit, StayFilters } from '../../../domain/stay-filters.ts';
import { countHits, type NamedMarkets, searchCity, type SearchQuery } from '../cities/city-search.ts';
import { type MarketHits, MergedWalk } from '../index/market-search.ts';
import type { PricedMoment, PricedPage } from './priced-moment.ts';
import { currencyCode, leastPrice, readCurrencyCode } from '../property/price-record.ts';
import { SearchCounts, SearchFilter } from './search-filter.ts';
import { type Sieve, siftHits } from './sift-hits.ts';
import { formatPricing, type PropertyRef, type PricedStay } from './slot-price.ts';
import { type PricedProperty, StayOrder } from './stay-order.ts';
import type { TraitBook } from './trait-book.ts';

/** Shared by searches with prices. */
export interface FilteredQuery {
  readonly filters?: StayFilters | undefined;
  /** Whether values are counted. */
  readonly counts?: boolean;
}

export interface PricedSearch extends Omit<SearchQuery, keyof Party>, Party, FilteredQuery {
  readonly stay: { readonly checkIn: number; readonly checkOut: number };
  readonly sort: 'default' | 'total';
  /** Whether other dates are told where nothing is available. */
  readonly nearest?: boolean;
}

export function searchStays(
  moment: PricedMoment,
  book: TraitBook,
  named: NamedMarkets,
  query: PricedSearch,
): PricedPage {
  const { guests, childAges } = query;
  const lines = moment.stayLines({ ...query.stay, guests, childAges });
  const pricedStay = { stay: lines, isFound: true };
  const hits = searchCity(named, query, moment.offeredStay(lines));
  const sieve = makeSieve(book, query, (limit) => affordsStay(moment, pricedStay, limit));
  const markets = sieve === undefined ? hits.markets : siftHits(hits.markets, sieve);
  const total = countHits(markets);
  const refs =
    query.sort === 'default'
      ? pageInOrder(moment, markets, query, pricedStay)
      : pageByTotal(moment, markets, query, pricedStay);
  const items = refs.map((ref) => {
    return { ...ref, fields: `,"pricing":${formatPricing(ref.priced.price)}` };
  });
  const openings = query.nearest === true && total === 0 ? findOpenings(moment, book, named, query) : [];
  const nearest = query.nearest === true ? `,"nearest":${JSON.stringify(openings)}` : '';
  const body = moment.formatPage(items, { ...query, total }, formatCounts(sieve) + nearest);
  return { body, found: { ...hits, total } };
}

interface Opening {
  readonly checkIn: string;
  readonly checkOut: string;
  readonly properties: number;
}

/** None where the stay itself can be had, but for the price limit. */
function findOpenings(
  moment: PricedMoment,
  book: TraitBook,
  named: NamedMarkets,
  query: PricedSearch,
): readonly Opening[] {
  const { stay, filters, guests, childAges } = query;
  const sieve = makeSieve(book, { filters });
  const openings: Opening[] = [];
  for (const shift of [0, ...nearestShifts(OPENING_DAYS_MAX, 'earlier')]) {
    const [checkIn, checkOut] = [stay.checkIn + shift, stay.checkOut + shift];
    const lines = moment.stayLines({ checkIn, checkOut, guests, childAges });
    const { markets } = searchCity(named, query, moment.offeredStay(lines));
    const properties = countHits(sieve === undefined ? markets : siftHits(markets, sieve));
    if (properties === 0) continue;
    if (shift === 0) return [];
    openings.push({ checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkOut), properties });
    if (openings.length === NEAREST_STAYS_MAX) break;
  }
  return openings;
}

/** Undefined where nothing is asked of the properties. Without `affordsWithin` the price limit is left out. */
export function makeSieve(
  book: TraitBook,
  { filters, counts = false, locale = DEFAULT_LOCALE }: FilteredQuery & Partial<Pick<SearchQuery, 'locale'>>,
  affordsWithin?: (limit: PriceLimit) => Sieve['affords'],
): Sieve | undefined {
  if (filters === undefined && !counts) return undefined;
  return {
    filter: new SearchFilter(book, filters ?? {}),
    counts: counts ? new SearchCounts(book, LOCALES.indexOf(locale)) : undefined,
    affords: filters?.maxTotal && affordsWithin?.(filters.maxTotal),
  };
}

/** A field behind others, where counts were asked for. */
export function formatCounts(sieve: Sieve | undefined): string {
  return sieve?.counts === undefined ? '' : `,"counts":${sieve.counts.format()}`;
}

function affordsStay(
  moment: PricedMoment,
  pricedStay: PricedStay,
  { currency, total: most }: PriceLimit,
): Sieve['affords'] {
  const code = currencyCode(currency);
  return function affords(ref) {
    const head = ref.block.priceHead(ref.slot);
    if (readCurrencyCode(head) !== code || leastPrice(head, pricedStay.stay) > Number(most)) return false;
    const { price } = moment.price(ref, pricedStay);
    return price !== undefined && price.total <= most;
  };
}

function pageInOrder(
  moment: PricedMoment,
  markets: readonly MarketHits[],
  { page, pageSize }: PricedSearch,
  pricedStay: PricedStay,
): readonly PricedProperty[] {
  const refs: PropertyRef[] = [];
  const walk = new MergedWalk(markets, (page - 1) * pageSize);
  for (; walk.block !== undefined && refs.length < pageSize; walk.next())
    refs.push({ block: walk.block, slot: walk.slot });
  const priced: PricedProperty[] = [];
  for (const ref of refs) {
    priced.push({ ...ref, stay: pricedStay.stay, priced: moment.price(ref, pricedStay) });
  }
  return priced;
}

function pageByTotal(
  moment: PricedMoment,
  markets: readonly MarketHits[],
  { page, pageSize }: PricedSearch,
  pricedStay: PricedStay,
): readonly PricedProperty[] {
  const total = countHits(markets);
  if ((page - 1) * pageSize >= total) return [];
  const { stay } = pricedStay;
  const order = new StayOrder(total, Math.min(page * pageSize, total), {
    isByNight: false,
    least: (head) => leastPrice(head, stay),
    best(ref) {
      const priced = moment.price(ref, pricedStay);
      return { ...ref, stay, priced };
    },
  });
  order.order(new MergedWalk(markets, 0));
  return order.page((page - 1) * pageSize, page * pageSize);
}
