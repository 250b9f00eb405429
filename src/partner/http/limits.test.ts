import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnLimits } from '../../limits/own-limits.ts';
import { buildAccessDirectory } from '../../access/access-directory.ts';
import {
  accessRows,
  type Overrides,
  type RunningServer,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';

const PROPERTY = '/v1/properties/hotel-ponte';

async function withServer(
  overrides: Overrides,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startPartnerServer(overrides);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

function withQuota(quota: number): Pick<Overrides, 'access'> {
  const directory = buildAccessDirectory(accessRows({ quota }));
  return { access: () => directory };
}

function limitHeaders(response: Response): readonly (string | null)[] {
  return ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => response.headers.get(name));
}

async function statusCounts(requests: readonly Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the quota of a credential (SPEC 8)', () => {
  it('lets exactly as many parallel requests through as it says', async () => {
    await withServer(withQuota(120), async (server) => {
      const requests = Array.from({ length: 121 }, () => server.fetch(PROPERTY));
      assert.deepEqual(await statusCounts(requests), { 200: 120, 429: 1 });
    });
  });

  it('describes itself in every authenticated answer, whatever the answer is', async () => {
    await withServer(withQuota(10), async (server) => {
      const startSeconds = Math.floor(Date.now() / 1000);
      assert.deepEqual(limitHeaders(await server.fetch(PROPERTY)), ['10', '9']);
      assert.deepEqual(limitHeaders(await server.fetch('/v1/properties/nope')), ['10', '8']);
      const response = await server.fetch('/v1/properties');
      assert.equal(response.status, 400);
      assert.deepEqual(limitHeaders(response), ['10', '7']);
      const reset = Number(response.headers.get('x-ratelimit-reset'));
      const endSeconds = Math.ceil(Date.now() / 1000);
      assert.ok(reset >= startSeconds + 60 && reset <= endSeconds + 61, `epoch seconds: ${reset}`);
    });
  });

  it('is counted by credential, and not for requests that are refused before it', async () => {
    await withServer(withQuota(1), async (server) => {
      assert.equal((await server.fetch(PROPERTY, { headers: { authorization: 'Bearer nope' } })).status, 401);
      assert.equal((await server.fetch('/v1/nope')).status, 404);
      assert.equal((await server.fetch(PROPERTY)).status, 200);
      assert.equal((await server.fetch(PROPERTY)).status, 429);
      const other = { headers: { authorization: `Bearer ${TOKENS.propertiesOnly}` } };
      assert.equal((await server.fetch(PROPERTY, other)).status, 200);
    });
  });

  it('lets a client through again that waits as long as Retry-After says', async () => {
    const quota = createOwnLimits({ windowSeconds: 1 }).quota;
    await withServer({ ...withQuota(1), quota }, async (server) => {
      assert.equal((await server.fetch(PROPERTY)).status, 200);
      const refused = await server.fetch(PROPERTY);
      assert.equal(refused.status, 429);
      assert.deepEqual(limitHeaders(refused), ['1', '0']);
      const retryAfter = refused.headers.get('retry-after');
      assert.equal(retryAfter, '1');
      await sleep(Number(retryAfter) * 1000);
      assert.equal((await server.fetch(PROPERTY)).status, 200);
    });
  });

  it('works with a counter that answers later', async () => {
    const counter = createOwnLimits().quota;
    const quota = { hit: async (key: string) => counter.hit(key) };
    await withServer({ ...withQuota(1), quota }, async (server) => {
      assert.equal((await server.fetch(PROPERTY)).status, 200);
      assert.equal((await server.fetch(PROPERTY)).status, 429);
    });
  });
});

describe('the ingress limit (SPEC 8)', () => {
  it('comes before everything else and describes itself', async () => {
    await withServer({ settings: { ingressLimit: 3 } }, async (server) => {
      await server.fetch('/v1/nope');
      await server.fetch('/openapi.json');
      await server.fetch(PROPERTY, { headers: { authorization: 'Bearer nope' } });
      const refused = await server.fetch('/v1/nope');
      assert.equal(refused.status, 429);
      assert.deepEqual(limitHeaders(refused), ['3', '0']);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      assert.equal(((await refused.json()) as { code: string }).code, 'RATE_LIMIT_EXCEEDED');
    });
  });

  it('is exact for parallel requests', async () => {
    await withServer({ settings: { ingressLimit: 30 } }, async (server) => {
      const requests = Array.from({ length: 40 }, () => server.fetch(PROPERTY));
      assert.deepEqual(await statusCounts(requests), { 200: 30, 429: 10 });
    });
  });

  it('counts by forwarded address behind a trusted proxy, and only then', async () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    await withServer({ settings: { ingressLimit: 1, trustedProxies: ['127.0.0.0/8'] } }, async (server) => {
      assert.equal((await server.fetch(PROPERTY, from('203.0.113.1'))).status, 200);
      assert.equal((await server.fetch(PROPERTY, from('203.0.113.2'))).status, 200);
      assert.equal((await server.fetch(PROPERTY, from('9.9.9.9, 203.0.113.2'))).status, 429);
    });
    await withServer({ settings: { ingressLimit: 1 } }, async (server) => {
      assert.equal((await server.fetch(PROPERTY, from('203.0.113.1'))).status, 200);
      assert.equal((await server.fetch(PROPERTY, from('203.0.113.2'))).status, 429);
    });
  });

  it('is off when it is 0', async () => {
    await withServer({ settings: { ingressLimit: 0 } }, async (server) => {
      const requests = Array.from({ length: 400 }, () => server.fetch('/v1/nope'));
      assert.deepEqual(await statusCounts(requests), { 404: 400 });
    });
  });
});
