/** Each problem code, produced by the real service with a test token, as the error that a caller catches. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PROBLEM_CODES, type ProblemCode } from '../../src/contract/partner/problems.ts';
import { formatLocalDate, localToday } from '../../src/domain/local-date.ts';
import { NOW_MS } from '../../test/kit/now.ts';
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  type Problem,
  QuoteConflictError,
  RateLimitError,
  RequestError,
  ServerError,
  Stayport,
  type StayportError,
} from '../src/index.ts';
import { failureOf } from './failure-of.ts';
import { openService, type ServiceInstallation } from './service.ts';

const TODAY = localToday('Europe/Rome', NOW_MS);
const STAY = { checkIn: formatLocalDate(TODAY + 30), checkOut: formatLocalDate(TODAY + 33), guests: 2 };
const OPEN_ID = 'test-always';

interface Alteration {
  /** In place of the test token. */
  readonly token?: string;
  /** Added to the headers of the request; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** In place of the body that the client would send. */
  readonly body?: string;
  /** In place of the partner listener. */
  readonly url?: string;
  /** After the host of the base URL. */
  readonly prefix?: string;
}

interface Expected {
  readonly family: new (...args: never[]) => StayportError;
  readonly status: number;
  readonly alter?: Alteration;
  readonly call: (client: Stayport) => Promise<unknown>;
  /** `field code`, where the request is wrong field by field. */
  readonly issues?: readonly string[];
  /** Whether the service says how long to wait. */
  readonly hasWait?: true;
}

const search = (client: Stayport) => client.properties.search({ city: 'Testville' });
const forced = (answer: string): Alteration => ({ headers: { 'Stayport-Test': answer } });
const quote = (propertyId: string) => (client: Stayport) =>
  client.quotes.create({ propertyId, stay: STAY, locale: 'en-GB' });

let installation: ServiceInstallation;
let service: Awaited<ReturnType<ServiceInstallation['serve']>>;
let testToken: string;
let narrowToken: string;
let operatorToken: string;
before(async () => {
  installation = await openService();
  testToken = (await installation.issue({ isTest: true })).token;
  narrowToken = (await installation.issue({ isTest: true, scopes: ['properties:read'] })).token;
  operatorToken = await installation.issueOperatorToken();
  service = await installation.serve();
});
after(() => installation.close());

/** A client that fails here, and not before it sends: the mistakes that its own checks find never reach the service. */
const EXPECTED: Readonly<Record<ProblemCode, () => Expected>> = {
  VALIDATION_ERROR: () => ({
    family: RequestError,
    status: 400,
    call: (client) => client.properties.search({ city: 'Testville', page: 0, pageSize: 51 }),
    issues: ['page OUT_OF_RANGE', 'pageSize OUT_OF_RANGE'],
  }),
  INVALID_JSON: () => ({ family: RequestError, status: 400, alter: { body: '{' }, call: quote(OPEN_ID) }),
  PARTNER_AUTH_REQUIRED: () => ({
    family: AuthenticationError,
    status: 401,
    alter: { headers: { Authorization: undefined } },
    call: search,
  }),
  INVALID_PARTNER_CREDENTIAL: () => ({
    family: AuthenticationError,
    status: 401,
    alter: { token: 'sp_test_wrong' },
    call: search,
  }),
  PARTNER_ACCESS_REVOKED: () => ({
    family: AuthenticationError,
    status: 401,
    alter: forced('revoked'),
    call: search,
  }),
  PARTNER_SCOPE_INSUFFICIENT: () => ({
    family: PermissionError,
    status: 403,
    alter: { token: narrowToken },
    call: (client) => client.properties.availability(OPEN_ID, STAY),
  }),
  ORIGIN_NOT_ALLOWED: () => ({
    family: PermissionError,
    status: 403,
    alter: { headers: { Origin: 'https://not-listed.example' } },
    call: search,
  }),
  PROPERTY_NOT_FOUND: () => ({
    family: NotFoundError,
    status: 404,
    call: (client) => client.properties.get('test-hidden'),
  }),
  PARTNER_OPERATION_NOT_FOUND: () => ({
    family: NotFoundError,
    status: 404,
    alter: { prefix: '/api' },
    call: search,
  }),
  STAY_UNAVAILABLE: () => ({ family: QuoteConflictError, status: 409, call: quote('test-sold-out') }),
  QUOTE_UNAVAILABLE: () => ({
    family: QuoteConflictError,
    status: 409,
    call: quote('test-quote-unavailable'),
  }),
  PAYLOAD_TOO_LARGE: () => ({ family: RequestError, status: 413, call: quote('x'.repeat(20_000)) }),
  RATE_LIMIT_EXCEEDED: () => ({
    family: RateLimitError,
    status: 429,
    alter: forced('rate-limited'),
    call: search,
    hasWait: true,
  }),
  INTERNAL_ERROR: () => ({
    family: ServerError,
    status: 500,
    alter: forced('internal-error'),
    call: search,
  }),
  PARTNER_API_UNAVAILABLE: () => ({
    family: ServerError,
    status: 503,
    alter: forced('unavailable'),
    call: search,
    hasWait: true,
  }),
  // Only the operator's own listener answers with it; the client reads it like the others.
  HANDOFF_INVALID: () => ({
    family: RequestError,
    status: 400,
    alter: {
      token: operatorToken,
      url: `${service.operatorUrl}/handoff/resolve`,
      body: '{"handoff":"x"}',
    },
    call: quote(OPEN_ID),
  }),
};

describe('Each problem code', () => {
  for (const code of PROBLEM_CODES) {
    it(`${code} arrives as its class, with what was answered`, async () => {
      const { family, status, alter = {}, call, issues = [], hasWait } = EXPECTED[code]();
      const wire: Wire = { headers: undefined, body: undefined };
      const client = new Stayport({
        baseUrl: `${service.partnerUrl}${alter.prefix ?? ''}`,
        token: alter.token ?? testToken,
        maxRetries: 0,
        fetch: alteredFetch(alter, wire),
      });
      const error = await failureOf(call(client));
      assert.ok(error instanceof family, error.name);
      assert.deepEqual([error.code, familyOf(error)], [code, family.name]);
      assert.ok('problem' in error);
      assert.deepEqual(error.problem, wire.body);
      assert.deepEqual([error.status, error.problem.code, error.problem.status], [status, code, status]);
      assert.equal(error.correlationId, wire.headers?.get('x-correlation-id'));
      assert.ok(error.correlationId.length >= 8);
      assert.deepEqual(
        error.issues.map((issue) => `${issue.field} ${issue.code}`),
        issues,
      );
      const waitSeconds = wire.headers?.get('retry-after');
      assert.equal(error.retryAfterMs, waitSeconds == null ? undefined : Number(waitSeconds) * 1_000);
      assert.equal(error.retryAfterMs !== undefined && error.retryAfterMs >= 1_000, hasWait === true);
    });
  }
});

interface Wire {
  headers: Headers | undefined;
  body: Problem | undefined;
}

/** The real `fetch`, with a request that is altered, and what came over the wire beside what the client made of it. */
function alteredFetch({ headers = {}, body, url }: Alteration, wire: Wire): typeof fetch {
  return async (input, init) => {
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) sent.delete(name);
      else sent.set(name, value);
    }
    const response = await fetch(url ?? input, { ...init, headers: sent, body: body ?? init?.body ?? null });
    wire.headers = response.headers;
    wire.body = (await response.clone().json()) as Problem;
    return response;
  };
}

/** Compiles only while every code has a case, and while each case narrows to the class that has it. */
function familyOf(error: StayportError): string {
  switch (error.code) {
    case 'VALIDATION_ERROR':
    case 'INVALID_JSON':
    case 'PAYLOAD_TOO_LARGE':
    case 'HANDOFF_INVALID':
      return (error satisfies RequestError).name;
    case 'PARTNER_AUTH_REQUIRED':
    case 'INVALID_PARTNER_CREDENTIAL':
    case 'PARTNER_ACCESS_REVOKED':
      return (error satisfies AuthenticationError).name;
    case 'PARTNER_SCOPE_INSUFFICIENT':
    case 'ORIGIN_NOT_ALLOWED':
      return (error satisfies PermissionError).name;
    case 'PROPERTY_NOT_FOUND':
    case 'PARTNER_OPERATION_NOT_FOUND':
      return (error satisfies NotFoundError).name;
    case 'STAY_UNAVAILABLE':
    case 'QUOTE_UNAVAILABLE':
      return (error satisfies QuoteConflictError).name;
    case 'RATE_LIMIT_EXCEEDED':
      return (error satisfies RateLimitError).name;
    case 'INTERNAL_ERROR':
    case 'PARTNER_API_UNAVAILABLE':
      return (error satisfies ServerError).name;
    case 'CONNECTION_FAILED':
    case 'TIMEOUT':
    case 'ABORTED':
    case 'INVALID_RESPONSE':
    case 'INVALID_ARGUMENT':
    case 'BROWSER_NOT_SUPPORTED':
      return 'no problem';
    default:
      return error satisfies never;
  }
}
