/** A family on the traveller's page: with the ages of its quote, and with ages that the page asks for. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { StayPrices, StayQuote } from '../../../src/contract/partner/price-schemas.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { hotelWith, type Line, nights } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-03', guests: 4 };
const CALENDAR = [nights('2026-11-20', '2026-12-31', { availability: 1, rate: '100.00' })];
const TYPE = {
  inventoryTypeId: 'family-room',
  name: 'Family room',
  guestsMax: 3,
  includedGuests: 2,
  extraGuestRate: '30.00',
  calendar: CALENDAR,
};
const BANDS = [
  { untilAge: 2, occupies: false },
  { untilAge: 12, rate: '15.00' },
];
const CITY_TAX = {
  code: 'city-tax',
  kind: 'city_tax',
  logic: 'per_person_per_night',
  amount: '3.50',
  due: 'arrival',
  exemptUntilAge: 9,
  ages: [{ untilAge: 15, amount: '1.75' }],
};
/** Three places and a cot. */
const FAMILY = { cleaningFee: null, ageBands: BANDS, taxes: [CITY_TAX] };
const familyInn = (propertyId: string, guestsMax = 3): Line =>
  hotelWith(propertyId, [], { ...FAMILY, inventoryTypes: [{ ...TYPE, guestsMax }] });

let installation: Installation;
let service: Served;
let partner: PartnerClient;
before(async () => {
  installation = await openInstallation();
  const plain = hotelWith('plain', CALENDAR, { cleaningFee: null, taxes: [] });
  const lines = [familyInn('small'), familyInn('large', 6), familyInn('changing'), plain];
  const { rejections } = await installation.importLines(lines);
  assert.deepEqual(rejections, []);
  const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
  service = await installation.serve({
    WEB_PORT: '0',
    WEB_LIMIT: '0',
    BOOKING_URL_TEMPLATE:
      'https://book.example/{propertyId}?n={guests}&a={adults}&c={children}&ages={childAges}&in={checkIn}',
  });
  partner = new PartnerClient(service.partnerUrl, token);
});
after(() => installation.close());

const quote = (propertyId: string, stay: object, locale = 'en-GB') =>
  partner.ask<StayQuote>('createStayQuote', {
    method: 'POST',
    path: '/prices/v1/quotes',
    body: JSON.stringify({ propertyId, stay: { ...STAY, ...stay }, locale }),
  });

async function valueOf(propertyId: string, stay: object, locale?: string): Promise<string> {
  const { handoffUrl } = (await quote(propertyId, stay, locale)).success;
  return new URL(handoffUrl).searchParams.get('handoff') ?? '';
}

async function open(handoff: string, childAges?: string) {
  const query = new URLSearchParams({ handoff, ...(childAges !== undefined && { childAges }) });
  const response = await fetch(`${service.webUrl}/handoff?${query.toString()}`);
  const page = (await response.text()).replaceAll(/\s+/g, ' ');
  return { status: response.status, page, outcome: /data-outcome="(\w+)"/.exec(page)?.[1] };
}

async function goOn(handoff: string, more: Readonly<Record<string, string>> = {}): Promise<string | null> {
  const response = await fetch(`${service.webUrl}/handoff/continue`, {
    method: 'POST',
    body: new URLSearchParams({ handoff, ...more }),
    redirect: 'manual',
  });
  return response.headers.get('location');
}

it('a family that fits with a cot has its total in every answer, where four adults have none', async () => {
  const quoted = (await quote('small', { childAges: [8, 1] })).success;
  assert.equal(quoted.pricing.total, '244.00');
  assert.deepEqual([quoted.stay.guests, quoted.stay.childAges], [4, [1, 8]]);
  const adults = await quote('small', {});
  assert.equal(adults.outcome, '409 STAY_UNAVAILABLE');
  const priced = async (stay: object) => {
    const body = JSON.stringify({ propertyIds: ['small'], stay: { ...STAY, ...stay } });
    const post = { method: 'POST', path: '/prices/v1/stays', body };
    return (await partner.ask<StayPrices>('priceStays', post)).success.items[0]?.pricing?.total;
  };
  assert.equal(await priced({ childAges: [8, 1] }), '244.00');
  assert.equal(await priced({}), undefined);
});

it('without ages the answer of a quote says that there are none', async () => {
  const { stay, pricing } = (await quote('large', {})).success;
  assert.deepEqual(stay.childAges, []);
  const body = { propertyId: 'large', stay: STAY, locale: 'en-GB' as const };
  const plain = (await partner.quote(body)).success;
  assert.deepEqual(plain.pricing, pricing);
  assert.equal('childAges' in plain.stay, false);
});

it('the page of a quote with ages says who travels and who pays, and goes on with the ages', async () => {
  const handoff = await valueOf('small', { childAges: [8, 1] });
  const { page, outcome } = await open(handoff);
  assert.equal(outcome, 'unchanged');
  assert.match(page, /2 adults, 2 children \(1 and 8\)/);
  assert.match(page, /€244\.00/);
  assert.match(page, /2\snights: 2\sadults × €3\.50, 2 free/);
  assert.doesNotMatch(page, /per guest and night/);
  assert.doesNotMatch(page, /Travelling with children\?/);
  assert.equal(await goOn(handoff), 'https://book.example/small?n=4&a=2&c=2&ages=1%2C8&in=2026-12-01');
  const italian = await open(await valueOf('small', { childAges: [12, 0] }, 'it-IT'));
  assert.match(italian.page, /2 adulti, 2 bambini \(meno di 1 e 12\)/);
  assert.match(italian.page, /1 bambino \(12\) a 1,75\s€, 1 esente/);
});

it('the page of a quote without ages asks, and shows the total with them beside the quoted one', async () => {
  const handoff = await valueOf('large', {});
  const asked = await open(handoff);
  assert.match(asked.page, /Travelling with children\?/);
  assert.match(asked.page, /<form method="get" action="\.\/handoff">/);
  for (const typed of ['8, 1', '1,8', ' 8 1 ', '8;1']) {
    const { page, outcome } = await open(handoff, typed);
    assert.equal(outcome, 'unchanged', typed);
    // Four adults: 320.00 and 28.00.
    assert.match(page, /€348\.00/);
    assert.match(page, /€244\.00/);
    assert.match(page, /name="childAges" value="1,8"/);
  }
  assert.equal(
    await goOn(handoff, { childAges: '1,8' }),
    'https://book.example/large?n=4&a=2&c=2&ages=1%2C8&in=2026-12-01',
  );
  assert.equal(await goOn(handoff), 'https://book.example/large?n=4&a=4&c=0&ages=&in=2026-12-01');
});

it('the page of a quote for one guest asks for no ages: a child does not travel alone', async () => {
  const { page, outcome } = await open(await valueOf('large', { guests: 1 }));
  assert.equal(outcome, 'unchanged');
  assert.doesNotMatch(page, /Travelling with children\?/);
});

it('ages that can’t be those of children are not taken, and the page says which can', async () => {
  const handoff = await valueOf('large', {});
  // What is too long is not cut to ages of other travellers.
  const long = `1${' '.repeat(130)}, 8`;
  for (const typed of ['18', '-1', '1.5', 'four', '1,2,3,4', '<b>', '9'.repeat(500), long]) {
    const { page, status } = await open(handoff, typed);
    assert.equal(status, 200);
    assert.match(page, /Write whole years from 0 to 17/, typed);
    assert.doesNotMatch(page, /<b>/);
    const way = await goOn(handoff, { childAges: typed });
    assert.equal(way, 'https://book.example/large?n=4&a=4&c=0&ages=&in=2026-12-01', typed);
  }
});

it('ages that were never asked for change nothing', async () => {
  const known = await valueOf('small', { childAges: [8, 1] });
  assert.doesNotMatch((await open(known, '3')).page, /Travelling with children/);
  assert.match((await goOn(known, { childAges: '3' })) ?? '', /ages=1%2C8/);
  const plain = await valueOf('plain', { guests: 2 });
  assert.doesNotMatch((await open(plain, '3')).page, /Travelling with children|1 child/);
  assert.match((await goOn(plain, { childAges: '3' })) ?? '', /a=2&c=0&ages=&/);
  const alone = await valueOf('large', { guests: 1 });
  assert.doesNotMatch((await open(alone)).page, /Travelling with children/);
});

it('bands that changed after the quote are another price, and a changed value is not ours', async () => {
  const handoff = await valueOf('changing', { childAges: [8, 1] });
  const dearer = [BANDS[0], { untilAge: 12, rate: '20.00' }];
  await installation.importLines([{ ...familyInn('changing'), ageBands: dearer }]);
  const { page, outcome } = await open(handoff);
  assert.equal(outcome, 'price_changed');
  assert.match(page, /€254\.00/);
  const middle = Math.floor(handoff.length / 2);
  const other = handoff[middle] === 'A' ? 'B' : 'A';
  const tampered = `${handoff.slice(0, middle)}${other}${handoff.slice(middle + 1)}`;
  assert.equal((await open(tampered)).status, 400);
});
