/** What is tried again, and what never is, under a proxy that fails on purpose. */
import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { hotel } from '../../test/kit/catalogue-lines.ts';
import { isStayportError, Stayport } from '../src/index.ts';
import { RETRY_AFTER_MS_MAX, retryWaitMs } from '../src/retry.ts';
import { ConnectionError, errorOf, type StayportError } from '../src/errors.ts';
import { openService, type ServiceInstallation } from './service.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

const TIMEOUT_MS = 1_500;
const QUOTE = {
  propertyId: 'h-1',
  stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 },
  locale: 'it-IT',
} as const;

let installation: ServiceInstallation;
let proxy: FaultyProxy;
let client: Stayport;
let token: string;
before(async () => {
  installation = await openService();
  await installation.importLines([hotel('h-1')]);
  ({ token } = await installation.issue({ scopes: ALL_SCOPE_NAMES }));
  proxy = await startFaultyProxy((await installation.serve()).partnerUrl);
  client = new Stayport({ baseUrl: proxy.url, token, timeout: TIMEOUT_MS, maxRetries: 2 });
});
after(async () => {
  await proxy.close();
  await installation.close();
});

describe('a GET', () => {
  const healed: Fault[] = ['reset', 'truncate', 'stall', 'unavailable', 'rate-limited', 'reset-after-answer'];
  for (const fault of healed) {
    it(`is sent again after ${fault}`, async () => {
      proxy.plan(fault);
      const seen = proxy.counts.seen;
      assert.equal((await client.properties.get('h-1')).data.propertyId, 'h-1');
      assert.equal(proxy.counts.seen - seen, 2);
    });
  }

  it('is given up after maxRetries, with the last failure', async () => {
    proxy.plan('unavailable', 'reset', 'unavailable', 'pass');
    assert.equal(await codeOf(client.properties.get('h-1')), 'PARTNER_API_UNAVAILABLE');
  });

  const final: Record<string, Fault> = {
    INVALID_RESPONSE: 'html',
    RATE_LIMIT_EXCEEDED: 'rate-limited-for-hours',
  };
  for (const [code, fault] of Object.entries(final)) {
    it(`is not sent again after ${fault}`, async () => {
      proxy.plan(fault);
      const seen = proxy.counts.seen;
      assert.equal(await codeOf(client.properties.get('h-1')), code);
      assert.equal(proxy.counts.seen - seen, 1);
    });
  }

  it('ends at once when its signal ends it, also during a wait', async () => {
    proxy.plan('stall');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    assert.equal(await codeOf(client.properties.get('h-1', { signal: controller.signal })), 'ABORTED');
  });
});

describe('a POST for prices', () => {
  const healed: Fault[] = ['reset', 'truncate', 'stall', 'unavailable', 'rate-limited', 'reset-after-answer'];
  for (const fault of healed) {
    it(`is sent again after ${fault}, as a GET is: it makes nothing`, async () => {
      proxy.plan(fault);
      const { seen } = proxy.counts;
      const { data } = await client.prices.forProperties({ propertyIds: ['h-1'], stay: QUOTE.stay });
      assert.equal(data.items[0]?.pricing?.total, '360.00');
      assert.equal(proxy.counts.seen - seen, 2);
    });
  }
});

describe('a storm of 429', () => {
  it('is sat out by 40 calls at once, each sent as often as it was refused and once more', async () => {
    const patient = new Stayport({ baseUrl: proxy.url, token, maxRetries: 60 });
    proxy.plan(...Array.from({ length: 60 }, (): Fault => 'rate-limited'));
    const { seen, passed } = proxy.counts;
    await Promise.all(Array.from({ length: 40 }, () => patient.properties.get('h-1')));
    assert.deepEqual([proxy.counts.seen - seen, proxy.counts.passed - passed], [100, 40]);
  });
});

describe('a quote', () => {
  const unsafe: Fault[] = ['reset', 'reset-after-answer', 'truncate', 'stall', 'unavailable'];
  for (const fault of unsafe) {
    it(`is not asked for again after ${fault}: it may have been made`, async () => {
      proxy.plan(fault);
      const { seen } = proxy.counts;
      assert.notEqual(await codeOf(client.quotes.create(QUOTE)), 'worked');
      assert.equal(proxy.counts.seen - seen, 1);
    });
  }

  it('is asked for again after a 429, which made none', async () => {
    proxy.plan('rate-limited');
    const { passed } = proxy.counts;
    assert.equal((await client.quotes.create(QUOTE)).data.propertyId, 'h-1');
    assert.equal(proxy.counts.passed - passed, 1);
  });

  it('is asked for again when the connection was refused', async () => {
    const port = await freePort();
    const late = new Stayport({ baseUrl: `http://127.0.0.1:${port}`, token: 'x', maxRetries: 1 });
    const error = await late.quotes.create(QUOTE).catch((reason: unknown) => reason);
    assert.ok(error instanceof ConnectionError && error.wasNeverSent);
  });
});

describe('the wait', () => {
  const attempt = { index: 0, isRepeatable: true, random: 0.5 };
  const limited = (retryAfterMs: number): StayportError =>
    errorOf({
      status: 429,
      headers: new Headers(),
      problem: {
        type: '',
        title: '',
        status: 429,
        detail: '',
        code: 'RATE_LIMIT_EXCEEDED',
        correlationId: '',
      },
      rateLimit: undefined,
      retryAfterMs,
    });

  it('is never shorter than Retry-After, and is not made beyond the bound', () => {
    for (const random of [0, 0.5, 1]) {
      assert.ok(retryWaitMs(limited(17_000), { ...attempt, random })! >= 17_000);
      assert.ok(retryWaitMs(limited(RETRY_AFTER_MS_MAX), { ...attempt, random })! >= RETRY_AFTER_MS_MAX);
    }
    assert.equal(retryWaitMs(limited(RETRY_AFTER_MS_MAX + 1), attempt), undefined);
  });

  it('doubles up to a bound, with jitter', () => {
    const lost = new ConnectionError('CONNECTION_FAILED', 'lost');
    const waits = [0, 1, 2, 3, 20].map((index) => retryWaitMs(lost, { ...attempt, index, random: 1 }));
    assert.deepEqual(waits, [250, 500, 1_000, 2_000, 8_000]);
    assert.equal(retryWaitMs(lost, { ...attempt, random: 0 }), 125);
  });
});

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'worked';
  } catch (error) {
    if (!isStayportError(error)) throw error;
    return error.code;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
