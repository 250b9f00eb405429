/** Turns the contract's schemas into `components.schemas`, with references instead of repetition. */
import type { TSchema } from 'typebox';
import {
  ProblemCodeSchema,
  ProblemSchema,
  ValidationIssueSchema,
  ValidationProblemSchema,
} from '../partner/problem-schemas.ts';
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
import { AvailabilityDaySchema, PartnerAvailabilitySchema, StaySchema } from '../partner/stay-schemas.ts';

/** Every schema that has a name in the contract (SPEC 2). Scalars stand where they are used. */
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
  Problem: ProblemSchema,
  ProblemCode: ProblemCodeSchema,
  ValidationProblem: ValidationProblemSchema,
  ValidationIssue: ValidationIssueSchema,
};

const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]),
);

export function buildSchemaComponents(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, copyMembers(schema)]),
  );
}

/** A reference when the schema has a name, else the schema itself with references inside. */
export function presentSchema(schema: unknown): unknown {
  const name = NAMES.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return typeof schema === 'object' && schema !== null ? copyMembers(schema) : schema;
}

/** TypeBox marks its schemas with members that are not enumerable, and so are left behind. */
function copyMembers(schema: object): unknown {
  if (Array.isArray(schema)) return schema.map(presentSchema);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, presentSchema(value)]));
}
