/** What a partner's developer forces with `Stayport-Test`, and what the client makes of it: the sandbox is the fault. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatLocalDate, localToday } from '../../src/domain/local-date.ts';
import { NOW_MS } from '../../test/kit/now.ts';
import { ConnectionError, Stayport } from '../src/index.ts';
import { failureOf } from './failure-of.ts';
import { openService, type ServiceInstallation } from './service.ts';

const TODAY = localToday('Europe/Rome', NOW_MS);
const QUOTE = {
  propertyId: 'test-always',
  stay: { checkIn: formatLocalDate(TODAY + 30), checkOut: formatLocalDate(TODAY + 33), guests: 2 },
  locale: 'en-GB',
} as const;
/** Below what `slow=2` takes. */
const TIMEOUT_MS = 1_000;

describe('With Stayport-Test on the first try alone', () => {
  let installation: ServiceInstallation;
  let baseUrl: string;
  let token: string;
  before(async () => {
    installation = await openService();
    ({ token } = await installation.issue({ isTest: true }));
    baseUrl = (await installation.serve()).partnerUrl;
  });
  after(() => installation.close());

  /** A client whose first request asks for the fault, and how many requests it has sent. */
  function clientWith(fault: string): { client: Stayport; sent: () => number } {
    let sent = 0;
    const faultyOnce: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      if (sent === 0) headers.set('Stayport-Test', fault);
      sent += 1;
      return fetch(url, { ...init, headers });
    };
    const client = new Stayport({ baseUrl, token, timeout: TIMEOUT_MS, maxRetries: 1, fetch: faultyOnce });
    return { client, sent: () => sent };
  }

  for (const fault of ['close', 'truncate', 'slow=2', 'unavailable']) {
    it(`${fault}: a GET is sent again, and succeeds`, async () => {
      const { client, sent } = clientWith(fault);
      assert.equal((await client.properties.get('test-always')).data.propertyId, 'test-always');
      assert.equal(sent(), 2);
    });
  }

  const codes = {
    close: 'CONNECTION_FAILED',
    truncate: 'CONNECTION_FAILED',
    'slow=2': 'TIMEOUT',
    unavailable: 'PARTNER_API_UNAVAILABLE',
    'internal-error': 'INTERNAL_ERROR',
  };
  for (const [fault, code] of Object.entries(codes)) {
    it(`${fault}: a quote is not asked for again, because it may exist`, async () => {
      const { client, sent } = clientWith(fault);
      const error = await failureOf(client.quotes.create(QUOTE));
      assert.equal(error.code, code);
      assert.equal(sent(), 1);
    });
  }

  it('slow=2: a signal ends the call before its timeout does', async () => {
    const { client, sent } = clientWith('slow=2');
    const controller = new AbortController();
    const call = failureOf(client.properties.get('test-always', { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    const error = await call;
    assert.ok(error instanceof ConnectionError && error.code === 'ABORTED', error.message);
    assert.equal(sent(), 1);
  });

  it('today=: pages, availability and quote are those of that day', async () => {
    const onDay = new Stayport({
      baseUrl,
      token,
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set('Stayport-Test', `today=${formatLocalDate(TODAY + 30)}`);
        return fetch(url, { ...init, headers });
      },
    });
    // The gap of `test-gap` is 10 to 12 days from today.
    const stay = { checkIn: formatLocalDate(TODAY + 40), checkOut: formatLocalDate(TODAY + 42) };
    const { client } = clientWith('slow=0');
    assert.equal((await client.properties.availability('test-gap', stay)).data.available, true);
    assert.equal((await onDay.properties.availability('test-gap', stay)).data.available, false);
    const ids: string[] = [];
    for await (const { propertyId } of onDay.properties.each({ city: 'Testville' })) ids.push(propertyId);
    assert.equal(ids.length, 59);
  });
});
