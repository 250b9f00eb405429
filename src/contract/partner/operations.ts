/**
 * The four operations of the contract as values (SPEC 4). Routing, validation, scopes, headers, the OpenAPI document
 * and the documentation are read from this table, and from that of `extra-operations.ts`. A further operation is a row
 * there, its values in `request-values.ts`, its examples, and its handler.
 */
import type { TSchema } from 'typebox';
import {
  checkInParameter,
  checkOutParameter,
  cityParameter,
  countryParameter,
  guestsParameter,
  localeParameter,
  optionalCheckInParameter,
  optionalCheckOutParameter,
  pageParameter,
  pageSizeParameter,
  type Parameter,
  propertyIdParameter,
  queryOf,
  type QueryReading,
  searchGuestsParameter,
} from './parameters.ts';
import type { ExampleDates } from './example-dates.ts';
import {
  availabilityExamples,
  listExamples,
  type OperationExamples,
  propertyExamples,
  quoteExamples,
} from './examples.ts';
import { codesOfOperation, type ProblemCode } from './problems.ts';
import { PartnerPropertyListSchema, PartnerPropertySummarySchema } from './property-schemas.ts';
import { CreatePartnerQuoteRequestSchema, PartnerQuoteSchema } from './quote-schemas.ts';
import { GUESTS_DEFAULT } from './limits.ts';
import type { OperationId, QueryValues } from './request-values.ts';
import type { Scope } from './scopes.ts';
import { PartnerAvailabilitySchema } from './stay-schemas.ts';

export type { OperationId };

/** How checkIn and checkOut belong together; `optional-pair` allows neither. */
export type StayRule = 'none' | 'optional-pair' | 'required';

export interface Operation<Id extends OperationId = OperationId> {
  readonly operationId: Id;
  readonly method: 'GET' | 'POST';
  /** OpenAPI path template. */
  readonly path: string;
  readonly tag: 'Properties' | 'Quotes' | 'Content' | 'Prices' | 'Places' | 'Changes';
  readonly summary: string;
  readonly description: string;
  /** All are needed; in the order of the table of scopes. */
  readonly scopes: readonly Scope[];
  readonly pathParameters: readonly Parameter[];
  readonly query: QueryReading<QueryValues[Id]>;
  readonly bodySchema: TSchema | undefined;
  readonly stayRule: StayRule;
  readonly successStatus: 200 | 201;
  readonly successDescription: string;
  readonly successSchema: TSchema;
  /** For a success; every problem is `no-store`. */
  readonly cacheControl: 'private, max-age=60' | 'no-store';
  /** Allows a body of so many times BODY_LIMIT_BYTES. */
  readonly bodyLimitFactor?: number;
  /** Counts against the quotes that a credential may create in a day. */
  readonly createsQuote?: true;
  /** Any query is ignored; otherwise unknown parameters are refused, as SPEC 4 says of GET. */
  readonly ignoresQuery?: boolean;
  /** A success carries an ETag, and answers 304 to `If-None-Match`. */
  readonly hasEtag?: true;
  readonly problemCodes: readonly ProblemCode[];
  readonly examples: (dates: ExampleDates) => OperationExamples;
}

export const PROBLEM_CACHE_CONTROL = 'no-store';

export const listPartnerProperties: Operation<'listPartnerProperties'> = {
  operationId: 'listPartnerProperties',
  method: 'GET',
  path: '/v1/properties',
  tag: 'Properties',
  summary: 'Search properties',
  description:
    'Without dates: the properties of a city that this partner may see; `guests`, when given, keeps those with one ' +
    'inventory type for that many. With `checkIn` and `checkOut` (both or neither): only those where one inventory ' +
    'type can host the guests on every night, in the timezone of each property. Ordered by `propertyId`. ' +
    'Query parameters that are not listed here are refused.',
  scopes: ['properties:read'],
  pathParameters: [],
  query: queryOf(
    [
      cityParameter,
      countryParameter,
      optionalCheckInParameter,
      optionalCheckOutParameter,
      searchGuestsParameter,
      pageParameter,
      pageSizeParameter,
      localeParameter,
    ],
    ([city, country, checkIn, checkOut, guests, page, pageSize, locale]) => {
      const stay = checkIn === undefined || checkOut === undefined ? undefined : { checkIn, checkOut };
      return {
        city,
        country,
        stay,
        guests: stay === undefined ? guests : (guests ?? GUESTS_DEFAULT),
        page,
        pageSize,
        locale,
      };
    },
  ),
  bodySchema: undefined,
  stayRule: 'optional-pair',
  successStatus: 200,
  successDescription: 'One page of properties.',
  successSchema: PartnerPropertyListSchema,
  cacheControl: 'private, max-age=60',
  problemCodes: codesOfOperation('listPartnerProperties'),
  examples: listExamples,
};

export const getPartnerProperty: Operation<'getPartnerProperty'> = {
  operationId: 'getPartnerProperty',
  method: 'GET',
  path: '/v1/properties/{propertyId}',
  tag: 'Properties',
  summary: 'Read one property',
  description: 'The same object as in a search. A property that this partner may not see is not found.',
  scopes: ['properties:read'],
  pathParameters: [propertyIdParameter],
  query: queryOf([localeParameter], ([locale]) => ({ locale })),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'The property.',
  successSchema: PartnerPropertySummarySchema,
  cacheControl: 'private, max-age=60',
  problemCodes: codesOfOperation('getPartnerProperty'),
  examples: propertyExamples,
};

export const getPartnerPropertyAvailability: Operation<'getPartnerPropertyAvailability'> = {
  operationId: 'getPartnerPropertyAvailability',
  method: 'GET',
  path: '/v1/properties/{propertyId}/availability',
  tag: 'Properties',
  summary: 'Check whether a stay is available',
  description:
    '`available` is true when one inventory type can host the guests for the whole stay. `days` shows each night ' +
    'alone, as a diagnosis: all nights open does not make the stay available. Nights in the past or beyond what ' +
    'the operator offers are not available.',
  scopes: ['availability:read'],
  pathParameters: [propertyIdParameter],
  query: queryOf([checkInParameter, checkOutParameter, guestsParameter], ([checkIn, checkOut, guests]) => ({
    stay: { checkIn, checkOut },
    guests,
  })),
  bodySchema: undefined,
  stayRule: 'required',
  successStatus: 200,
  successDescription: 'The availability of the stay.',
  successSchema: PartnerAvailabilitySchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('getPartnerPropertyAvailability'),
  examples: availabilityExamples,
};

export const createPartnerQuote: Operation<'createPartnerQuote'> = {
  operationId: 'createPartnerQuote',
  method: 'POST',
  path: '/v1/quotes',
  tag: 'Quotes',
  summary: 'Create an indicative quote',
  description:
    'Prices the stay and answers with a link that takes the traveller to the web application of the operator. ' +
    'The price is indicative: it is calculated again during the handoff. Not idempotent: a retry may create ' +
    'another quote. Fields that are not listed here are refused at every level. A request without a Content-Type ' +
    'is read as JSON.',
  scopes: ['quotes:write'],
  pathParameters: [],
  query: queryOf([], () => ({})),
  createsQuote: true,
  ignoresQuery: true,
  bodySchema: CreatePartnerQuoteRequestSchema,
  stayRule: 'required',
  successStatus: 201,
  successDescription: 'The quote. `Location` is the handoff URL.',
  successSchema: PartnerQuoteSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('createPartnerQuote'),
  examples: quoteExamples,
};

/** The operations of the contract; `extra-operations.ts` has those beside it. */
export const OPERATIONS: readonly Operation[] = [
  listPartnerProperties,
  getPartnerProperty,
  getPartnerPropertyAvailability,
  createPartnerQuote,
];
