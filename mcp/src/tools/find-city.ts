import type { CityParameters } from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { parameterSchemaOf } from '../schemas.ts';
import { READ_ONLY, resultOf, type Tool, withinLimits } from './tool.ts';

const CITIES_MAX = 5;
const TEXT_LENGTH_MAX = 120;

export const findCity: Tool<Pick<CityParameters, 'text' | 'country' | 'locale'>> = {
  name: 'find_city',
  title: 'Find a city',
  description:
    'Cities that have properties and whose name, in any language or as an alias, begins with the text; typing ' +
    `mistakes are forgiven. At most ${CITIES_MAX}, the best first. Use city and country of one in a search.`,
  inputSchema: {
    type: 'object',
    properties: {
      text: {
        type: 'string',
        minLength: 1,
        maxLength: TEXT_LENGTH_MAX,
        description: 'The name, or its beginning.',
      },
      country: parameterSchemaOf('listPartnerProperties', 'country'),
      locale: parameterSchemaOf('listPartnerProperties', 'locale', 'Language of names.'),
    },
    required: ['text'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        maxItems: CITIES_MAX,
        items: {
          type: 'object',
          properties: {
            city: { type: 'string' },
            country: { type: 'string', description: 'ISO 3166-1 alpha-2.' },
            matched: { type: 'string', description: 'The name or alias that the text begins.' },
            properties: { type: 'integer', description: 'How many properties it has.' },
          },
          required: ['city', 'country', 'matched', 'properties'],
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
    additionalProperties: false,
  },
  annotations: READ_ONLY,
  async run(client, input, signal) {
    const { data } = await client.places.cities({ ...input, limit: CITIES_MAX }, withinLimits(signal));
    if (data.items.length === 0)
      return resultOf({ ...data }, [
        `No city with properties has a name like ${fence(input.text)}.`,
        'Next: another spelling, fewer letters, or ask the traveller.',
      ]);
    return resultOf({ ...data }, [
      `Cities with properties. ${FENCE_NOTE}`,
      ...data.items.map(
        ({ city, country, properties }) => `- ${fence(city)}, ${country}: ${properties} properties`,
      ),
      'Next: search_properties or find_open_stays with city and country.',
    ]);
  },
};
