/**
 * Examples of requests and answers. Ids, texts and prices are those of the sample catalogue; tests check each against
 * its schema and the demo's real answers.
 */
import { parseLocalDate } from '../../domain/local-date.ts';
import type { ProblemCode } from './problems.ts';
import type { PartnerPropertyList, PartnerPropertySummary } from './property-schemas.ts';
import type { CreatePartnerQuoteRequest, PartnerQuote } from './quote-schemas.ts';
import type { PartnerAvailability, Stay } from './stay-schemas.ts';
import { dateAfter, type ExampleDates } from './example-dates.ts';

interface NamedExample<Body> {
  readonly summary: string;
  readonly value: Body;
}

/** The entries of a list are separated by commas, as `String` writes them. */
type ExampleValue = string | number | readonly string[];

export interface OperationExamples {
  /** Path and query of a call that gets the first of `successes`, as written in a URL. */
  readonly target: string;
  /** Values of the parameters of `target`, decoded. */
  readonly parameters: Readonly<Record<string, ExampleValue>>;
  readonly body?: unknown;
  readonly successes: Readonly<Record<string, NamedExample<unknown>>>;
  /** An invalid call, for an example of its issues. */
  readonly faulty: { readonly query: string; readonly body?: unknown };
  /** By code, members of a problem beside those of every problem. */
  readonly problemMembers?: Readonly<Partial<Record<ProblemCode, object>>>;
}

export const EXAMPLE_CITY = 'Firenze';
export const EXAMPLE_PROPERTY_ID = 'locanda-san-frediano';
export const EXAMPLE_INVENTORY_TYPE_ID = 'courtyard-double';
const GUESTS = 2;
const TIMEZONE = 'Europe/Rome';

export const EXAMPLE_CORRELATION_ID = 'c2F5LWhlbGxv-4d';
export const EXAMPLE_HANDOFF_URL =
  'https://localhost:8443/handoff?handoff=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ..Zm9ydHktdHdv.Rm9sbG93IG1l.c2VhbGVkIGFuZCBvcGFxdWU';
const QUOTE_ID = 'qt_4mW0q3cVb8kT2ZyR7dLx1NsP';
const QUOTE_VALID_MS = 1_800_000;

export const EXAMPLE_INN: PartnerPropertySummary = {
  propertyId: EXAMPLE_PROPERTY_ID,
  name: 'San Frediano Inn',
  description: 'Eight rooms in an Oltrarno town house, with a courtyard and bicycles for guests.',
  propertyType: 'inn',
  location: { city: 'Florence', country: 'IT', area: 'Oltrarno' },
  capacity: { guests: 3, bathrooms: 2 },
  amenities: ['wifi', 'courtyard', 'bicycles'],
  rating: { score: 4.8, count: 97 },
  startingPrice: '118.00',
  currency: 'EUR',
  timezone: TIMEZONE,
};

const FLAT: PartnerPropertySummary = {
  propertyId: 'casa-ballaro',
  name: 'Ballarò House',
  description: 'A flat with a terrace above the old market.',
  propertyType: 'apartment',
  location: { city: 'Palermo', country: 'IT', area: 'Albergheria' },
  capacity: { guests: 5, bathrooms: 1 },
  amenities: ['wifi', 'kitchen', 'terrace'],
  rating: null,
  startingPrice: '92.00',
  currency: 'EUR',
  timezone: TIMEZONE,
};

function listOf(items: readonly PartnerPropertySummary[], page: number): PartnerPropertyList {
  const pageSize = 20;
  const total = (page - 1) * pageSize + items.length;
  return { items: [...items], pagination: { page, pageSize, total, hasMore: false } };
}

function stayOf({ checkIn, checkOut }: ExampleDates['stay']): Stay {
  const nights = parseLocalDate(checkOut)! - parseLocalDate(checkIn)!;
  return { checkIn, checkOut, nights, guests: GUESTS, timezone: TIMEZONE };
}

function availabilityOf(propertyId: string, stay: Stay, freeNightCount: number): PartnerAvailability {
  const days = Array.from({ length: stay.nights }, (_, index) => ({
    date: dateAfter(stay.checkIn, index),
    available: index < freeNightCount,
  }));
  return { propertyId, stay, available: freeNightCount === stay.nights, days };
}

export function listExamples({ stay }: ExampleDates): OperationExamples {
  const parameters = { city: EXAMPLE_CITY, ...stay, guests: GUESTS, locale: 'en-GB' };
  return {
    target: `/v1/properties?${queryText(parameters)}`,
    parameters,
    successes: {
      'dated-search': { summary: 'Properties that are free for the stay', value: listOf([EXAMPLE_INN], 1) },
      'with-nulls': { summary: 'A property without a rating', value: listOf([FLAT], 1) },
      'last-page': { summary: 'The third and last page', value: listOf([EXAMPLE_INN], 3) },
    },
    faulty: { query: `chekIn=${stay.checkIn}&checkOut=${stay.checkOut}&pageSize=51` },
  };
}

export function propertyExamples(): OperationExamples {
  const parameters = { propertyId: EXAMPLE_PROPERTY_ID, locale: 'en-GB' };
  return {
    target: `/v1/properties/${EXAMPLE_PROPERTY_ID}?locale=en-GB`,
    parameters,
    successes: {
      property: { summary: 'A property', value: EXAMPLE_INN },
      'with-nulls': { summary: 'A property without a rating', value: FLAT },
    },
    faulty: { query: 'locale=fr-FR' },
  };
}

export function availabilityExamples({ stay, partlyBooked }: ExampleDates): OperationExamples {
  const dates = { ...stay, guests: GUESTS };
  return {
    target: `/v1/properties/${EXAMPLE_PROPERTY_ID}/availability?${queryText(dates)}`,
    parameters: { propertyId: EXAMPLE_PROPERTY_ID, ...dates },
    successes: {
      free: {
        summary: 'The whole stay is free',
        value: availabilityOf(EXAMPLE_PROPERTY_ID, stayOf(stay), 3),
      },
      'partly-booked': {
        summary: 'Two nights are free, the stay is not',
        value: availabilityOf(FLAT.propertyId, stayOf(partlyBooked), 2),
      },
    },
    faulty: { query: `checkIn=${stay.checkIn}&checkOut=${dateAfter(stay.checkIn, 90)}&nights=90` },
  };
}

export function quoteExamples({ stay, answeredAtMs }: ExampleDates): OperationExamples {
  const body: CreatePartnerQuoteRequest = {
    propertyId: EXAMPLE_PROPERTY_ID,
    stay: { ...stay, guests: GUESTS },
    locale: 'en-GB',
  };
  const quote: PartnerQuote = {
    quoteId: QUOTE_ID,
    propertyId: EXAMPLE_PROPERTY_ID,
    stay: stayOf(stay),
    pricing: {
      mode: 'indicative',
      accommodation: '354.00',
      cleaningFee: '20.00',
      taxes: '36.00',
      total: '410.00',
      pricePreservedInHandoff: false,
    },
    currency: 'EUR',
    expiresAt: new Date(answeredAtMs + QUOTE_VALID_MS).toISOString(),
    handoffUrl: EXAMPLE_HANDOFF_URL,
  };
  const faultyStay = { ...body.stay, checkOut: stay.checkIn };
  return {
    target: '/v1/quotes',
    parameters: {},
    body,
    successes: { quote: { summary: 'An indicative quote', value: quote } },
    faulty: { query: '', body: { ...body, stay: faultyStay, coupon: 'WINTER' } },
  };
}

/** Answers of the sandbox, which test tokens see: to the call of `quoteExamples`, and for a stay in a gap. */
export function sandboxAnswers(dates: ExampleDates): {
  readonly quote: PartnerQuote;
  readonly partlyBooked: PartnerAvailability;
} {
  const quote = quoteExamples(dates).successes['quote']!.value as PartnerQuote;
  const pricing = { accommodation: '300.00', cleaningFee: '20.00', taxes: '21.00', total: '341.00' };
  // Its nights 10 to 12 from today are taken.
  const gap = { checkIn: dateAfter(dates.today, 8), checkOut: dateAfter(dates.today, 12) };
  return {
    quote: { ...quote, propertyId: 'test-always', pricing: { ...quote.pricing, ...pricing } },
    partlyBooked: availabilityOf('test-gap', stayOf(gap), 2),
  };
}

export function queryText(parameters: Readonly<Record<string, ExampleValue>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}
