/**
 * The public face of a property: PartnerPropertySummary (SPEC 2), written field by field, so that nothing that the
 * contract does not name can slip out.
 */
import { guestsMax } from '../domain/capacity.ts';
import { textFor } from '../domain/localized-text.ts';
import type { Locale, Property } from '../domain/property.ts';

/** The JSON of a summary. `startingPrice` is a DecimalMoney or null. */
export function presentSummary(property: Property, locale: Locale, startingPrice: string | null): string {
  const { location, rating } = property;
  return JSON.stringify({
    propertyId: property.propertyId,
    name: textFor(property.name, locale),
    description: property.description === null ? null : textFor(property.description, locale),
    propertyType: property.propertyType,
    location: {
      city: textFor(location.city, locale),
      country: location.country,
      area: location.area === null ? null : textFor(location.area, locale),
    },
    capacity: { guests: guestsMax(property), bathrooms: property.bathrooms },
    amenities: property.amenities,
    rating: rating === null ? null : { score: rating.score, count: rating.count },
    startingPrice,
    currency: property.currency,
    timezone: property.timezone,
  });
}

/** The same summary with another starting price, for when the day moves on. */
export function withStartingPrice(summary: string, startingPrice: string | null): string {
  const parsed = JSON.parse(summary) as { startingPrice: string | null };
  parsed.startingPrice = startingPrice;
  return JSON.stringify(parsed);
}
