/** Prices of stays, as partners show them on cards and calendars. */
import type { Static } from 'typebox';
import { NEAREST_STAYS_MAX, OPENING_DAYS_MAX } from '../../domain/nearest-shifts.ts';
import { INSTEAD_NIGHTS_MAX, INSTEAD_STAYS_MAX } from '../../domain/instead-stays.ts';
import { type PresentedReason, REASON_CODES, REASON_ROWS } from '../../domain/stay-reasons.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { COUNTED_VALUES_MAX } from '../../domain/stay-filters.ts';
import { Type } from './json-schema.ts';
import {
  CALENDAR_DATES_MAX,
  CALENDAR_NIGHTS_MAX,
  PAGE_SIZE_MAX,
  PRICED_IDS_MAX,
  WINDOW_DATES_MAX,
} from './limits.ts';
import { STAY_CODES, type StayCode } from './problems.ts';
import { PaginationSchema, PartnerPropertySummarySchema } from './property-schemas.ts';
import {
  CreatePartnerQuoteRequestSchema,
  PartnerQuoteSchema,
  QuoteStayRequestSchema,
} from './quote-schemas.ts';
import { PricedStaySchema } from './stay-schemas.ts';
import {
  childAges,
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

export const PricedStayRequestSchema = Type.Object(
  {
    ...QuoteStayRequestSchema.properties,
    childAges: Type.Optional(
      childAges({
        description:
          'Ages of the children among the guests, in whole years at check-in, in any order: at most one less than guests.',
      }),
    ),
  },
  { additionalProperties: false, description: 'The stay that prices are asked for.' },
);

export const StayQuoteRequestSchema = Type.Object(
  { ...CreatePartnerQuoteRequestSchema.properties, stay: PricedStayRequestSchema },
  { additionalProperties: false, description: 'What a quote is asked for. There are no other fields.' },
);

export const QuotedStaySchema = Type.Object(
  {
    ...PricedStaySchema.properties,
    childAges: childAges({ description: 'Ages of the children among the guests, ascending; maybe none.' }),
  },
  { additionalProperties: false, description: 'The half-open interval from checkIn to checkOut.' },
);

export const StayQuoteSchema = Type.Object(
  { ...PartnerQuoteSchema.properties, stay: QuotedStaySchema },
  { additionalProperties: false, description: 'An indicative quote and where to send the traveller.' },
);
export type StayQuote = Static<typeof StayQuoteSchema>;

const echoedAges = () => PricedStaySchema.properties.childAges;

const nullablePricing = () =>
  Type.Union([StayPricingSchema, Type.Null()], { description: 'Null where no quote can be made.' });

export const PricedPropertySchema = Type.Object(
  { ...PartnerPropertySummarySchema.properties, pricing: nullablePricing() },
  { additionalProperties: false, description: 'A property as in a search, with the price of the stay.' },
);

export const CountedValueSchema = Type.Object(
  {
    value: Type.String({ description: 'In the locale of the answer. Texts that compare as equal are one.' }),
    count: Type.Integer({ minimum: 1, format: 'int32', description: 'Properties that have it.' }),
  },
  { additionalProperties: false, description: 'A value, and how many properties of the search have it.' },
);

const countedValues = (description: string) =>
  Type.Array(CountedValueSchema, { maxItems: COUNTED_VALUES_MAX, description });

/** Where they were asked for. */
export const SearchCountsSchema = Type.Optional(
  Type.Object(
    {
      propertyTypes: countedValues('Under all filters but `propertyTypes`.'),
      amenities: countedValues('Under all filters, and this amenity too.'),
      areas: countedValues('Under all filters but `areas`.'),
    },
    { additionalProperties: false, description: 'Counts over all pages: most first, then by value.' },
  ),
);

/** Where they were asked for. */
const NearestSchema = Type.Optional(
  Type.Array(
    Type.Object(
      {
        checkIn: localDate({ description: 'First night.' }),
        checkOut: localDate({ description: 'Day of departure: not an occupied night.' }),
        properties: Type.Integer({
          minimum: 1,
          format: 'int32',
          description: 'Properties that can host it.',
        }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: NEAREST_STAYS_MAX,
      description:
        `Openings within ${OPENING_DAYS_MAX} days, the nearest first, of two as near the earlier; empty where the stay ` +
        'itself can be had.',
    },
  ),
);

export const StayPriceListSchema = Type.Object(
  {
    items: Type.Array(PricedPropertySchema, {
      maxItems: PAGE_SIZE_MAX,
      description: 'In the order of `sort`.',
    }),
    pagination: PaginationSchema,
    counts: SearchCountsSchema,
    nearest: NearestSchema,
  },
  { additionalProperties: false, description: 'One page of properties with their prices.' },
);
export type StayPriceList = Static<typeof StayPriceListSchema>;

export const FlexibleStaySchema = Type.Object(
  {
    ...PartnerPropertySummarySchema.properties,
    stay: PricedStaySchema,
    pricing: nullablePricing(),
    checkIns: Type.Integer({
      minimum: 1,
      maximum: WINDOW_DATES_MAX,
      format: 'int32',
      description: 'On how many dates of the window one of the wanted stays can begin.',
    }),
  },
  { additionalProperties: false, description: 'A property as in a search, with the best of its stays.' },
);

export const FlexibleStayListSchema = Type.Object(
  {
    items: Type.Array(FlexibleStaySchema, {
      maxItems: PAGE_SIZE_MAX,
      description: 'In the order of `sort`.',
    }),
    pagination: PaginationSchema,
    counts: SearchCountsSchema,
  },
  { additionalProperties: false, description: 'One page of properties, each with its best stay.' },
);
export type FlexibleStayList = Static<typeof FlexibleStayListSchema>;

export const LowestTotalSchema = Type.Object(
  {
    currency: currency(),
    total: decimalMoney({ description: 'What a quote of this stay would come to.' }),
    propertyId: propertyId({ description: 'The first of these that a search by total would list.' }),
  },
  { additionalProperties: false, description: 'The least total in one currency.' },
);

export const PriceDaySchema = Type.Object(
  {
    checkIn: localDate({ description: 'First night of the stay.' }),
    properties: Type.Integer({
      minimum: 0,
      format: 'int32',
      description: 'Properties that a search for this stay would find, under the same filters.',
    }),
    lowest: Type.Array(LowestTotalSchema, { description: 'By currency; empty without a price.' }),
  },
  { additionalProperties: false, description: 'The stay that begins on one date, in the whole city.' },
);

export const PriceDaysSchema = Type.Object(
  {
    nights: Type.Integer({ minimum: 1, maximum: CALENDAR_NIGHTS_MAX, format: 'int32' }),
    guests: guests(),
    childAges: echoedAges(),
    days: Type.Array(PriceDaySchema, { maxItems: CALENDAR_DATES_MAX }),
  },
  { additionalProperties: false, description: 'Stays of one length in one city, by check-in date.' },
);
export type PriceDays = Static<typeof PriceDaysSchema>;

export const PriceStaysRequestSchema = Type.Object(
  {
    propertyIds: Type.Array(propertyId(), {
      minItems: 1,
      maxItems: PRICED_IDS_MAX,
      description: 'Answered in this order, a repeated one again.',
    }),
    stay: PricedStayRequestSchema,
    locale: Type.Optional(
      locale({ description: 'Accepted as in a quote; no text of the answer depends on it.' }),
    ),
    why: Type.Optional(
      Type.Boolean({
        description: 'Whether each item says why the stay has no price, and which stays are instead.',
      }),
    ),
  },
  { additionalProperties: false, description: 'One stay at several properties.' },
);

const REASON_MEMBERS = {
  guestsMax: () => Type.Integer({ minimum: 1, format: 'int32', description: 'Guests.' }),
  date: () => localDate(),
  days: () => Type.Integer({ minimum: 0, format: 'int32', description: 'Days.' }),
  dates: () =>
    Type.Array(localDate(), { maxItems: STAY_NIGHTS_MAX, description: 'Occupied nights, ascending.' }),
  nights: () => Type.Integer({ minimum: 1, format: 'int32', description: 'Nights of a stay.' }),
} as const;

export const StayReasonSchema = Type.Unsafe<PresentedReason>({
  anyOf: REASON_CODES.map((code) => {
    const { member, meaning } = REASON_ROWS[code];
    return Type.Object(
      { code: Type.Literal(code), [member]: REASON_MEMBERS[member]() },
      { additionalProperties: false, description: meaning },
    );
  }),
  description: 'Why a stay is not priced. New codes may be added.',
});

export const InsteadStaySchema = Type.Object(
  {
    checkIn: localDate({ description: 'First night.' }),
    checkOut: localDate({ description: 'Day of departure: not an occupied night.' }),
    nights: Type.Integer({ minimum: 1, maximum: STAY_NIGHTS_MAX, format: 'int32' }),
    total: nullableDecimalMoney({
      description: 'What a quote of this stay would come to; null without one.',
    }),
  },
  { additionalProperties: false, description: 'A stay that can be had instead.' },
);

/** Members of an answer for one stay at one property. */
export const whyMembers = () => ({
  reasons: Type.Unsafe<readonly PresentedReason[] | null>({
    anyOf: [{ type: 'array', items: StayReasonSchema, maxItems: REASON_CODES.length }, { type: 'null' }],
    description:
      'All reasons of the inventory type that comes nearest, one for each code; empty where the stay is priced, or the ' +
      'property is unknown; null where the operator does not tell them.',
  }),
  instead: Type.Array(InsteadStaySchema, {
    maxItems: INSTEAD_STAYS_MAX,
    description:
      `At most ${NEAREST_STAYS_MAX} stays of the same length within ${OPENING_DAYS_MAX} days, the nearest first, of two ` +
      'as near the earlier; then the stay from the same check-in whose length differs least, at most ' +
      `${INSTEAD_NIGHTS_MAX} nights. Only stays that can be had.`,
  }),
});

const optionalWhy = whyMembers();

export const StayPriceSchema = Type.Object(
  {
    propertyId: propertyId(),
    code: Type.Unsafe<null | StayCode>({
      enum: [null, ...STAY_CODES],
      description: 'Null, or the code of the problem that a quote would be refused with.',
    }),
    currency: Type.Union([currency(), Type.Null()], { description: 'Null where the property is unknown.' }),
    pricing: nullablePricing(),
    reasons: Type.Optional(optionalWhy.reasons),
    instead: Type.Optional(optionalWhy.instead),
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
    childAges: echoedAges(),
    days: Type.Array(PriceCalendarDaySchema, { maxItems: CALENDAR_DATES_MAX }),
  },
  { additionalProperties: false, description: 'Stays of one length at one property, by check-in date.' },
);
export type PriceCalendar = Static<typeof PriceCalendarSchema>;

export const PriceCalendarStaySchema = Type.Object(
  {
    nights: Type.Integer({ minimum: 1, maximum: CALENDAR_NIGHTS_MAX, format: 'int32' }),
    checkOut: localDate({ description: 'Day of departure: not an occupied night.' }),
    available: PriceCalendarDaySchema.properties.available,
    total: PriceCalendarDaySchema.properties.total,
  },
  { additionalProperties: false, description: 'A stay of one length.' },
);

export const PriceCalendarOfLengthsSchema = Type.Object(
  {
    ...PriceCalendarSchema.properties,
    days: Type.Array(
      Type.Object(
        {
          checkIn: PriceCalendarDaySchema.properties.checkIn,
          stays: Type.Array(PriceCalendarStaySchema, {
            maxItems: CALENDAR_NIGHTS_MAX,
            description: 'By nights, from nights to maxNights.',
          }),
        },
        { additionalProperties: false },
      ),
      { maxItems: CALENDAR_DATES_MAX },
    ),
  },
  { additionalProperties: false, description: 'Stays of several lengths, where `maxNights` was given.' },
);

export const AnyPriceCalendarSchema = Type.Union([PriceCalendarSchema, PriceCalendarOfLengthsSchema]);
