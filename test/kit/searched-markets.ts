import type { FoundMarket } from '../../src/domain/found-markets.ts';
import type { Catalogue } from '../../src/read-model/catalogue/catalogue.ts';
import type { SearchedMarket } from '../../src/read-model/catalogue/index/market-search.ts';

/** The markets of a city, as a search of `p1` meets them: more than their names. */
export function searchedMarkets(catalogue: Catalogue, city: string) {
  let found: readonly FoundMarket[] = [];
  const query = { city, page: 1, pageSize: 1, locale: 'it-IT', partnerId: 'p1' } as const;
  catalogue.search(query, (_list, { markets }) => {
    found = markets;
    return true;
  });
  return found.map(({ market }) => market as typeof market & SearchedMarket);
}
