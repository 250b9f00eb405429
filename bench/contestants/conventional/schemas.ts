/** The schemas of the conventional route, as its author would write them for Fastify. */
const date = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` } as const;
const nullableText = { type: ['string', 'null'] } as const;

export const QUERY_SCHEMA = {
  type: 'object',
  required: ['city', 'checkIn', 'checkOut'],
  properties: {
    city: { type: 'string', minLength: 1, maxLength: 120 },
    country: { type: 'string', pattern: '^[A-Z]{2}$' },
    checkIn: date,
    checkOut: date,
    guests: { type: 'integer', minimum: 1, maximum: 30, default: 2 },
    page: { type: 'integer', minimum: 1, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
    locale: { type: 'string', enum: ['it-IT', 'en-GB'], default: 'it-IT' },
  },
} as const;

const SUMMARY = {
  type: 'object',
  properties: {
    propertyId: { type: 'string' },
    name: { type: 'string' },
    description: nullableText,
    propertyType: { type: 'string' },
    location: {
      type: 'object',
      properties: { city: { type: 'string' }, country: { type: 'string' }, area: nullableText },
    },
    capacity: { type: 'object', properties: { guests: { type: 'integer' }, bathrooms: { type: 'number' } } },
    amenities: { type: 'array', items: { type: 'string' } },
    rating: {
      type: ['object', 'null'],
      properties: { score: { type: 'number' }, count: { type: 'integer' } },
    },
    startingPrice: nullableText,
    currency: { type: 'string' },
    timezone: { type: 'string' },
  },
} as const;

export const RESPONSE_SCHEMA = {
  type: 'object',
  properties: {
    items: { type: 'array', items: SUMMARY },
    pagination: {
      type: 'object',
      properties: {
        page: { type: 'integer' },
        pageSize: { type: 'integer' },
        total: { type: 'integer' },
        hasMore: { type: 'boolean' },
      },
    },
  },
} as const;
