/** What each operation answers when all is well (SPEC 2, SPEC 4). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_OPERATIONS } from '../../../src/contract/partner/extra-operations.ts';
import { OPERATIONS } from '../../../src/contract/partner/operations.ts';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { NOW_MS, type Running, startInstallation } from '../../kit/installation.ts';
import { GOOD_REQUESTS, quoteBody } from '../../kit/partner-client.ts';

let running: Running;
before(async () => {
  running = await startInstallation([HOTEL_PONTE]);
});
after(() => running.installation.close());

const PONTE = {
  propertyId: 'hotel-ponte',
  name: 'Hotel Ponte',
  description: 'Sul canale.',
  propertyType: 'hotel',
  location: { city: 'Venezia', country: 'IT', area: 'Cannaregio' },
  capacity: { guests: 2, bathrooms: 1.5 },
  amenities: ['wifi', 'lift'],
  rating: { score: 4.6, count: 212 },
  startingPrice: '120.00',
  currency: 'EUR',
  timezone: 'Europe/Rome',
};

describe('listPartnerProperties', () => {
  it('answers a page of summaries', async () => {
    const { success } = await running.partner.search({ city: 'Venezia' });
    assert.deepEqual(success, {
      items: [PONTE],
      pagination: { page: 1, pageSize: 20, total: 1, hasMore: false },
    });
  });

  it('answers an empty page for a city that nobody knows', async () => {
    const { success } = await running.partner.search({ city: 'Atlantis' });
    assert.deepEqual(success, { items: [], pagination: { page: 1, pageSize: 20, total: 0, hasMore: false } });
  });
});

describe('getPartnerProperty', () => {
  it('answers the very summary of the list, without a wrapper', async () => {
    assert.deepEqual((await running.partner.property('hotel-ponte')).success, PONTE);
  });
});

describe('getPartnerPropertyAvailability', () => {
  it('answers the stay, whether it is available, and every occupied night', async () => {
    const query = { checkIn: '2026-12-01', checkOut: '2026-12-03', guests: 1 };
    assert.deepEqual((await running.partner.availability('hotel-ponte', query)).success, {
      propertyId: 'hotel-ponte',
      stay: { checkIn: '2026-12-01', checkOut: '2026-12-03', nights: 2, guests: 1, timezone: 'Europe/Rome' },
      available: true,
      days: [
        { date: '2026-12-01', available: true },
        { date: '2026-12-02', available: true },
      ],
    });
  });
});

describe('createPartnerQuote', () => {
  it('answers 201 with the priced stay and the handoff URL in body and Location', async () => {
    const answer = await running.partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'));
    const { quoteId, handoffUrl, ...rest } = answer.success;
    assert.equal(answer.status, 201);
    assert.deepEqual(rest, {
      propertyId: 'hotel-ponte',
      stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', nights: 3, guests: 2, timezone: 'Europe/Rome' },
      pricing: {
        mode: 'indicative',
        accommodation: '360.00',
        cleaningFee: '40.00',
        taxes: '64.00',
        total: '464.00',
        pricePreservedInHandoff: false,
      },
      currency: 'EUR',
      expiresAt: '2026-11-20T11:00:00.000Z',
    });
    assert.notEqual(quoteId, '');
    assert.equal(answer.header('location'), handoffUrl);
  });

  it('creates another quote when it is asked again', async () => {
    const first = await running.partner.ask('createPartnerQuote', GOOD_REQUESTS.createPartnerQuote);
    const second = await running.partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'));
    assert.notEqual(JSON.parse(first.text).quoteId, second.success.quoteId);
  });

  it('takes no idempotency key: the same one gives another quote', async () => {
    const asked = { headers: { 'idempotency-key': 'once' } };
    const body = quoteBody('hotel-ponte', '2026-12-01', '2026-12-04');
    const [first, second] = [
      await running.partner.quote(body, asked),
      await running.partner.quote(body, asked),
    ];
    assert.notEqual(first.success.quoteId, second.success.quoteId);
  });
});

describe('the headers of a success', () => {
  for (const { operationId, successStatus, cacheControl } of ALL_OPERATIONS) {
    it(`the headers of a success equal the contract: ${operationId}`, async () => {
      const answer = await running.partner.ask(operationId, GOOD_REQUESTS[operationId]);
      assert.equal(answer.status, successStatus);
      assert.equal(answer.header('content-type'), 'application/json');
      assert.equal(answer.header('cache-control'), cacheControl);
      assert.equal(answer.header('location') !== undefined, successStatus === 201);
      assert.equal(answer.header('retry-after'), undefined);
      assert.equal(answer.header('x-ratelimit-limit'), '1000000');
      assert.match(answer.header('x-correlation-id') ?? '', /^[!-~]{8,100}$/);
    });
  }

  it('have the cache policies that the contract names', async () => {
    const policies = OPERATIONS.map(({ operationId, cacheControl }) => [operationId, cacheControl]);
    assert.deepEqual(Object.fromEntries(policies), {
      listPartnerProperties: 'private, max-age=60',
      getPartnerProperty: 'private, max-age=60',
      getPartnerPropertyAvailability: 'no-store',
      createPartnerQuote: 'no-store',
    });
  });

  it('count down the requests that are left of the window', async () => {
    const first = await running.partner.search({ city: 'Venezia' });
    const second = await running.partner.property('hotel-ponte');
    assert.equal(remaining(first) - remaining(second), 1);
    assert.equal(first.header('x-ratelimit-reset'), second.header('x-ratelimit-reset'));
    const resetMs = Number(first.header('x-ratelimit-reset')) * 1000;
    assert.ok(resetMs > Date.now() && resetMs <= Date.now() + 61_000, 'the window ends within a minute');
  });

  it('do not take over a correlation id that the caller sends', async () => {
    const answer = await running.partner.with({ 'x-correlation-id': 'mine' }).search({ city: 'Venezia' });
    assert.notEqual(answer.header('x-correlation-id'), 'mine');
  });
});

it('expires a quote after the time of the settings', async () => {
  const answer = await running.partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-02'));
  assert.equal(Date.parse(answer.success.expiresAt), NOW_MS + 1_800_000);
});

function remaining(answer: { header(name: string): string | undefined }): number {
  return Number(answer.header('x-ratelimit-remaining'));
}
