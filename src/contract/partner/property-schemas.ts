/** A partner's view of a property (SPEC 2), without address or coordinates. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { PAGE_MAX, PAGE_SIZE_MAX } from './limits.ts';
import { country, currency, nullableDecimalMoney, nullableText, propertyId } from './scalars.ts';

export const PartnerLocationSchema = Type.Object(
  {
    city: Type.String(),
    country: country(),
    area: nullableText({ description: 'Approximate neighbourhood, never an address.' }),
  },
  { additionalProperties: false, description: 'Where the property is, roughly.' },
);

export const PartnerCapacitySchema = Type.Object(
  {
    guests: Type.Integer({
      minimum: 1,
      format: 'int32',
      description: 'Guests of the largest inventory type; types are never combined.',
    }),
    bathrooms: Type.Number({ minimum: 0, multipleOf: 0.5 }),
  },
  { description: 'How many the property can host.' },
);

export const PartnerRatingSchema = Type.Object(
  {
    score: Type.Number({ minimum: 0, maximum: 5 }),
    count: Type.Integer({ minimum: 0, format: 'int32', description: 'Number of ratings behind the score.' }),
  },
  { description: 'What guests thought.' },
);

export const PartnerPropertySummarySchema = Type.Object(
  {
    propertyId: propertyId(),
    name: Type.String(),
    description: nullableText(),
    propertyType: Type.String({ description: 'Free text, such as hotel or apartment.' }),
    location: PartnerLocationSchema,
    capacity: PartnerCapacitySchema,
    amenities: Type.Array(Type.String()),
    rating: Type.Union([PartnerRatingSchema, Type.Null()], { description: 'Null when there is none.' }),
    startingPrice: nullableDecimalMoney({
      description: 'Lowest nightly rate over the coming open nights, in currency; null when there is none.',
    }),
    currency: currency(),
    timezone: Type.String({ description: 'IANA timezone in which the dates of the property are meant.' }),
  },
  { additionalProperties: false, description: 'A property, the same in lists and alone.' },
);
export type PartnerPropertySummary = Static<typeof PartnerPropertySummarySchema>;

export const PaginationSchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1, maximum: PAGE_MAX, format: 'int64' }),
    pageSize: Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, format: 'int32' }),
    total: Type.Integer({
      minimum: 0,
      format: 'int32',
      description: 'Properties that match, over all pages.',
    }),
    hasMore: Type.Boolean({ description: 'Whether a next page has items.' }),
  },
  { description: 'Where this page stands in the whole list.' },
);

export const PartnerPropertyListSchema = Type.Object(
  {
    items: Type.Array(PartnerPropertySummarySchema, {
      maxItems: PAGE_SIZE_MAX,
      description: 'Ordered by propertyId before pagination.',
    }),
    pagination: PaginationSchema,
  },
  { description: 'One page of properties.' },
);
export type PartnerPropertyList = Static<typeof PartnerPropertyListSchema>;
