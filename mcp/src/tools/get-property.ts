import type { Locale } from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { fieldSchemaOf, inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { READ_ONLY, resultOf, type Tool } from './tool.ts';

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
    const { data } = await client.properties.get(propertyId, { ...options, signal });
    const { location, rating } = data;
    return resultOf({ ...data }, [
      `${data.propertyId}: ${fence(data.name)}, ${fence(data.propertyType)}. ${FENCE_NOTE}`,
      `Place: ${fence([location.area, location.city, location.country].filter(Boolean).join(', '))}, ${data.timezone}`,
      `Up to ${data.capacity.guests} guests in one unit; bathrooms: ${data.capacity.bathrooms}`,
      rating === null ? 'Not rated' : `Rated ${rating.score} of ${SCORE_MAX}; ratings: ${rating.count}`,
      data.startingPrice === null ? 'No price' : `Nights from ${data.startingPrice} ${data.currency}`,
    ]);
  },
};
