/** Cities that a text begins, and an example. */
import type { Static } from 'typebox';
import { EXAMPLE_CITY, type OperationExamples, queryText } from './examples.ts';
import { Type } from './json-schema.ts';
import { SUGGESTIONS_MAX } from './limits.ts';
import { country } from './scalars.ts';

export const CitySchema = Type.Object(
  {
    city: Type.String({ description: 'Its name in the locale; a search takes it.' }),
    country: country(),
    matched: Type.String({ description: 'The name or alias that the text begins.' }),
    properties: Type.Integer({
      minimum: 1,
      format: 'int32',
      description: 'How many properties a search for the city finds, without dates.',
    }),
  },
  { additionalProperties: false, description: 'A city with properties that this partner may see.' },
);

export const CityListSchema = Type.Object(
  { items: Type.Array(CitySchema, { maxItems: SUGGESTIONS_MAX, description: 'The best first.' }) },
  { additionalProperties: false, description: 'Cities that a text begins.' },
);
type CityList = Static<typeof CityListSchema>;

export function cityExamples(): OperationExamples {
  const parameters = { text: 'venez', locale: 'en-GB' };
  const list: CityList = {
    items: [{ city: EXAMPLE_CITY, country: 'IT', matched: 'Venezia', properties: 2 }],
  };
  return {
    target: `/places/v1/cities?${queryText(parameters)}`,
    parameters,
    successes: { cities: { summary: 'A city by the beginning of its name', value: list } },
    faulty: { query: 'text=venez&limit=0' },
  };
}
