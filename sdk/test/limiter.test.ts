/** The limiter of the client: against the real service, and against a service whose windows last a second. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
    // Each call has a connection of its own. One that is refused would wait for the next window.
    const { partnerUrl: baseUrl } = await installation.serve({ MAX_CONNECTIONS_PER_ADDRESS: '0' });
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

/** A service with windows of a second; `skewMs` is how far its clock is ahead of this machine's. */
function startWindows({ skewMs = 0, resetInMs = 0, hasDate = true } = {}): Windows {
  const counts = { refused: 0, served: 0 };
  let window = { startMs: 0, count: 0 };
  const fetch = async (): Promise<Response> => {
    const nowMs = Date.now() + skewMs;
    if (nowMs >= window.startMs + WINDOW_MS) window = { startMs: nowMs, count: 0 };
    window.count += 1;
    const isRefused = window.count > LIMIT;
    counts[isRefused ? 'refused' : 'served'] += 1;
    return Response.json(
      isRefused ? { code: 'RATE_LIMIT_EXCEEDED', status: 429, correlationId: 'x' } : { propertyId: 'h-1' },
      {
        status: isRefused ? 429 : 200,
        headers: {
          ...(hasDate ? { Date: new Date(nowMs).toUTCString() } : {}),
          'X-RateLimit-Limit': String(LIMIT),
          'X-RateLimit-Remaining': String(Math.max(0, LIMIT - window.count)),
          'X-RateLimit-Reset': String(Math.ceil((window.startMs + WINDOW_MS + resetInMs) / 1000)),
        },
      },
    );
  };
  const fixed = { baseUrl: 'http://127.0.0.1', token: 'x', limiter: true, maxRetries: 0, fetch };
  return { client: (options = {}) => new Stayport({ ...fixed, ...options }), counts };
}

interface Windows {
  readonly client: (options?: Partial<StayportOptions>) => Stayport;
  readonly counts: { refused: number; served: number };
}

const WINDOW_MS = 1_000;
const LIMIT = 10;
const HOUR_MS = 3_600_000;
const TICK_MS = 50;
const START_MS = Date.UTC(2026, 10, 23);

/** Until the work is done, by a clock that begins at `startMs`; fails when that takes longer than `msMax`. */
async function withinVirtual(
  { mock }: TestContext,
  { startMs, msMax }: { readonly startMs: number; readonly msMax: number },
  work: () => Promise<unknown>,
): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: startMs });
  let isDone = false;
  const done = work().finally(() => (isDone = true));
  for (let ms = 0; ms < msMax && !isDone; ms += TICK_MS) {
    await nextTurn();
    mock.timers.tick(TICK_MS);
  }
  assert.ok(isDone, `not done after ${msMax} ms`);
  await done;
}

describe('windows that end', () => {
  const clocks = { right: 0, '600 s ahead': 600_000, '600 s behind': -600_000 };
  for (const [clock, skewMs] of Object.entries(clocks)) {
    // The service tells whole seconds: where in one a window begins matters.
    for (const fractionMs of [0, 1, 500, 999]) {
      it(`are waited for when the clock of the service is ${clock}, at ${fractionMs} ms: none is refused`, async (test) => {
        const windows = startWindows({ skewMs });
        const client = windows.client();
        const calls = 2 * LIMIT + 10;
        await withinVirtual(test, { startMs: START_MS + fractionMs, msMax: 15_000 }, () =>
          Promise.all(Array.from({ length: calls }, () => client.properties.get('h-1'))),
        );
        assert.deepEqual(windows.counts, { refused: 0, served: calls });
      });
    }
  }

  it('are measured by the clock of this machine where the service tells no time', async (test) => {
    const windows = startWindows({ hasDate: false });
    const client = windows.client();
    await withinVirtual(test, { startMs: START_MS, msMax: 15_000 }, () =>
      Promise.all(Array.from({ length: LIMIT + 1 }, () => client.properties.get('h-1'))),
    );
    assert.deepEqual(windows.counts, { refused: 0, served: LIMIT + 1 });
  });

  it('keep nobody who does not want to wait any longer', async () => {
    const client = startWindows().client();
    const controller = new AbortController();
    const calls = Array.from({ length: LIMIT + 20 }, () =>
      client.properties.get('h-1', { signal: controller.signal }).catch((error: unknown) => error),
    );
    setTimeout(() => controller.abort(), 200);
    const results = await Promise.all(calls);
    assert.ok(results.some((result) => result instanceof ConnectionError && result.code === 'ABORTED'));
  });

  for (const limit of ['timeout', 'deadline'] as const) {
    it(`keep nobody beyond a ${limit}, and what is not sent is not tried again`, async () => {
      const windows = startWindows({ resetInMs: HOUR_MS });
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
