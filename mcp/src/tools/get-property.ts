import type { Locale } from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { fieldSchemaOf, inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { READ_ONLY, resultOf, type Tool, withinLimits } from './tool.ts';

/** Characters of the text; the structured result has all of them. */
export const DESCRIPTION_LENGTH_MAX = 600;
export const AMENITIES_LENGTH_MAX = 400;
const SCORE_MAX = String(fieldSchemaOf('PartnerRating', 'score')['maximum']);

export const getProperty: Tool<{ propertyId: string; locale?: Locale }> = {
  name: 'get_property',
  title: 'Read one property',
  description:
    'Name, description, place, capacity, amenities, rating and lowest nightly rate of one property.',
  inputSchema: inputSchemaOf('getPartnerProperty'),
  outputSchema: outputSchemaOf('getPartnerProperty'),
  annotations: READ_ONLY,
  async run(client, { propertyId, ...options }, signal) {
    const { data } = await client.properties.get(propertyId, { ...options, ...withinLimits(signal) });
    const { location, rating, description, amenities } = data;
    return resultOf({ ...data }, [
      `${data.propertyId}: ${fence(data.name)}, ${fence(data.propertyType)}. ${FENCE_NOTE}`,
      `Place: ${fence([location.area, location.city, location.country].filter(Boolean).join(', '))}, ${data.timezone}`,
      description === null ? 'No description' : `Description: ${fence(description, DESCRIPTION_LENGTH_MAX)}`,
      amenities.length === 0
        ? 'No amenities listed'
        : `Amenities: ${fence(amenities.join(', '), AMENITIES_LENGTH_MAX)}`,
      `Up to ${data.capacity.guests} guests in one unit; bathrooms: ${data.capacity.bathrooms}`,
      rating === null ? 'Not rated' : `Rated ${rating.score} of ${SCORE_MAX}; ratings: ${rating.count}`,
      data.startingPrice === null ? 'No price' : `Nights from ${data.startingPrice} ${data.currency}`,
    ]);
  },
};
