/** Searches the markets that answer to a city's name, for a stay as it is offered today. */
import type { Party } from '../../../domain/child-ages.ts';
import type { StayRequest } from '../../../domain/eligibility.ts';
import type { Found, MarketName } from '../../../domain/found-markets.ts';
import type { Locale } from '../../../domain/property.ts';
import type { EpochDay } from '../../../domain/local-date.ts';
import type { StayLines } from '../index/block-search.ts';
import {
  type MarketHits,
  type OfferedStay,
  type SearchedMarket,
  searchMarkets,
} from '../index/market-search.ts';

export interface SearchQuery {
  readonly city: string;
  /** ISO 3166-1 alpha-2; any country when absent. */
  readonly country?: string | undefined;
  readonly stay?: Omit<StayRequest, keyof Party> | undefined;
  /** With a stay: the guests to host. Without: a filter, present only when the caller gave it. */
  readonly guests?: number | undefined;
  /** Ages of children among them; only with guests. */
  readonly childAges?: Party['childAges'];
  readonly page: number;
  readonly pageSize: number;
  readonly locale: Locale;
  readonly partnerId: string;
}

/** The local date by timezone, at one instant. */
export type Today = (timezone: string) => EpochDay;

export interface CityMarket extends MarketName, SearchedMarket {}

/** The markets of a city's name, as one version has them. */
export interface NamedMarkets extends Pick<Found, 'askedName' | 'cityName' | 'isKnownElsewhere'> {
  readonly markets: readonly CityMarket[];
}

export interface CityHits extends Found {
  readonly markets: readonly MarketHits<CityMarket>[];
}

/** The hits are valid until the next search. */
export function searchCity(
  named: NamedMarkets,
  { partnerId, guests, childAges }: Pick<SearchQuery, 'partnerId' | keyof Party>,
  stay: OfferedStay | undefined,
): CityHits {
  const { cityName } = named;
  const markets = searchMarkets(named.markets, { cityName, partnerId, guests, childAges, stay });
  return { ...named, markets, total: countHits(markets) };
}

export function countHits(markets: readonly Pick<MarketHits, 'count'>[]): number {
  return markets.reduce((sum, { count }) => sum + count, 0);
}

export function offeredStay(lines: StayLines, today: Today, horizonNights: number): OfferedStay {
  const { checkIn, checkOut } = lines;
  return {
    lines,
    isOffered(timezone) {
      const first = today(timezone);
      return checkIn >= first && checkOut <= first + horizonNights;
    },
    daysAhead: (timezone) => checkIn - today(timezone),
  };
}
