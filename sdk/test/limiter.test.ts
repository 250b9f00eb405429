/** The limiter of the client: against the real service, and against a service whose windows last a second. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { hotel } from '../../test/kit/catalogue-lines.ts';
import { ConnectionError, type ReceivedResponse, Stayport, type StayportOptions } from '../src/index.ts';
import { Limiter, MARGIN_MS, WINDOW_MS_MAX } from '../src/limiter.ts';
import { openService, type ServiceInstallation } from './service.ts';

const CALLS = 300;

describe('300 calls at once', () => {
  let installation: ServiceInstallation;
  before(async () => {
    installation = await openService();
    await installation.importLines([hotel('h-1')]);
  });
  after(() => installation.close());

  it('meet no 429 of the real service within a quota that fits them', async () => {
    const { token } = await installation.issue({ quota: CALLS });
    const { partnerUrl: baseUrl } = await installation.serve();
    const statuses = new Set<number | undefined>();
    const onResponse = ({ status }: ReceivedResponse): unknown => statuses.add(status);
    // A busy machine may answer 503, which is tried again.
    const client = new Stayport({ baseUrl, token, limiter: true, maxRetries: 10, onResponse });
    const results = await Promise.all(Array.from({ length: CALLS }, () => client.properties.get('h-1')));
    assert.ok(!statuses.has(429));
    assert.ok(results.every(({ rateLimit }) => rateLimit !== undefined && rateLimit.remaining >= 0));
  });

  it('are not all answered without it', async () => {
    const { token } = await installation.issue({ quota: 100 });
    const { partnerUrl: baseUrl } = await installation.serve();
    const client = new Stayport({ baseUrl, token, maxRetries: 0 });
    const results = await Promise.allSettled(Array.from({ length: 150 }, () => client.properties.get('h-1')));
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 50);
  });
});

/** Windows of a second; `skewMs` is how far the clock of the service is ahead of this machine's. */
async function startWindows({ skewMs = 0, resetInMs = 0, hasDate = true } = {}): Promise<Windows> {
  const counts = { refused: 0, served: 0 };
  let window = { startMs: 0, count: 0 };
  const server = createServer((_request, response) => {
    const nowMs = Date.now() + skewMs;
    if (nowMs >= window.startMs + WINDOW_MS) window = { startMs: nowMs, count: 0 };
    window.count += 1;
    const isRefused = window.count > LIMIT;
    counts[isRefused ? 'refused' : 'served'] += 1;
    response.sendDate = false;
    if (hasDate) response.setHeader('Date', new Date(nowMs).toUTCString());
    response.writeHead(isRefused ? 429 : 200, {
      'Content-Type': 'application/json',
      'X-RateLimit-Limit': LIMIT,
      'X-RateLimit-Remaining': Math.max(0, LIMIT - window.count),
      'X-RateLimit-Reset': Math.ceil((window.startMs + WINDOW_MS + resetInMs) / 1000),
    });
    response.end(
      JSON.stringify(
        isRefused ? { code: 'RATE_LIMIT_EXCEEDED', status: 429, correlationId: 'x' } : { propertyId: 'h-1' },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    client: (options = {}) =>
      new Stayport({
        baseUrl: `http://127.0.0.1:${port}`,
        token: 'x',
        limiter: true,
        maxRetries: 0,
        ...options,
      }),
    counts,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Windows {
  readonly client: (options?: Partial<StayportOptions>) => Stayport;
  readonly counts: { refused: number; served: number };
  readonly close: () => void;
}

const WINDOW_MS = 1_000;
const LIMIT = 10;
const HOUR_MS = 3_600_000;

describe('windows that end', { concurrency: true }, () => {
  const clocks = { right: 0, '600 s ahead': 600_000, '600 s behind': -600_000 };
  for (const [clock, skewMs] of Object.entries(clocks)) {
    it(`are waited for when the clock of the service is ${clock}: none is refused`, async (test) => {
      const windows = await startWindows({ skewMs });
      test.after(windows.close);
      const client = windows.client();
      const calls = 2 * LIMIT + 10;
      const startMs = performance.now();
      await Promise.all(Array.from({ length: calls }, () => client.properties.get('h-1')));
      assert.deepEqual(windows.counts, { refused: 0, served: calls });
      assert.ok(performance.now() - startMs < 15_000);
    });
  }

  it('are measured by the clock of this machine where the service tells no time', async (test) => {
    const windows = await startWindows({ hasDate: false });
    test.after(windows.close);
    const client = windows.client();
    await Promise.all(Array.from({ length: LIMIT + 1 }, () => client.properties.get('h-1')));
    assert.deepEqual(windows.counts, { refused: 0, served: LIMIT + 1 });
  });

  it('keep nobody who does not want to wait any longer', async (test) => {
    const windows = await startWindows();
    test.after(windows.close);
    const client = windows.client();
    const controller = new AbortController();
    const calls = Array.from({ length: LIMIT + 20 }, () =>
      client.properties.get('h-1', { signal: controller.signal }).catch((error: unknown) => error),
    );
    setTimeout(() => controller.abort(), 200);
    const results = await Promise.all(calls);
    assert.ok(results.some((result) => result instanceof ConnectionError && result.code === 'ABORTED'));
  });

  for (const limit of ['timeout', 'deadline'] as const) {
    it(`keep nobody beyond a ${limit}, and what is not sent is not tried again`, async (test) => {
      const windows = await startWindows({ resetInMs: HOUR_MS });
      test.after(windows.close);
      const client = windows.client({ maxRetries: 2 });
      await Promise.all(Array.from({ length: LIMIT }, () => client.properties.get('h-1')));
      const startMs = performance.now();
      const late = await client.properties.get('h-1', { [limit]: 300 }).catch((error: unknown) => error);
      assert.ok(late instanceof ConnectionError && late.code === 'TIMEOUT', String(late));
      assert.ok(performance.now() - startMs < 10_000, 'the window ends in an hour');
      assert.equal(windows.counts.refused + windows.counts.served, LIMIT);
    });
  }
});

describe('a window', () => {
  const settled = (limiter: Limiter, resetInMs: number): void => {
    const rateLimit = { limit: 1, remaining: 0, resetAt: new Date(resetInMs) };
    limiter.settle(rateLimit, 0);
  };

  for (const [end, resetInMs] of Object.entries({
    'as long as it may be': WINDOW_MS_MAX,
    'a millisecond longer': WINDOW_MS_MAX + 1,
    'an hour longer': WINDOW_MS_MAX + HOUR_MS,
  })) {
    it(`${end} is waited for 60 s and a margin`, async (test) => {
      test.mock.timers.enable({ apis: ['setTimeout'] });
      const limiter = new Limiter();
      const { signal } = new AbortController();
      await limiter.take(signal);
      settled(limiter, resetInMs);
      let isSent = false;
      const sent = limiter.take(signal).then(() => (isSent = true));
      test.mock.timers.tick(WINDOW_MS_MAX + MARGIN_MS - 1);
      await Promise.resolve();
      assert.ok(!isSent);
      test.mock.timers.tick(1);
      await sent;
    });
  }
});
