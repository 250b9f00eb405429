/** A property with a booking site of its own: its button leads there, and nowhere that the operator did not list. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { callSupply, startSupply, type SupplyRunning } from '../../kit/supply-client.ts';
import { quoteBody } from '../../kit/partner-client.ts';

const OPEN = nights('2026-12-01', '2026-12-31', { availability: 2, rate: '120.00' });
const OWN = { WEB_PORT: '0', WEB_LIMIT: '0', BOOKING_ORIGINS: 'https://own.example' };
const ALL = { BOOKING_URL_TEMPLATE: 'https://all.example/{propertyId}' };

let running: SupplyRunning;
before(async () => {
  running = await startSupply([hotelWith('plain', [OPEN])], { ...OWN, ...ALL });
});
after(() => running.installation.close());

const put = (propertyId: string, bookingUrl: string) =>
  callSupply(running.service.operatorUrl, 'PUT', `properties/${propertyId}`, {
    token: running.pmsToken,
    body: { ...hotelWith(propertyId, [OPEN]), bookingUrl },
  });

async function valueFor(propertyId: string): Promise<string> {
  const isShown = async () =>
    (await running.partner.quote(quoteBody(propertyId, '2026-12-01', '2026-12-04'))).status === 201;
  await until(isShown);
  const { handoffUrl } = (await running.partner.quote(quoteBody(propertyId, '2026-12-01', '2026-12-04')))
    .success;
  return new URL(handoffUrl).searchParams.get('handoff') ?? '';
}

async function goOn(webUrl: string | undefined, handoff: string) {
  const page = await fetch(`${webUrl}/handoff?handoff=${handoff}`);
  const response = await fetch(`${webUrl}/handoff/continue`, {
    method: 'POST',
    body: new URLSearchParams({ handoff }),
    redirect: 'manual',
  });
  return {
    hasButton: (await page.text()).includes('action="./handoff/continue"'),
    location: response.headers.get('location'),
  };
}

it('leads to the site of the property, and to that of all where it has none or its origin is no longer listed', async () => {
  const answer = await put('own', 'https://own.example/stay?p={propertyId}&to={checkOut}');
  assert.ok(answer.status < 300, JSON.stringify(answer));
  const [own, plain] = [await valueFor('own'), await valueFor('plain')];
  const { webUrl } = running.service;
  assert.deepEqual(await goOn(webUrl, own), {
    hasButton: true,
    location: 'https://own.example/stay?p=own&to=2026-12-04',
  });
  assert.equal((await goOn(webUrl, plain)).location, 'https://all.example/plain');

  const unlisted = await running.installation.serve({ ...OWN, ...ALL, BOOKING_ORIGINS: '' });
  assert.equal((await goOn(unlisted.webUrl, own)).location, 'https://all.example/own');
  const alone = await running.installation.serve(OWN);
  assert.equal((await goOn(alone.webUrl, own)).location, 'https://own.example/stay?p=own&to=2026-12-04');
  assert.deepEqual(await goOn(alone.webUrl, plain), { hasButton: false, location: null });
});

it('is refused where it comes in, message and import alike, unless its origin is listed', async () => {
  const evil = 'https://own.example.evil.example/{propertyId}';
  const answer = await put('evil', evil);
  assert.equal(answer.status, 400, JSON.stringify(answer));
  assert.match(JSON.stringify(answer.body), /\/bookingUrl.*BOOKING_ORIGINS does not list/);
  const { summary, rejections } = await running.installation.importLines([
    { ...hotelWith('evil', [OPEN]), bookingUrl: evil },
  ]);
  assert.equal(summary.rejected, 1);
  assert.equal(rejections[0]?.field, 'bookingUrl');
});
