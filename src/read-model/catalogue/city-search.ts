/** Searches the markets that answer to a city's name, for a stay as it is offered today. */
import type { Found, MarketName } from '../../domain/found-markets.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { StayLines } from './index/block-search.ts';
import {
  type MarketHits,
  type OfferedStay,
  type SearchedMarket,
  searchMarkets,
} from './index/market-search.ts';
import type { SearchQuery } from './read-model.ts';

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
  { partnerId, guests }: Pick<SearchQuery, 'partnerId' | 'guests'>,
  stay: OfferedStay | undefined,
): CityHits {
  const { cityName } = named;
  const markets = searchMarkets(named.markets, { cityName, partnerId, guests, stay });
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
