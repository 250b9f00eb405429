/**
 * A partner's view of the catalogue, for the page that explains an answer; asked of the thread that has the catalogue.
 */
import type { FoundMarket } from '../../domain/found-markets.ts';
import type { ReadModel } from '../../read-model/catalogue/read-model.ts';
import { DEFAULT_LOCALE } from '../../domain/property.ts';
import type { NamedProperties } from './property-names.ts';

/** The answers that partners get now, from memory; reading them counts nothing. */
export interface PartnerCatalogue extends ReadModel, NamedProperties {
  isVisible(propertyId: string, partnerId: string): boolean;
  /** Properties of a city that at least one partner sees. */
  propertiesOf(city: string, country: string): { readonly propertyIds: readonly string[] };
}

export type PartnerView = ReturnType<typeof createPartnerView>;
/** The `properties` that the partner sees, with the ids of the first ones. */
export type SeenCity = Awaited<ReturnType<PartnerView['findCities']>>[number];

export function createPartnerView(catalogue: PartnerCatalogue) {
  return {
    async findProperty(propertyId: string, partnerId: string) {
      if (catalogue.namesOf(propertyId).length === 0) return 'noSuchProperty';
      return catalogue.isVisible(propertyId, partnerId) ? 'visible' : 'hiddenProperty';
    },
    /** The cities of that name in every country. */
    async findCities(asked: string, partnerId: string, firstMax: number) {
      const query = { city: asked, partnerId, page: 1, pageSize: 1, locale: DEFAULT_LOCALE };
      let markets: readonly FoundMarket[] = [];
      catalogue.search(query, (_list, found) => {
        ({ markets } = found);
        return true;
      });
      return markets.map(({ market: { city, country } }) => {
        const { propertyIds } = catalogue.propertiesOf(asked, country);
        const seen = propertyIds.filter((propertyId) => catalogue.isVisible(propertyId, partnerId));
        return { city, country, properties: seen.length, firstIds: seen.slice(0, firstMax) };
      });
    },
  };
}
