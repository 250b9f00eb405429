/** Every problem that each operation can answer, provoked for real, and the headers of its status (SPEC 4, 5, 7). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_OPERATIONS } from '../../../src/contract/partner/extra-operations.ts';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import { ALL_SCOPE_NAMES, type Scope } from '../../../src/contract/partner/scopes.ts';
import { PROBLEMS } from '../../../src/contract/partner/problems.ts';
import { revokeCredential } from '../../../src/access/credential-changes.ts';
import { updatePartner } from '../../../src/access/partner-changes.ts';
import { HOTEL_PONTE, hotel, hotelWith } from '../../kit/catalogue-lines.ts';
import { type Asked, exchange, headerOf } from '../../kit/http-exchange.ts';
import { type Installation, NOW_MS, openInstallation, type Served, valueOf } from '../../kit/installation.ts';
import {
  NEVER_DAMAGED,
  ask as askService,
  FOREIGN_ORIGIN,
  ORIGIN,
  SPEC_PROBLEMS,
  specCodesOf,
  type Tokens,
} from '../../kit/spec-problems.ts';
import { type Answer, PartnerClient, quoteBody } from '../../kit/partner-client.ts';

let installation: Installation;
let service: Served;
let tokens: Tokens;
/** On the same database, with an ingress limit that is used up. */
let limited: Served;

before(async () => {
  installation = await openInstallation();
  await installation.importLines([
    HOTEL_PONTE,
    hotelWith('full-house', []),
    hotel('not-quoting', { quoting: false }),
  ]);
  tokens = await issueTokens();
  service = await installation.serve();
  limited = await installation.serve({ INGRESS_LIMIT: '1' });
  installation.time.nowMs = NOW_MS + 1000;
  await new PartnerClient(limited.partnerUrl, tokens.good).search({ city: 'Venezia' });
});
after(() => installation.close());

async function issueTokens(): Promise<Tokens> {
  const { access, issue } = installation;
  const good = await issue({ origins: [ORIGIN], scopes: ALL_SCOPE_NAMES });
  await issue({ partnerId: 'other', origins: [FOREIGN_ORIGIN] });
  const revoked = await issue();
  valueOf(await revokeCredential(access, revoked.credentialId));
  const disabled = await issue({ partnerId: 'disabled' });
  valueOf(await updatePartner(access, 'disabled', { disabled: true }));
  const expired = await issue({ expiresAtMs: NOW_MS + 1000 });
  const usedUp = await issue({ quota: 1 });
  const without = async (scope: Scope) =>
    (await issue({ scopes: ALL_SCOPE_NAMES.filter((other) => other !== scope) })).token;
  const lacking = {
    'properties:read': await without('properties:read'),
    'availability:read': await without('availability:read'),
    'quotes:write': await without('quotes:write'),
    'content:read': await without('content:read'),
    'prices:read': await without('prices:read'),
    'changes:read': await without('changes:read'),
  };
  return {
    good: good.token,
    revoked: revoked.token,
    disabled: disabled.token,
    expired: expired.token,
    usedUp: usedUp.token,
    lacking,
  };
}

const ask = (token: string | undefined, operationId: OperationId, asked: Partial<Asked> = {}) =>
  askService({ service }, token, operationId, asked);

for (const { operationId } of ALL_OPERATIONS) {
  describe(`problems of ${operationId}`, () => {
    for (const code of specCodesOf(operationId)) {
      if (code === 'INTERNAL_ERROR' && operationId === NEVER_DAMAGED) continue;
      for (const [name, provoke] of Object.entries(SPEC_PROBLEMS[code].provoked)) {
        it(`${PROBLEMS[code].status} ${code}: ${name}`, async () => {
          const answer = await provoke({ installation, service, tokens, limited }, operationId);
          assert.equal(answer.outcome, `${PROBLEMS[code].status} ${code}`);
          assertHeaders(answer);
        });
      }
    }
  });
}

it('each problem of an operation is provoked here, but the one of a database that is away', () => {
  const { PARTNER_API_UNAVAILABLE, ...others } = SPEC_PROBLEMS;
  const missing = Object.entries(others).filter(
    ([, { of, provoked }]) => of.length > 0 && Object.keys(provoked).length === 0,
  );
  assert.deepEqual(
    missing.map(([code]) => code),
    [],
  );
  assert.deepEqual(PARTNER_API_UNAVAILABLE.provoked, {}, 'in `database-away.test.ts`');
});

/** Which headers come with which status (SPEC 4). */
function assertHeaders(answer: Answer<unknown>): void {
  const { status } = answer;
  const isLimited = [400, 403, 404, 409, 410, 429, 500].includes(status);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    assert.equal(answer.header(name) !== undefined, isLimited, `${name} on ${status}`);
  }
  assert.equal(answer.header('content-type'), 'application/problem+json');
  assert.equal(answer.header('cache-control'), 'no-store');
  assert.equal(answer.header('location'), undefined);
  assert.equal(answer.header('retry-after') !== undefined, status === 429);
  assert.equal(answer.header('x-correlation-id'), answer.problem.correlationId);
}

describe('the challenge of a 401 or 403', () => {
  /** Whatever the realm is called. */
  const challengeOf = (answer: Answer<unknown>) =>
    answer.header('www-authenticate')?.replace(/^Bearer realm="[^"]+"/, 'Bearer realm');

  it('names no error when there is no credential', async () => {
    assert.equal(challengeOf(await ask(undefined, 'getPartnerProperty')), 'Bearer realm');
  });

  it('says invalid_token when the credential is not good, or no longer', async () => {
    for (const token of [tokens.expired, tokens.revoked]) {
      const challenge = challengeOf(await ask(token, 'getPartnerProperty'));
      assert.equal(challenge, 'Bearer realm, error="invalid_token"');
    }
  });

  it('names the scope that is lacking', async () => {
    assert.equal(
      challengeOf(await ask(tokens.lacking['quotes:write'], 'createPartnerQuote')),
      'Bearer realm, error="insufficient_scope", scope="quotes:write"',
    );
  });
});

describe('a credential', () => {
  it('is read whatever the case of its scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${tokens.good}` };
      assert.equal((await ask(undefined, 'getPartnerProperty', { headers })).status, 200);
    }
  });

  it('is good for each operation of its scopes and for no other', async () => {
    for (const operation of ALL_OPERATIONS) {
      for (const [scope, token] of Object.entries(tokens.lacking)) {
        const { outcome } = await ask(token, operation.operationId);
        const expected = operation.scopes.some((needed) => needed === scope)
          ? '403 PARTNER_SCOPE_INSUFFICIENT'
          : `${operation.successStatus}`;
        assert.equal(outcome, expected, `${operation.operationId} without ${scope}`);
      }
    }
  });

  it('is good up to the instant before it expires', async () => {
    installation.time.nowMs = NOW_MS + 999;
    assert.equal((await ask(tokens.expired, 'getPartnerProperty')).status, 200);
    installation.time.nowMs = NOW_MS + 1000;
    assert.equal((await ask(tokens.expired, 'getPartnerProperty')).status, 401);
  });
});

describe('a browser origin that the partner lists', () => {
  it('is served, and may read the headers that the contract exposes', async () => {
    const answer = await ask(tokens.good, 'createPartnerQuote', { headers: { origin: ORIGIN } });
    assert.equal(answer.status, 201);
    assert.equal(answer.header('access-control-allow-origin'), ORIGIN);
    const exposed = answer.header('access-control-expose-headers')?.split(', ').toSorted();
    assert.deepEqual(exposed, [
      'Location',
      'Retry-After',
      'X-Correlation-ID',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ]);
  });

  it('is told before, on a preflight, what it may send; one that nobody lists is not', async () => {
    const preflight = (origin: string) =>
      exchange(service.partnerUrl, {
        method: 'OPTIONS',
        path: '/v1/quotes',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const answered = await preflight(ORIGIN);
    assert.equal(answered.status, 204);
    assert.equal(headerOf(answered, 'access-control-allow-origin'), ORIGIN);
    assert.equal(headerOf(answered, 'access-control-allow-methods'), 'POST');
    assert.match(headerOf(answered, 'access-control-allow-headers') ?? '', /Authorization, Content-Type/i);
    assert.ok(headerOf(answered, 'x-correlation-id'));
    const refused = await preflight('https://evil.example');
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(Buffer.from(refused.body).toString()).code, 'ORIGIN_NOT_ALLOWED');
  });

  it('needs the credential all the same', async () => {
    const answer = await ask(undefined, 'getPartnerProperty', { headers: { origin: ORIGIN } });
    assert.equal(answer.outcome, '401 PARTNER_AUTH_REQUIRED');
  });
});

describe('a request for no operation', () => {
  const requests: readonly (readonly [method: string, path: string, status: number, allow?: string])[] = [
    ['GET', '/v1', 404],
    ['GET', '/v1/property', 404],
    ['GET', '/v2/properties?city=Venezia', 404],
    ['GET', '/v1/properties/', 404],
    ['GET', '/v1/properties/hotel-ponte/', 404],
    ['GET', '/v1/properties/hotel-ponte/rooms', 404],
    ['GET', '/V1/properties?city=Venezia', 404],
    ['POST', '/v1/properties', 405, 'GET, HEAD'],
    ['PUT', '/v1/properties/hotel-ponte', 405, 'GET, HEAD'],
    ['DELETE', '/v1/properties/hotel-ponte/availability', 405, 'GET, HEAD'],
    ['GET', '/v1/quotes', 405, 'POST'],
    ['PATCH', '/v1/quotes', 405, 'POST'],
    ['GET', '/prices/v1/stays/', 404],
    ['GET', '/prices/v2/stays', 404],
    ['GET', '/Content/v1/properties', 404],
    ['DELETE', '/prices/v1/stays', 405, 'GET, HEAD, POST'],
    ['POST', '/prices/v1/properties/hotel-ponte/calendar', 405, 'GET, HEAD'],
    ['POST', '/content/v1/properties', 405, 'GET, HEAD'],
    ['PUT', '/content/v1/properties/hotel-ponte', 405, 'GET, HEAD'],
    ['POST', '/feeds/v1/changes', 405, 'GET, HEAD'],
  ];
  for (const [method, path, status, allow] of requests) {
    it(`${method} ${path}: ${status} PARTNER_OPERATION_NOT_FOUND, with and without a credential`, async () => {
      for (const token of [tokens.good, undefined]) {
        const client = new PartnerClient(service.partnerUrl, token);
        const answer = await client.ask(null, { method, path });
        assert.equal(answer.outcome, `${status} PARTNER_OPERATION_NOT_FOUND`);
        assert.equal(answer.header('allow'), allow);
      }
    });
  }
});

/** Two faults at once: the one that is checked first is answered. */
describe('the order of the checks', () => {
  it('ingress limit before the operation', async () => {
    const client = new PartnerClient(limited.partnerUrl, undefined);
    assert.equal((await client.ask(null, { path: '/nowhere' })).outcome, '429 RATE_LIMIT_EXCEEDED');
  });

  it('operation before the credential', async () => {
    const client = new PartnerClient(service.partnerUrl, 'sp_live_nobody');
    const answer = await client.ask(null, { path: '/v1/nowhere' });
    assert.equal(answer.outcome, '404 PARTNER_OPERATION_NOT_FOUND');
  });

  it('credential before the origin', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await ask(tokens.revoked, 'getPartnerProperty', { headers });
    assert.equal(answer.outcome, '401 PARTNER_ACCESS_REVOKED');
  });

  it('quota before the origin', async () => {
    const headers = { origin: 'https://evil.example' };
    await ask(tokens.usedUp, 'getPartnerProperty');
    const answer = await ask(tokens.usedUp, 'getPartnerProperty', { headers });
    assert.equal(answer.outcome, '429 RATE_LIMIT_EXCEEDED');
  });

  it('origin before the scope', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await ask(tokens.lacking['quotes:write'], 'createPartnerQuote', { headers });
    assert.equal(answer.outcome, '403 ORIGIN_NOT_ALLOWED');
  });

  it('scope before the request itself', async () => {
    const token = tokens.lacking['quotes:write'];
    for (const body of ['{', '{}', ' '.repeat(16_385)]) {
      const answer = await ask(token, 'createPartnerQuote', { body });
      assert.equal(answer.outcome, '403 PARTNER_SCOPE_INSUFFICIENT');
    }
  });

  it('media type before the JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await ask(tokens.good, 'createPartnerQuote', { body: '{', headers });
    assert.deepEqual(answer.issues, ['header.content-type NOT_ALLOWED']);
  });

  it('the request before the property', async () => {
    const asked = { path: '/v1/properties/nowhere/availability?checkIn=2026-12-01' };
    const answer = await ask(tokens.good, 'getPartnerPropertyAvailability', asked);
    assert.equal(answer.outcome, '400 VALIDATION_ERROR');
  });

  it('the property before the stay', async () => {
    const body = JSON.stringify(quoteBody('nowhere', '2020-01-01', '2020-01-02'));
    const answer = await ask(tokens.good, 'createPartnerQuote', { body });
    assert.equal(answer.outcome, '404 PROPERTY_NOT_FOUND');
  });

  it('the stay before the quote', async () => {
    const body = JSON.stringify(quoteBody('not-quoting', '2027-01-10', '2027-01-12'));
    const answer = await ask(tokens.good, 'createPartnerQuote', { body });
    assert.equal(answer.outcome, '409 STAY_UNAVAILABLE');
  });
});
