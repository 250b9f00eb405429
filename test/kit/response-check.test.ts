import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMMITTED_SETTINGS } from '../../src/contract/openapi/openapi.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { ProblemCode } from '../../src/contract/partner/problems.ts';
import { makeProblem, type ProblemParts } from '../../src/contract/problem-body.ts';
import { checkAnswer } from './response-check.ts';

const LIMITS = {
  'x-ratelimit-limit': '120',
  'x-ratelimit-remaining': '119',
  'x-ratelimit-reset': '1796126400',
};
const BASE = { 'x-correlation-id': 'c-1', 'cache-control': 'no-store' };
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const QUOTE = {
  quoteId: 'q1',
  propertyId: 'hotel-ponte',
  stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', nights: 3, guests: 2, timezone: 'Europe/Rome' },
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
  handoffUrl: 'https://stay.example/handoff?handoff=x',
};
const CREATED = { ...BASE, ...LIMITS, 'content-type': 'application/json', location: QUOTE.handoffUrl };

function checkCreated(body: object, headers: Record<string, string | undefined> = {}): string[] {
  return checkAnswer({
    operationId: 'createPartnerQuote',
    status: 201,
    headers: { ...CREATED, ...headers },
    body: encode(body),
  });
}

/** A problem answer with the headers that its status needs, and others over them. */
function checkProblem(
  operationId: OperationId | null,
  code: ProblemCode,
  { headers = {}, ...parts }: Partial<ProblemParts> & { headers?: Record<string, string | undefined> } = {},
): string[] {
  const { problemsBaseUrl } = COMMITTED_SETTINGS;
  const problem = makeProblem(code, { problemsBaseUrl, correlationId: 'c-1', ...parts });
  return checkAnswer({
    operationId,
    status: problem.status,
    headers: { ...BASE, 'content-type': 'application/problem+json', ...headers },
    body: encode(problem),
  });
}

describe('checkAnswer', () => {
  it('has nothing to say about a quote as the contract wants it', () =>
    assert.deepEqual(checkCreated(QUOTE), []));

  it('has nothing to say about problems as the contract wants them', () => {
    assert.deepEqual(checkProblem('createPartnerQuote', 'STAY_UNAVAILABLE', { headers: LIMITS }), []);
    assert.deepEqual(checkProblem('listPartnerProperties', 'PARTNER_API_UNAVAILABLE'), []);
    assert.deepEqual(
      checkProblem('getPartnerProperty', 'PARTNER_AUTH_REQUIRED', {
        headers: { 'www-authenticate': 'Bearer realm="x"' },
      }),
      [],
    );
    assert.deepEqual(
      checkProblem('getPartnerProperty', 'RATE_LIMIT_EXCEEDED', {
        headers: { ...LIMITS, 'retry-after': '1' },
      }),
      [],
    );
    const errors = [{ field: 'city', code: 'REQUIRED', detail: 'Is required.' }] as const;
    assert.deepEqual(
      checkProblem('listPartnerProperties', 'VALIDATION_ERROR', { errors, headers: LIMITS }),
      [],
    );
    assert.deepEqual(checkProblem('createPartnerQuote', 'VALIDATION_ERROR', { errors }), []);
    assert.deepEqual(checkProblem(null, 'PARTNER_OPERATION_NOT_FOUND'), []);
    assert.deepEqual(
      checkProblem(null, 'PARTNER_OPERATION_NOT_FOUND', { status: 405, headers: { allow: 'GET' } }),
      [],
    );
  });

  it('takes the headers of fetch as well', () => {
    const headers = new Headers(CREATED);
    assert.deepEqual(
      checkAnswer({ operationId: 'createPartnerQuote', status: 201, headers, body: encode(QUOTE) }),
      [],
    );
  });

  const faultyHeaders: [name: string, headers: Record<string, string | undefined>][] = [
    ['a media type with a parameter', { 'content-type': 'application/json; charset=utf-8' }],
    ['no media type', { 'content-type': undefined }],
    ['no correlation id', { 'x-correlation-id': undefined }],
    ['no limit', { 'x-ratelimit-limit': undefined }],
    ['a limit that is not an integer', { 'x-ratelimit-remaining': '-1' }],
    ['another cache policy', { 'cache-control': 'private, max-age=60' }],

    ['another Location', { location: 'https://stay.example/other' }],
    ['a Retry-After', { 'retry-after': '1' }],
    ['a challenge', { 'www-authenticate': 'Bearer' }],
    ['a wrong length', { 'content-length': '1' }],
  ];
  for (const [name, headers] of faultyHeaders) {
    it(`sees ${name} on a quote`, () => assert.equal(checkCreated(QUOTE, headers).length, 1));
  }

  it('sees that Location is missing, and that it is not the handoff URL', () => {
    assert.equal(checkCreated(QUOTE, { location: undefined }).length, 2);
  });

  const faultyBodies: [name: string, body: object][] = [
    ['an extra field', { ...QUOTE, price: '1.00' }],
    ['an extra field inside', { ...QUOTE, stay: { ...QUOTE.stay, address: 'Via Roma 1' } }],
    ['a missing field', { ...QUOTE, currency: undefined }],
    ['a price as a number', { ...QUOTE, pricing: { ...QUOTE.pricing, total: 424 } }],
    ['a sum that is wrong', { ...QUOTE, pricing: { ...QUOTE.pricing, total: '424.01' } }],
    ['nights that are wrong', { ...QUOTE, stay: { ...QUOTE.stay, nights: 4 } }],
    ['a date that is none', { ...QUOTE, stay: { ...QUOTE.stay, checkIn: '2026-02-30' } }],
    ['an instant that is not in UTC', { ...QUOTE, expiresAt: '2026-11-20T10:30:00+01:00' }],
    ['a handoff that is not https', { ...QUOTE, handoffUrl: 'http://stay.example/handoff?handoff=x' }],
    ['null', { ...QUOTE, quoteId: null }],
  ];
  for (const [name, body] of faultyBodies) {
    it(`sees ${name} in a quote`, () => assert.notDeepEqual(checkCreated(body), []));
  }

  it('sees limits where SPEC 4 has none', () => {
    assert.equal(
      checkProblem('getPartnerProperty', 'PARTNER_API_UNAVAILABLE', { headers: LIMITS }).length,
      3,
    );
  });

  it('sees a status or code that the operation does not have', () => {
    assert.notDeepEqual(checkProblem('listPartnerProperties', 'PROPERTY_NOT_FOUND', { headers: LIMITS }), []);
    assert.notDeepEqual(checkProblem('createPartnerQuote', 'HANDOFF_INVALID', { headers: LIMITS }), []);
    assert.notDeepEqual(checkProblem(null, 'PROPERTY_NOT_FOUND'), []);
  });

  it('sees a correlation id, type or status that is not that of the answer', () => {
    assert.equal(
      checkProblem('getPartnerProperty', 'PROPERTY_NOT_FOUND', {
        headers: { ...LIMITS, 'x-correlation-id': 'c-2' },
      }).length,
      1,
    );
    assert.equal(
      checkProblem('getPartnerProperty', 'PROPERTY_NOT_FOUND', {
        headers: LIMITS,
        problemsBaseUrl: 'https://x.example',
      }).length,
      1,
    );
    assert.notDeepEqual(checkProblem(null, 'PARTNER_OPERATION_NOT_FOUND', { status: 405 }), []);
  });

  it('sees a body that is not JSON, or not UTF-8', () => {
    for (const body of [
      new Uint8Array(),
      Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
      Uint8Array.of(0x22, 0xff, 0x22),
    ]) {
      const answer = { operationId: 'createPartnerQuote' as const, status: 201, headers: CREATED, body };
      assert.equal(checkAnswer(answer).length, 1);
    }
  });
});
