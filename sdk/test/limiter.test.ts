/** The limiter of the client: against the real service, and against a service whose windows last a second. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { hotel } from '../../test/kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../../test/kit/installation.ts';
import { ConnectionError, Stayport } from '../src/index.ts';

const CALLS = 1_000;

describe('1,000 calls at once', () => {
  let installation: Installation;
  before(async () => {
    installation = await openInstallation();
    await installation.importLines([hotel('h-1')]);
  });
  after(() => installation.close());

  it('meet no 429 of the real service within a quota that fits them', async () => {
    const { token } = await installation.issue({ quota: CALLS });
    const { partnerUrl: baseUrl } = await installation.serve();
    const client = new Stayport({ baseUrl, token, limiter: true, maxRetries: 0 });
    const results = await Promise.all(Array.from({ length: CALLS }, () => client.properties.get('h-1')));
    assert.equal(Math.min(...results.map(({ rateLimit }) => rateLimit?.remaining ?? -1)), 0);
  });

  it('are not all answered without it', async () => {
    const { token } = await installation.issue({ quota: 100 });
    const { partnerUrl: baseUrl } = await installation.serve();
    const client = new Stayport({ baseUrl, token, maxRetries: 0 });
    const results = await Promise.allSettled(Array.from({ length: 150 }, () => client.properties.get('h-1')));
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 50);
  });
});

describe('windows that end', () => {
  const WINDOW_MS = 1_000;
  const LIMIT = 40;
  let baseUrl: string;
  let refused = 0;
  let served = 0;
  let window = { startMs: 0, count: 0 };
  const server = createServer((_request, response) => {
    const nowMs = Date.now();
    if (nowMs >= window.startMs + WINDOW_MS) window = { startMs: nowMs, count: 0 };
    window.count += 1;
    const isRefused = window.count > LIMIT;
    if (isRefused) refused += 1;
    else served += 1;
    response.writeHead(isRefused ? 429 : 200, {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': LIMIT,
      'X-RateLimit-Remaining': Math.max(0, LIMIT - window.count),
      'X-RateLimit-Reset': Math.ceil((window.startMs + WINDOW_MS) / 1000),
    });
    response.end(
      JSON.stringify(isRefused ? { code: 'RATE_LIMIT_EXCEEDED', status: 429, correlationId: 'x' } : {}),
    );
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('are waited for: more calls than a window takes, and none is refused', async () => {
    const client = new Stayport({ baseUrl, token: 'x', limiter: true, maxRetries: 0 });
    await Promise.all(Array.from({ length: 2 * LIMIT + 10 }, () => client.properties.get('h-1')));
    assert.deepEqual({ refused, served }, { refused: 0, served: 2 * LIMIT + 10 });
  });

  it('keep nobody who does not want to wait any longer', async () => {
    const client = new Stayport({ baseUrl, token: 'x', limiter: true, maxRetries: 0 });
    const controller = new AbortController();
    const calls = Array.from({ length: LIMIT + 20 }, () =>
      client.properties.get('h-1', { signal: controller.signal }).catch((error: unknown) => error),
    );
    setTimeout(() => controller.abort(), 200);
    const results = await Promise.all(calls);
    assert.ok(results.some((result) => result instanceof ConnectionError && result.code === 'ABORTED'));
  });
});
