import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { WindowCounter } from '../../limits/request-limits.ts';
import { buildAccessDirectory } from '../../access/access-directory.ts';
import { summaryOf } from '../../../test/kit/answer-checks.ts';
import {
  accessRows,
  NOW_MS,
  OTHER_ORIGIN,
  type Overrides,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';

/**
 * Each step fixes the mistake of the answer before, in a request with every mistake at once; so each answer shows the
 * next check.
 */
interface Step {
  readonly repair: string;
  readonly says: string;
  readonly status: number;
}

interface BadRequest {
  isIngressUsedUp: boolean;
  path: string;
  isReady: boolean;
  token: string | undefined;
  isQuotaUsedUp: boolean;
  origin: string | undefined;
  mediaType: string;
  body: string;
}

const REPAIRS: Readonly<Record<string, (request: BadRequest) => void>> = {
  nothing: () => {},
  ingress: (request) => (request.isIngressUsedUp = false),
  operation: (request) => (request.path = '/v1/quotes'),
  readiness: (request) => (request.isReady = true),
  'no credential': (request) => (request.token = TOKENS.unknown),
  'unknown credential': (request) => (request.token = TOKENS.revoked),
  'revoked credential': (request) => (request.token = TOKENS.propertiesOnly),
  quota: (request) => (request.isQuotaUsedUp = false),
  origin: (request) => (request.origin = undefined),
  scope: (request) => (request.token = TOKENS.full),
  'media type': (request) => (request.mediaType = 'application/json'),
  size: (request) => (request.body = '{'),
  json: (request) => (request.body = '{}'),
  fields: (request) => (request.body = quoteFor('nowhere')),
  property: (request) => (request.body = quoteFor('full-house')),
  stay: (request) => (request.body = quoteFor('not-quoting')),
  price: (request) => (request.body = quoteFor('hotel-ponte')),
};

const STEPS: readonly Step[] = [
  { repair: 'nothing', status: 429, says: 'RATE_LIMIT_EXCEEDED' },
  { repair: 'ingress', status: 404, says: 'PARTNER_OPERATION_NOT_FOUND' },
  { repair: 'operation', status: 503, says: 'PARTNER_API_UNAVAILABLE' },
  { repair: 'readiness', status: 401, says: 'PARTNER_AUTH_REQUIRED' },
  { repair: 'no credential', status: 401, says: 'INVALID_PARTNER_CREDENTIAL' },
  { repair: 'unknown credential', status: 401, says: 'PARTNER_ACCESS_REVOKED' },
  { repair: 'revoked credential', status: 429, says: 'RATE_LIMIT_EXCEEDED' },
  { repair: 'quota', status: 403, says: 'ORIGIN_NOT_ALLOWED' },
  { repair: 'origin', status: 403, says: 'PARTNER_SCOPE_INSUFFICIENT' },
  { repair: 'scope', status: 400, says: 'VALIDATION_ERROR header.content-type=NOT_ALLOWED' },
  { repair: 'media type', status: 413, says: 'PAYLOAD_TOO_LARGE' },
  { repair: 'size', status: 400, says: 'INVALID_JSON' },
  { repair: 'json', status: 400, says: 'VALIDATION_ERROR propertyId=REQUIRED stay=REQUIRED locale=REQUIRED' },
  { repair: 'fields', status: 404, says: 'PROPERTY_NOT_FOUND' },
  { repair: 'property', status: 409, says: 'STAY_UNAVAILABLE' },
  { repair: 'stay', status: 409, says: 'QUOTE_UNAVAILABLE' },
  { repair: 'price', status: 201, says: '' },
];

function quoteFor(propertyId: string): string {
  const stay = { checkIn: '2026-12-01', checkOut: '2026-12-02', guests: 2 };
  return JSON.stringify({ propertyId, stay, locale: 'it-IT' });
}

/** Every hit exceeds the limit. */
function usedUp(): WindowCounter {
  return {
    hit: () => ({ count: Number.MAX_SAFE_INTEGER, resetAtMs: Date.now() + 30_000, resetInMs: 30_000 }),
  };
}

function overridesFor(request: BadRequest): Overrides {
  const directory = buildAccessDirectory(accessRows());
  return {
    access: () => directory,
    readiness: () => (request.isReady ? 'ready' : { reason: 'loading' }),
    ...(request.isIngressUsedUp ? { ingress: usedUp() } : {}),
    ...(request.isQuotaUsedUp ? { quota: usedUp() } : {}),
    settings: { ingressLimit: 300 },
  };
}

async function ask(request: BadRequest): Promise<{ status: number; says: string }> {
  const server = await startPartnerServer(overridesFor(request));
  try {
    const headers: Record<string, string> = { 'content-type': request.mediaType };
    if (request.token !== undefined) headers['authorization'] = `Bearer ${request.token}`;
    if (request.origin !== undefined) headers['origin'] = request.origin;
    const response = await fetch(server.url + request.path, { method: 'POST', headers, body: request.body });
    const body = await response.text();
    return {
      status: response.status,
      says: summaryOf({ body, status: 0, statusLine: '', headers: new Map() }),
    };
  } finally {
    await server.close();
  }
}

describe('the order of checks', () => {
  const request: BadRequest = {
    isIngressUsedUp: true,
    path: '/v1/nope',
    isReady: false,
    token: undefined,
    isQuotaUsedUp: true,
    origin: OTHER_ORIGIN,
    mediaType: 'text/plain',
    body: 'x'.repeat(20_000),
  };
  for (const { repair, status, says } of STEPS) {
    it(`after repairing ${repair}: ${status} ${says}`, async () => {
      REPAIRS[repair]!(request);
      assert.deepEqual(await ask(request), { status, says });
    });
  }
});

describe('a token that was accepted before', () => {
  it('is refused from the instant of its expiry on', async () => {
    let nowMs = NOW_MS;
    const directory = buildAccessDirectory(accessRows({ expiresAtMs: NOW_MS + 1_000 }));
    const server = await startPartnerServer({ access: () => directory, clock: () => nowMs });
    const statusAt = async (ms: number): Promise<number> => {
      nowMs = ms;
      return (await server.fetch('/v1/properties/hotel-ponte')).status;
    };
    assert.deepEqual(
      [await statusAt(NOW_MS), await statusAt(NOW_MS + 999), await statusAt(NOW_MS + 1_000)],
      [200, 200, 401],
    );
    await server.close();
  });

  it('is refused as soon as the directory says so', async () => {
    let directory = buildAccessDirectory(accessRows());
    const server = await startPartnerServer({ access: () => directory });
    assert.equal((await server.fetch('/v1/properties/hotel-ponte')).status, 200);
    directory = buildAccessDirectory(accessRows({ revokedAtMs: NOW_MS }));
    const response = await server.fetch('/v1/properties/hotel-ponte');
    assert.equal(((await response.json()) as { code: string }).code, 'PARTNER_ACCESS_REVOKED');
    await server.close();
  });
});

/** One connection with consecutive requests. */
class OneConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  #isOpen = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** The code of the problem; empty without one. */
  async codeOf(authorization: string | undefined): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = authorization === undefined ? {} : { authorization };
    const asking = httpRequest(`${this.#url}/v1/properties/hotel-ponte`, { agent: this.#agent, headers });
    asking.on('response', resolve).on('error', reject).end();
    const answer = (await json(await promise)) as { readonly code?: string };
    assert.equal(asking.reusedSocket, this.#isOpen, 'it is one connection');
    this.#isOpen = true;
    return answer.code ?? '';
  }

  close(): void {
    this.#agent.destroy();
  }
}

describe('a token that was accepted on this connection', () => {
  let directory = buildAccessDirectory(accessRows());
  let nowMs = NOW_MS;
  let server: Awaited<ReturnType<typeof startPartnerServer>>;
  let connection: OneConnection;
  const full = `Bearer ${TOKENS.full}`;
  beforeEach(async () => {
    nowMs = NOW_MS;
    directory = buildAccessDirectory(accessRows());
    server = await startPartnerServer({ access: () => directory, clock: () => nowMs });
    connection = new OneConnection(server.url);
  });
  afterEach(async () => {
    connection.close();
    await server.close();
  });

  it('is refused with the next request once it is revoked, and accepted once it is not', async () => {
    assert.deepEqual([await connection.codeOf(full), await connection.codeOf(full)], ['', '']);
    directory = buildAccessDirectory(accessRows({ revokedAtMs: NOW_MS }));
    assert.equal(await connection.codeOf(full), 'PARTNER_ACCESS_REVOKED');
    assert.equal(await connection.codeOf(full), 'PARTNER_ACCESS_REVOKED');
    directory = buildAccessDirectory(accessRows());
    assert.equal(await connection.codeOf(full), '');
  });

  it('is refused from the instant of its expiry on', async () => {
    directory = buildAccessDirectory(accessRows({ expiresAtMs: NOW_MS + 1_000 }));
    assert.equal(await connection.codeOf(full), '');
    nowMs += 999;
    assert.equal(await connection.codeOf(full), '');
    nowMs += 1;
    assert.equal(await connection.codeOf(full), 'INVALID_PARTNER_CREDENTIAL');
  });

  it('says nothing of a request with another header, or without one', async () => {
    assert.equal(await connection.codeOf(full), '');
    assert.equal(await connection.codeOf(undefined), 'PARTNER_AUTH_REQUIRED');
    assert.equal(await connection.codeOf(`Basic ${TOKENS.full}`), 'PARTNER_AUTH_REQUIRED');
    assert.equal(await connection.codeOf(`Bearer ${TOKENS.unknown}`), 'INVALID_PARTNER_CREDENTIAL');
    assert.equal(await connection.codeOf(`Bearer ${TOKENS.revoked}`), 'PARTNER_ACCESS_REVOKED');
    assert.equal(await connection.codeOf(`bearer  ${TOKENS.full}`), '');
    assert.equal(await connection.codeOf(`Bearer ${TOKENS.unknown}`), 'INVALID_PARTNER_CREDENTIAL');
  });

  it('is counted for the credential of each request', async () => {
    const counted: string[] = [];
    const hit = { count: 1, resetAtMs: NOW_MS + 1_000, resetInMs: 1_000 };
    const quota: WindowCounter = { hit: (credentialId) => (counted.push(credentialId), hit) };
    const counting = await startPartnerServer({ quota });
    const shared = new OneConnection(counting.url);
    const other = `Bearer ${TOKENS.otherPartner}`;
    for (const authorization of [full, other, other, full]) await shared.codeOf(authorization);
    assert.deepEqual(counted, ['cred_full', 'cred_otherPartner', 'cred_otherPartner', 'cred_full']);
    shared.close();
    await counting.close();
  });
});
