/** Turns the contract's schemas into `components.schemas`, with references instead of repetition. */
import type { TSchema } from 'typebox';
import { PropertyChangeSchema, PropertyChangesSchema } from '../partner/change-schemas.ts';
import { CityListSchema, CitySchema } from '../partner/city-schemas.ts';
import {
  ContentImageSchema,
  PropertyContentListSchema,
  PropertyContentSchema,
} from '../partner/content-schemas.ts';
import {
  OfferChargeSchema,
  OfferNightSchema,
  OfferPaymentSchema,
  OfferRefundSchema,
  StayOfferSchema,
} from '../partner/offer-schemas.ts';
import {
  PROBLEM_SCHEMAS,
  ValidationIssueSchema,
  ValidationProblemSchema,
} from '../partner/problem-schemas.ts';
import {
  CountedValueSchema,
  FlexibleStayListSchema,
  FlexibleStaySchema,
  LowestTotalSchema,
  PriceCalendarDaySchema,
  PriceCalendarOfLengthsSchema,
  PriceCalendarSchema,
  PriceCalendarStaySchema,
  PriceDaySchema,
  PriceDaysSchema,
  PricedPropertySchema,
  PricedStayRequestSchema,
  QuotedStaySchema,
  PriceStaysRequestSchema,
  InsteadStaySchema,
  SearchCountsSchema,
  StayPriceListSchema,
  StayPriceSchema,
  StayPricesSchema,
  StayPricingSchema,
  StayQuoteRequestSchema,
  StayQuoteSchema,
  StayReasonSchema,
} from '../partner/price-schemas.ts';
import {
  PaginationSchema,
  PartnerCapacitySchema,
  PartnerLocationSchema,
  PartnerPropertyListSchema,
  PartnerPropertySummarySchema,
  PartnerRatingSchema,
} from '../partner/property-schemas.ts';
import {
  CreatePartnerQuoteRequestSchema,
  PartnerPricingSchema,
  PartnerQuoteSchema,
  QuoteStayRequestSchema,
} from '../partner/quote-schemas.ts';
import { SCALAR_SCHEMAS, scalarUse } from '../partner/scalars.ts';
import {
  AvailabilityDaySchema,
  PartnerAvailabilitySchema,
  PricedStaySchema,
  StaySchema,
} from '../partner/stay-schemas.ts';

/** Every named object of the contract (SPEC 2) and beside it, and the problems of each status. */
const NAMED_SCHEMAS: Readonly<Record<string, TSchema>> = {
  PartnerPropertyList: PartnerPropertyListSchema,
  PartnerPropertySummary: PartnerPropertySummarySchema,
  PartnerLocation: PartnerLocationSchema,
  PartnerCapacity: PartnerCapacitySchema,
  PartnerRating: PartnerRatingSchema,
  Pagination: PaginationSchema,
  PartnerAvailability: PartnerAvailabilitySchema,
  AvailabilityDay: AvailabilityDaySchema,
  Stay: StaySchema,
  CreatePartnerQuoteRequest: CreatePartnerQuoteRequestSchema,
  QuoteStayRequest: QuoteStayRequestSchema,
  PartnerQuote: PartnerQuoteSchema,
  PartnerPricing: PartnerPricingSchema,
  ValidationProblem: ValidationProblemSchema,
  ValidationIssue: ValidationIssueSchema,
  ...PROBLEM_SCHEMAS,
  StayPriceList: StayPriceListSchema,
  PricedProperty: PricedPropertySchema,
  StayPricing: StayPricingSchema,
  PricedStay: PricedStaySchema,
  PricedStayRequest: PricedStayRequestSchema,
  SearchCounts: SearchCountsSchema,
  CountedValue: CountedValueSchema,
  FlexibleStayList: FlexibleStayListSchema,
  FlexibleStay: FlexibleStaySchema,
  PriceDays: PriceDaysSchema,
  PriceDay: PriceDaySchema,
  LowestTotal: LowestTotalSchema,
  PriceStaysRequest: PriceStaysRequestSchema,
  StayPrices: StayPricesSchema,
  StayPrice: StayPriceSchema,
  StayReason: StayReasonSchema,
  StayQuoteRequest: StayQuoteRequestSchema,
  StayQuote: StayQuoteSchema,
  QuotedStay: QuotedStaySchema,
  InsteadStay: InsteadStaySchema,
  StayOffer: StayOfferSchema,
  OfferNight: OfferNightSchema,
  OfferCharge: OfferChargeSchema,
  OfferRefund: OfferRefundSchema,
  OfferPayment: OfferPaymentSchema,
  PriceCalendar: PriceCalendarSchema,
  PriceCalendarDay: PriceCalendarDaySchema,
  CityList: CityListSchema,
  City: CitySchema,
  PriceCalendarOfLengths: PriceCalendarOfLengthsSchema,
  PriceCalendarStay: PriceCalendarStaySchema,
  PropertyContentList: PropertyContentListSchema,
  PropertyContent: PropertyContentSchema,
  ContentImage: ContentImageSchema,
  PropertyChanges: PropertyChangesSchema,
  PropertyChange: PropertyChangeSchema,
};

const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]),
);

/** `components.schemas`: those of all operations. */
export function schemaComponents(): Record<string, unknown> {
  const named = Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, copyMembers(schema)]);
  return { ...SCALAR_SCHEMAS, ...(Object.fromEntries(named) as Record<string, unknown>) };
}

/** A reference for a named schema, else the schema itself with references inside. */
export function presentSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = NAMES.get(schema);
  if (name !== undefined) return referenceTo(name);
  const scalar = scalarUse(schema);
  // OpenAPI 3.1 takes more beside a reference: what this use adds to the scalar.
  return scalar === undefined ? copyMembers(schema) : { ...referenceTo(scalar.name), ...scalar.addition };
}

function referenceTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Drops TypeBox's markers, which are not enumerable. */
function copyMembers(schema: object): unknown {
  if (Array.isArray(schema)) return schema.map(presentSchema);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, presentSchema(value)]));
}
