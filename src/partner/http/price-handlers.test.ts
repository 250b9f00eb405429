import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RunningServer, startPartnerServer } from '../../../test/kit/http-fixtures.ts';
import { NOW_MS } from '../../../test/kit/now.ts';
import { Catalogue } from '../../read-model/catalogue/catalogue.ts';
import { WAITING_MAX } from '../../runtime/sliced-work.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-02', guests: 2 };
const QUESTION = {
  stay: { checkIn: 20_788, checkOut: 20_789, guests: 2 },
  partnerId: 'acme',
};
const SEARCH = `city=Venezia&checkIn=${STAY.checkIn}&checkOut=${STAY.checkOut}&sort=total`;

describe('prices of stays while too many wait for them', () => {
  const { prices } = new Catalogue({ clock: () => NOW_MS, horizonNights: 730 });
  let server: RunningServer;
  let isFull = true;
  before(async () => {
    server = await startPartnerServer({ prices });
    // This turn is taken, so that all others wait.
    await prices.ofProperties([], QUESTION);
    for (let waiting = 0; waiting < WAITING_MAX; waiting += 1) void stayInQueue(`credential ${waiting}`);
  });
  after(async () => {
    isFull = false;
    await server.close();
  });

  async function stayInQueue(asker: string): Promise<void> {
    while (isFull) assert.notEqual(await prices.ofProperties([], { ...QUESTION, asker }), 'busy');
  }

  const ask: Readonly<Record<string, () => Promise<Response>>> = {
    search: () => server.fetch(`/prices/v1/stays?${SEARCH}`),
    'properties by id': () =>
      server.fetch('/prices/v1/stays', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ propertyIds: ['hotel-ponte'], stay: STAY }),
      }),
    calendar: () => server.fetch('/prices/v1/properties/hotel-ponte/calendar'),
  };

  for (const [name, fetchPrices] of Object.entries(ask)) {
    it(`are refused with 503 and the time to try again: ${name}`, async () => {
      const response = await fetchPrices();
      const { detail } = (await response.json()) as { readonly detail: string };
      assert.equal(response.status, 503);
      assert.match(detail, /too many prices of stays under way/);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
    });
  }

  it('leave other searches as they are', async () => {
    assert.equal((await server.fetch('/v1/properties?city=Venezia')).status, 200);
  });

  it('are answered again when fewer wait', async () => {
    isFull = false;
    assert.equal((await ask['search']!()).status, 200);
  });
});

it('prices of stays are answered to one credential while another fills all places', async () => {
  const { prices } = new Catalogue({ clock: () => NOW_MS, horizonNights: 730 });
  const server = await startPartnerServer({ prices });
  let isOver = false;
  const flood = Array.from({ length: 2 * WAITING_MAX }, async () => {
    while (!isOver) {
      await prices.ofProperties([], { ...QUESTION, asker: 'greedy' });
      await nextTurn();
    }
  });
  for (let count = 0; count < 20; count += 1)
    assert.equal((await server.fetch(`/prices/v1/stays?${SEARCH}`)).status, 200);
  isOver = true;
  await Promise.all(flood);
  await server.close();
});
