/** Load shedding on a real listener with a really late event loop. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createOwnLimits } from '../../limits/own-limits.ts';
import {
  type EventLoopWatch,
  LATE_MS_MAX,
  SAMPLE_INTERVAL_MS,
  watchEventLoop,
} from '../../runtime/event-loop-watch.ts';
import {
  createQuoteStub,
  QUOTE_REQUEST,
  type RunningServer,
  startPartnerServer,
} from '../../../test/kit/http-fixtures.ts';
import { createRequestMeter } from '../../http/observability/metrics/request-meter.ts';

const PATH = '/v1/properties/hotel-ponte';

describe('An event loop that is late', () => {
  let server: RunningServer;
  let watch: EventLoopWatch;
  afterEach(async () => {
    watch.stop();
    await server.close();
  });

  it('has new requests refused, those under way finished, and takes requests again when it is not', async () => {
    const changes: boolean[] = [];
    watch = watchEventLoop((isOverloaded) => changes.push(isOverloaded));
    const meter = createRequestMeter();
    const quota = createOwnLimits().quota;
    const finish = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    server = await startPartnerServer({
      isOverloaded: watch.isOverloaded,
      meter,
      quota,
      createQuote: async (request) => {
        started.resolve();
        await finish.promise;
        return createQuoteStub(request);
      },
    });
    assert.equal((await server.fetch(PATH)).status, 200);
    const quote = server.fetch('/v1/quotes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(QUOTE_REQUEST),
    });
    await started.promise;

    while (!watch.isOverloaded()) {
      block(LATE_MS_MAX + 2 * SAMPLE_INTERVAL_MS);
      await delay(1);
    }
    const countedBefore = { ...meter.limits.quota };
    const refused = await server.fetch(PATH);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(((await refused.json()) as { code: string }).code, 'PARTNER_API_UNAVAILABLE');
    assert.equal(meter.shedCount, 1);
    assert.deepEqual(meter.limits.quota, countedBefore);

    finish.resolve();
    assert.equal((await quote).status, 201);

    while (watch.isOverloaded()) await delay(SAMPLE_INTERVAL_MS);
    assert.equal((await server.fetch(PATH)).status, 200);
    assert.deepEqual(changes, [true, false]);
  });

  it('has nobody refused after one pause: a client that waited is answered', async () => {
    watch = watchEventLoop(() => {});
    const meter = createRequestMeter();
    server = await startPartnerServer({ isOverloaded: watch.isOverloaded, meter });
    await delay(2 * SAMPLE_INTERVAL_MS);
    const waiting = Array.from({ length: 5 }, () => server.fetch(PATH));
    block(3 * LATE_MS_MAX);
    assert.deepEqual(
      (await Promise.all(waiting)).map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    assert.equal(meter.shedCount, 0);
  });
});

function block(milliseconds: number): void {
  const untilMs = performance.now() + milliseconds;
  while (performance.now() < untilMs);
}
