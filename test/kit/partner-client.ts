/**
 * A partner's side of the four operations. Every answer, good or bad, is held against the OpenAPI document before
 * the test sees it.
 */
import assert from 'node:assert/strict';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { Problem, ValidationProblem } from '../../src/contract/partner/problem-schemas.ts';
import type {
  PartnerPropertyList,
  PartnerPropertySummary,
} from '../../src/contract/partner/property-schemas.ts';
import type { CreatePartnerQuoteRequest, PartnerQuote } from '../../src/contract/partner/quote-schemas.ts';
import type { PartnerAvailability } from '../../src/contract/partner/stay-schemas.ts';
import { checkAnswer } from './response-check.ts';
import { type Asked, exchange, headerOf, type Received } from './http-exchange.ts';

/** A problem of any kind; `errors` is there when it is a validation problem. */
type AnyProblem = Problem & Partial<Pick<ValidationProblem, 'errors'>>;

/** Raw text, or names and values to be encoded; undefined values are left out. */
export type Query = string | Readonly<Record<string, string | number | undefined>>;

/** A good request for each operation, for tests to which only the operation matters. */
export const GOOD_REQUESTS: Readonly<Record<OperationId, Asked>> = {
  listPartnerProperties: { path: '/v1/properties?city=Venezia' },
  getPartnerProperty: { path: '/v1/properties/hotel-ponte' },
  getPartnerPropertyAvailability: {
    path: '/v1/properties/hotel-ponte/availability?checkIn=2026-12-01&checkOut=2026-12-04',
  },
  createPartnerQuote: {
    method: 'POST',
    path: '/v1/quotes',
    body: JSON.stringify(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04')),
  },
  searchStayPrices: { path: '/prices/v1/stays?city=Venezia&checkIn=2026-12-01&checkOut=2026-12-04' },
  searchFlexibleStays: { path: '/prices/v1/flexible-stays?city=Venezia&checkInFrom=2026-12-01&nights=3' },
  listPriceDays: { path: '/prices/v1/days?city=Venezia&from=2026-12-01' },
  priceStays: {
    method: 'POST',
    path: '/prices/v1/stays',
    body: JSON.stringify({
      propertyIds: ['hotel-ponte'],
      stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 },
    }),
  },
  getPriceCalendar: { path: '/prices/v1/properties/hotel-ponte/calendar?from=2026-12-01' },
  getStayOffer: {
    path: '/prices/v1/properties/hotel-ponte/offer?checkIn=2026-12-01&checkOut=2026-12-04',
  },
  createStayQuote: {
    method: 'POST',
    path: '/prices/v1/quotes',
    body: JSON.stringify({
      ...quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'),
      stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2, childAges: [4] },
    }),
  },
  suggestCities: { path: '/places/v1/cities?text=Vene' },
  listPropertyContent: { path: '/content/v1/properties?city=Venezia' },
  getPropertyContent: { path: '/content/v1/properties/hotel-ponte' },
  listChanges: { path: '/feeds/v1/changes' },
};
export const OPERATION_IDS = Object.keys(GOOD_REQUESTS) as readonly OperationId[];

export function quoteBody(
  propertyId: string,
  checkIn: string,
  checkOut: string,
  guests = 2,
): CreatePartnerQuoteRequest {
  return { propertyId, stay: { checkIn, checkOut, guests }, locale: 'it-IT' };
}

/** For the whole process: each answer has its own. */
const correlationIds = new Set<string>();

export class Answer<Success> {
  readonly received: Received;

  constructor(received: Received) {
    this.received = received;
  }

  get status(): number {
    return this.received.status;
  }

  /** The body of a success; anything else fails the test and shows the problem. */
  get success(): Success {
    const body: unknown = JSON.parse(this.text);
    assert.ok(this.status < 400, `${this.status} ${this.text}`);
    return body as Success;
  }

  /** The body of a problem; a success fails the test. */
  get problem(): AnyProblem {
    assert.ok(this.status >= 400, `${this.status} ${this.text}`);
    return JSON.parse(this.text) as AnyProblem;
  }

  /** Status and code of a problem: `409 STAY_UNAVAILABLE`; the status alone of a success. */
  get outcome(): string {
    return this.status < 400 ? String(this.status) : `${this.status} ${this.problem.code}`;
  }

  /** `field CODE` of every issue, in the order of the answer. */
  get issues(): readonly string[] {
    assert.equal(this.outcome, '400 VALIDATION_ERROR', this.text);
    return (this.problem.errors ?? []).map(({ field, code }) => `${field} ${code}`);
  }

  get text(): string {
    return Buffer.from(this.received.body).toString('utf8');
  }

  header(name: string): string | undefined {
    return headerOf(this.received, name);
  }
}

export class PartnerClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** Without a token no credential is sent; `headers` go with every request. */
  constructor(url: string, token: string | undefined, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers };
  }

  /** The same partner with other headers. */
  with(headers: Readonly<Record<string, string>>): PartnerClient {
    return new PartnerClient(this.#url, undefined, { ...this.#headers, ...headers });
  }

  search(query: Query): Promise<Answer<PartnerPropertyList>> {
    return this.ask('listPartnerProperties', { path: `/v1/properties${queryText(query)}` });
  }

  property(propertyId: string, query: Query = {}): Promise<Answer<PartnerPropertySummary>> {
    return this.ask('getPartnerProperty', { path: `/v1/properties/${propertyId}${queryText(query)}` });
  }

  availability(propertyId: string, query: Query): Promise<Answer<PartnerAvailability>> {
    const path = `/v1/properties/${propertyId}/availability${queryText(query)}`;
    return this.ask('getPartnerPropertyAvailability', { path });
  }

  /** `body` is sent as it is when it is text or bytes, else as JSON. */
  quote(body: unknown, asked: Partial<Asked> = {}): Promise<Answer<PartnerQuote>> {
    const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    return this.ask('createPartnerQuote', { method: 'POST', path: '/v1/quotes', body: bytes, ...asked });
  }

  /** `operationId` is null for a request that is for none of the four. */
  async ask<Success>(operationId: OperationId | null, asked: Asked): Promise<Answer<Success>> {
    const isUntyped = asked.body === undefined || asked.isTyped === false;
    const mediaType = isUntyped ? {} : { 'content-type': 'application/json' };
    const headers = { ...mediaType, ...this.#headers, ...asked.headers };
    const received = await exchange(this.#url, { ...asked, headers });
    const answer = new Answer<Success>(received);
    assert.deepEqual(checkAnswer({ operationId, ...received }), [], `${asked.path}: ${answer.text}`);
    const correlationId = answer.header('x-correlation-id') ?? '';
    assert.ok(!correlationIds.has(correlationId), `${correlationId} was used before`);
    correlationIds.add(correlationId);
    return answer;
  }
}

function queryText(query: Query): string {
  if (typeof query === 'string') return `?${query}`;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
