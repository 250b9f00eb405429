/** Examples of requests and answers in the OpenAPI document. A test holds each against its schema. */
import type { ValidationIssue } from '../partner/issue-codes.ts';
import {
  createPartnerQuote,
  getPartnerProperty,
  getPartnerPropertyAvailability,
  listPartnerProperties,
  type OperationId,
} from '../partner/operations.ts';
import type { PartnerPropertyList, PartnerPropertySummary } from '../partner/property-schemas.ts';
import type { CreatePartnerQuoteRequest, PartnerQuote } from '../partner/quote-schemas.ts';
import type { PartnerAvailability } from '../partner/stay-schemas.ts';
import { type Validated, validateBody, validateQuery } from '../reading/validation.ts';

export const EXAMPLE_CORRELATION_ID = '01JF3Q8W6Z5N4V2K7T9C0A1B3D';

const EXAMPLE_PROPERTY: PartnerPropertySummary = {
  propertyId: 'hotel-ponte',
  name: 'Hotel Ponte',
  description: 'Sul canale.',
  propertyType: 'hotel',
  location: { city: 'Venezia', country: 'IT', area: 'Cannaregio' },
  capacity: { guests: 4, bathrooms: 1.5 },
  amenities: ['wifi', 'lift'],
  rating: { score: 4.6, count: 212 },
  startingPrice: '120.00',
  currency: 'EUR',
  timezone: 'Europe/Rome',
};

const EXAMPLE_LIST: PartnerPropertyList = {
  items: [EXAMPLE_PROPERTY],
  pagination: { page: 1, pageSize: 20, total: 1, hasMore: false },
};

const EXAMPLE_STAY = {
  checkIn: '2026-12-01',
  checkOut: '2026-12-04',
  nights: 3,
  guests: 2,
  timezone: 'Europe/Rome',
};

const EXAMPLE_AVAILABILITY: PartnerAvailability = {
  propertyId: 'hotel-ponte',
  stay: EXAMPLE_STAY,
  available: true,
  days: [
    { date: '2026-12-01', available: true },
    { date: '2026-12-02', available: true },
    { date: '2026-12-03', available: true },
  ],
};

export const EXAMPLE_QUOTE_REQUEST: CreatePartnerQuoteRequest = {
  propertyId: 'hotel-ponte',
  stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 },
  locale: 'it-IT',
};

const EXAMPLE_QUOTE: PartnerQuote = {
  quoteId: 'q_5mXW0mJq3cVb8kT2',
  propertyId: 'hotel-ponte',
  stay: EXAMPLE_STAY,
  pricing: {
    mode: 'indicative',
    accommodation: '360.00',
    cleaningFee: '40.00',
    taxes: '24.00',
    total: '424.00',
    pricePreservedInHandoff: false,
  },
  currency: 'EUR',
  expiresAt: '2026-11-20T10:30:00.000Z',
  handoffUrl: 'https://stay.example/handoff?handoff=eyJhbGciOiJkaXIifQ',
};

export const SUCCESS_EXAMPLES: Readonly<Record<OperationId, unknown>> = {
  listPartnerProperties: EXAMPLE_LIST,
  getPartnerProperty: EXAMPLE_PROPERTY,
  getPartnerPropertyAvailability: EXAMPLE_AVAILABILITY,
  createPartnerQuote: EXAMPLE_QUOTE,
};

const QUOTE_REQUEST_WITH_FAULTS = {
  ...EXAMPLE_QUOTE_REQUEST,
  stay: { ...EXAMPLE_QUOTE_REQUEST.stay, checkOut: '2026-12-01' },
  coupon: 'WINTER',
};

/** Issues of a faulty request to each operation, as validation itself finds them. */
export const ISSUE_EXAMPLES: Readonly<Record<OperationId, readonly ValidationIssue[]>> = {
  listPartnerProperties: issuesOf(validateQuery(listPartnerProperties, 'checkIn=2026-12-01&pageSize=51')),
  getPartnerProperty: issuesOf(validateQuery(getPartnerProperty, 'locale=fr-FR')),
  getPartnerPropertyAvailability: issuesOf(
    validateQuery(getPartnerPropertyAvailability, 'checkIn=2026-12-01&checkOut=2027-03-01&nights=90'),
  ),
  createPartnerQuote: issuesOf(validateBody(createPartnerQuote, QUOTE_REQUEST_WITH_FAULTS)),
};

function issuesOf(validated: Validated<unknown>): readonly ValidationIssue[] {
  return validated.ok ? [] : validated.issues;
}
