/** Prices of stays, as partners show them on cards and calendars. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { CALENDAR_DATES_MAX, CALENDAR_NIGHTS_MAX, PAGE_SIZE_MAX, PRICED_IDS_MAX } from './limits.ts';
import { STAY_CODES, type StayCode } from './problems.ts';
import { PaginationSchema, PartnerPropertySummarySchema } from './property-schemas.ts';
import { QuoteStayRequestSchema } from './quote-schemas.ts';
import {
  currency,
  decimalMoney,
  guests,
  localDate,
  locale,
  nullableDecimalMoney,
  propertyId,
} from './scalars.ts';

export const StayPricingSchema = Type.Object(
  {
    accommodation: decimalMoney({
      description: 'All nights, extra guests included, the discount taken off.',
    }),
    cleaningFee: decimalMoney(),
    taxes: decimalMoney({ description: 'Taxes and mandatory fees that are not in the rates already.' }),
    total: decimalMoney({ description: 'accommodation + cleaningFee + taxes.' }),
    discount: Type.Union([
      Type.Object(
        { percent: Type.String({ description: 'Such as `10`.' }), amount: decimalMoney() },
        { additionalProperties: false, description: 'What was taken off the nights.' },
      ),
      Type.Null(),
    ]),
  },
  { additionalProperties: false, description: 'What a quote of the stay would answer at this moment.' },
);

const nullablePricing = () =>
  Type.Union([StayPricingSchema, Type.Null()], { description: 'Null where no quote can be made.' });

export const PricedPropertySchema = Type.Object(
  { ...PartnerPropertySummarySchema.properties, pricing: nullablePricing() },
  { additionalProperties: false, description: 'A property as in a search, with the price of the stay.' },
);

export const StayPriceListSchema = Type.Object(
  {
    items: Type.Array(PricedPropertySchema, {
      maxItems: PAGE_SIZE_MAX,
      description: 'In the order of `sort`.',
    }),
    pagination: PaginationSchema,
  },
  { additionalProperties: false, description: 'One page of properties with their prices.' },
);
export type StayPriceList = Static<typeof StayPriceListSchema>;

export const PriceStaysRequestSchema = Type.Object(
  {
    propertyIds: Type.Array(propertyId(), {
      minItems: 1,
      maxItems: PRICED_IDS_MAX,
      description: 'Answered in this order, a repeated one again.',
    }),
    stay: QuoteStayRequestSchema,
    locale: Type.Optional(
      locale({ description: 'Accepted as in a quote; no text of the answer depends on it.' }),
    ),
  },
  { additionalProperties: false, description: 'One stay at several properties.' },
);

export const StayPriceSchema = Type.Object(
  {
    propertyId: propertyId(),
    code: Type.Unsafe<null | StayCode>({
      enum: [null, ...STAY_CODES],
      description: 'Null, or the code of the problem that a quote would be refused with.',
    }),
    currency: Type.Union([currency(), Type.Null()], { description: 'Null where the property is unknown.' }),
    pricing: nullablePricing(),
  },
  { additionalProperties: false, description: 'The price of the stay at one property.' },
);

export const StayPricesSchema = Type.Object(
  { items: Type.Array(StayPriceSchema, { maxItems: PRICED_IDS_MAX, description: 'In the order asked.' }) },
  { additionalProperties: false, description: 'The price of one stay at each property.' },
);
export type StayPrices = Static<typeof StayPricesSchema>;

export const PriceCalendarDaySchema = Type.Object(
  {
    checkIn: localDate({ description: 'First night of the stay.' }),
    available: Type.Boolean({ description: 'Whether this stay can be had.' }),
    total: nullableDecimalMoney({
      description: 'What a quote of this stay would come to; null without one.',
    }),
  },
  { additionalProperties: false, description: 'The stay that begins on one date.' },
);

export const PriceCalendarSchema = Type.Object(
  {
    propertyId: propertyId(),
    timezone: Type.String({ description: 'IANA timezone of the dates.' }),
    currency: currency(),
    nights: Type.Integer({ minimum: 1, maximum: CALENDAR_NIGHTS_MAX, format: 'int32' }),
    guests: guests(),
    days: Type.Array(PriceCalendarDaySchema, { maxItems: CALENDAR_DATES_MAX }),
  },
  { additionalProperties: false, description: 'Stays of one length at one property, by check-in date.' },
);
export type PriceCalendar = Static<typeof PriceCalendarSchema>;
