import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  KNOWN_ORIGIN,
  OTHER_ORIGIN,
  type RunningServer,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';

const PROPERTY = '/v1/properties/hotel-ponte';
const EXPOSED = [
  'Location',
  'Retry-After',
  'X-Correlation-ID',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

describe('browsers (SPEC 4, 5)', () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer();
  });
  after(() => server.close());

  const from = (origin: string, headers: Record<string, string> = {}) => ({
    headers: { origin, ...headers },
  });
  const allowed = (response: Response): string | null => response.headers.get('access-control-allow-origin');

  function preflight(path: string, origin: string, method: string): Promise<Response> {
    const headers = { origin, 'access-control-request-method': method };
    return fetch(server.url + path, { method: 'OPTIONS', headers });
  }

  it('may read answers and the six headers from an origin that the partner lists', async () => {
    const response = await server.fetch(PROPERTY, from(KNOWN_ORIGIN));
    assert.equal(response.status, 200);
    assert.equal(allowed(response), KNOWN_ORIGIN);
    const exposed = response.headers.get('access-control-expose-headers') ?? '';
    assert.deepEqual(exposed.split(', ').toSorted(), EXPOSED);
    assert.match(response.headers.get('vary') ?? '', /Origin/);
  });

  it('may read the tag of content, and send it back', async () => {
    for (const [path, tag, sent] of [
      ['/content/v1/properties/hotel-ponte', ['ETag'], ', If-None-Match'],
      ['/content/v1/properties?city=Venezia', ['ETag'], ', If-None-Match'],
      ['/prices/v1/properties/hotel-ponte/calendar', [], ''],
    ] as const) {
      const response = await server.fetch(path, from(KNOWN_ORIGIN));
      const exposed = response.headers.get('access-control-expose-headers') ?? '';
      assert.deepEqual(exposed.split(', ').toSorted(), [...tag, ...EXPOSED], path);
      assert.equal(response.headers.has('etag'), tag.length > 0);
      const asked = await preflight(path, KNOWN_ORIGIN, 'GET');
      assert.equal(asked.status, 204);
      const headers = asked.headers.get('access-control-allow-headers');
      assert.equal(headers, `Authorization, Content-Type${sent}`);
    }
    const both = await preflight('/prices/v1/stays', KNOWN_ORIGIN, 'POST');
    assert.equal(both.headers.get('access-control-allow-methods'), 'GET, HEAD, POST');
  });

  it('are refused from an origin of another partner, of nobody, and from null', async () => {
    for (const origin of [OTHER_ORIGIN, 'https://nobody.example', 'null', `${KNOWN_ORIGIN}.evil.example`]) {
      const response = await server.fetch(PROPERTY, from(origin));
      assert.equal(response.status, 403, origin);
      assert.equal(((await response.json()) as { code: string }).code, 'ORIGIN_NOT_ALLOWED');
      assert.equal(allowed(response), null, origin);
      assert.ok(response.headers.has('x-ratelimit-limit'));
    }
  });

  it('may read problems too', async () => {
    const response = await server.fetch(PROPERTY, from(KNOWN_ORIGIN, { authorization: 'Bearer nope' }));
    assert.equal(response.status, 401);
    assert.equal(allowed(response), KNOWN_ORIGIN);
  });

  it('are told nothing when no Origin is sent', async () => {
    assert.equal(allowed(await server.fetch(PROPERTY)), null);
  });

  it('get their preflight answered for an origin that any partner lists, without a credential', async () => {
    for (const origin of [KNOWN_ORIGIN, OTHER_ORIGIN]) {
      const response = await preflight('/v1/quotes', origin, 'POST');
      assert.equal(response.status, 204);
      assert.equal(allowed(response), origin);
      assert.equal(response.headers.get('access-control-allow-methods'), 'POST');
      assert.equal(response.headers.get('access-control-allow-headers'), 'Authorization, Content-Type');
      assert.ok(response.headers.has('x-correlation-id'));
    }
  });

  it('get no preflight answered for an origin that nobody lists', async () => {
    const response = await preflight(PROPERTY, 'https://nobody.example', 'GET');
    assert.equal(response.status, 403);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.equal(((await response.json()) as { code: string }).code, 'ORIGIN_NOT_ALLOWED');
    assert.equal(allowed(response), null);
  });

  it('get no preflight judged before the partners are known', async () => {
    const starting = await startPartnerServer({ readiness: () => ({ reason: 'loading' }) });
    const headers = { origin: KNOWN_ORIGIN, 'access-control-request-method': 'GET' };
    const response = await fetch(starting.url + PROPERTY, { method: 'OPTIONS', headers });
    assert.equal(response.status, 503);
    await starting.close();
  });

  it('learn 404 for a preflight of an unknown path', async () => {
    assert.equal((await preflight('/v1/nope', KNOWN_ORIGIN, 'GET')).status, 404);
  });

  it('an OPTIONS that is not a preflight is a method that the path does not have', async () => {
    const response = await fetch(server.url + PROPERTY, { method: 'OPTIONS' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
  });

  it('never replace the credential', async () => {
    const response = await fetch(server.url + PROPERTY, { headers: { origin: KNOWN_ORIGIN } });
    assert.equal(response.status, 401);
  });
});

describe('credentials (SPEC 5, RFC 6750)', () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer();
  });
  after(() => server.close());

  async function ask(authorization: string | undefined): Promise<string> {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await fetch(`${server.url}${PROPERTY}/availability`, { headers });
    const { code } = (await response.json()) as { code: string };
    assert.equal(response.headers.has('x-ratelimit-limit'), response.status !== 401);
    return `${response.status} ${code} ${response.headers.get('www-authenticate')}`;
  }

  const REALM = 'Bearer realm="stayport"';
  const INVALID = `${REALM}, error="invalid_token"`;

  it('that are missing are asked for without an error', async () => {
    for (const authorization of [undefined, 'Basic abc', 'Bearer', 'Bearer ', 'Bearer    ', TOKENS.full]) {
      assert.equal(await ask(authorization), `401 PARTNER_AUTH_REQUIRED ${REALM}`, authorization);
    }
  });

  it('that are unknown, malformed or expired are invalid', async () => {
    for (const token of [TOKENS.unknown, TOKENS.expired, TOKENS.operator, 'x', `${TOKENS.full}x`]) {
      assert.equal(await ask(`Bearer ${token}`), `401 INVALID_PARTNER_CREDENTIAL ${INVALID}`, token);
    }
  });

  it('that are revoked, or of a disabled partner, are revoked', async () => {
    for (const token of [TOKENS.revoked, TOKENS.disabled]) {
      assert.equal(await ask(`Bearer ${token}`), `401 PARTNER_ACCESS_REVOKED ${INVALID}`);
    }
  });

  it('that lack the scope learn which one', async () => {
    const challenge = `${REALM}, error="insufficient_scope", scope="availability:read"`;
    assert.equal(await ask(`Bearer ${TOKENS.propertiesOnly}`), `403 PARTNER_SCOPE_INSUFFICIENT ${challenge}`);
  });

  it('are taken whatever the case of the scheme', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
      const response = await server.fetch(PROPERTY, {
        headers: { authorization: `${scheme} ${TOKENS.full}` },
      });
      assert.equal(response.status, 200);
    }
  });
});
