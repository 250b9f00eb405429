/** Content and prices, beside the contract, against the real service. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { double, hotel, inCity, type Line, nights } from '../../test/kit/catalogue-lines.ts';
import {
  NotFoundError,
  PermissionError,
  QuoteConflictError,
  RequestError,
  Stayport,
  type StayReason,
  UsageError,
} from '../src/index.ts';
import { failureOf } from './failure-of.ts';
import { openService, type ServiceInstallation } from './service.ts';

const DATES = { checkIn: '2026-12-01', checkOut: '2026-12-04' };
const STAY = { ...DATES, guests: 2 };
const COVER = { url: 'https://pictures.example/front.jpg', alt: 'The front', width: 800, height: 600 };

const priced = (propertyId: string, rate: string, more: Line = {}): Line =>
  hotel(propertyId, {
    inventoryTypes: [double({ calendar: [nights('2026-12-01', '2026-12-31', { availability: 2, rate })] })],
    ...more,
  });

let installation: ServiceInstallation;
let client: Stayport;
/** With the scopes that a token has unless told. */
let plain: Stayport;
before(async () => {
  installation = await openService();
  const { url: src, ...picture } = COVER;
  await installation.importLines([
    priced('a-dear', '200.00', { images: [{ src, ...picture }], checkIn: { from: '15:00' } }),
    priced('b-cheap', '100.00', { houseRules: { 'it-IT': 'Silenzio.', 'en-GB': 'Quiet.' } }),
    priced('c-silent', '10.00', { quoting: false }),
    hotel('elsewhere', inCity('Roma')),
    priced('whole', '100.00', {
      ...inCity('Pisa'),
      cleaningFee: '28.00',
      taxes: [{ code: 'city-tax', kind: 'city_tax', logic: 'per_booking', amount: '12.00', due: 'arrival' }],
      cancellation: [{ daysBefore: 3, refundPercent: '100' }],
      houseRules: { 'it-IT': 'Silenzio.', 'en-GB': 'Quiet.' },
    }),
  ]);
  const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
  const { token: plainToken } = await installation.issue();
  const web = { WEB_PORT: '0', WEB_NAME: 'Stays', WEB_IMAGE_ORIGINS: 'https://pictures.example' };
  const { partnerUrl: baseUrl } = await installation.serve(web);
  client = new Stayport({ baseUrl, token, maxRetries: 0 });
  plain = new Stayport({ baseUrl, token: plainToken, maxRetries: 0 });
});
after(() => installation.close());

describe('content', () => {
  it('of a property has its pictures and times', async () => {
    const { data, headers } = await client.content.get('a-dear');
    assert.deepEqual(data.images, [COVER]);
    assert.deepEqual(data.checkIn, { from: '15:00', until: null });
    assert.ok(headers.has('etag'));
  });

  it('content: texts are in the language of the question', async () => {
    assert.equal((await client.content.get('b-cheap', { locale: 'en-GB' })).data.houseRules, 'Quiet.');
    assert.equal((await client.content.get('b-cheap')).data.houseRules, 'Silenzio.');
  });

  it('of a city comes page by page, in the order of a search', async () => {
    const { data } = await client.content.list({ city: 'Venezia', country: 'IT', page: 2, pageSize: 2 });
    assert.deepEqual(
      data.items.map(({ propertyId }) => propertyId),
      ['c-silent'],
    );
    assert.deepEqual(data.pagination, { page: 2, pageSize: 2, total: 3, hasMore: false });
  });
});

describe('prices', () => {
  it('of a search come in the order of the contract, or the cheapest first', async () => {
    const totals = async (sort?: 'default' | 'total') => {
      const { data } = await client.prices.search({ city: 'Venezia', ...STAY, ...(sort && { sort }) });
      return data.items.map(({ propertyId, pricing }) => `${propertyId} ${pricing?.total}`);
    };
    assert.deepEqual(await totals(), ['a-dear 600.00', 'b-cheap 300.00', 'c-silent undefined']);
    assert.deepEqual(await totals('total'), ['b-cheap 300.00', 'a-dear 600.00', 'c-silent undefined']);
  });

  it('of a search are those of a quote', async () => {
    const { data } = await client.prices.search({ city: 'Venezia', ...STAY, pageSize: 1 });
    const quote = await client.quotes.create({ propertyId: 'a-dear', stay: STAY, locale: 'en-GB' });
    const { mode: _mode, pricePreservedInHandoff: _isKept, ...amounts } = quote.data.pricing;
    assert.deepEqual(data.items[0]?.pricing, { ...amounts, discount: null });
  });

  it('by id come in the order asked, each with its code', async () => {
    const propertyIds = ['b-cheap', 'nobody', 'c-silent'];
    const { data, status } = await client.prices.forProperties({ propertyIds, stay: STAY, locale: 'it-IT' });
    assert.equal(status, 200);
    assert.deepEqual(
      data.items.map(({ propertyId, code, pricing }) => [propertyId, code, pricing?.total]),
      [
        ['b-cheap', null, '300.00'],
        ['nobody', 'PROPERTY_NOT_FOUND', undefined],
        ['c-silent', 'QUOTE_UNAVAILABLE', undefined],
      ],
    );
  });

  it('by id say why there is none, and what instead, where that is asked for', async () => {
    const propertyIds = ['b-cheap', 'nobody', 'c-silent'];
    const early = { checkIn: '2026-11-29', checkOut: '2026-12-02', guests: 2 };
    const { data } = await client.prices.forProperties({ propertyIds, stay: early, why: true });
    const [cheap, nobody, silent] = data.items;
    const reasons: readonly StayReason[] | null = cheap!.reasons;
    assert.deepEqual(reasons, [{ code: 'NIGHTS_CLOSED', dates: ['2026-11-29', '2026-11-30'] }]);
    assert.deepEqual(
      cheap!.instead.map(({ checkIn, nights, total }) => `${checkIn} ${nights} ${total}`),
      ['2026-12-01 3 300.00', '2026-12-02 3 300.00', '2026-12-03 3 300.00'],
    );
    assert.deepEqual([nobody!.reasons, nobody!.instead], [[], []]);
    assert.deepEqual(silent!.reasons, reasons);
    const { data: unasked } = await client.prices.forProperties({ propertyIds, stay: early });
    assert.ok(unasked.items.every((item) => item.reasons === undefined && item.instead === undefined));
  });

  it('of a calendar come by check-in date', async () => {
    const range = { from: '2026-11-30', until: '2026-12-02', nights: 3, guests: 1 };
    const { data } = await client.prices.calendar('b-cheap', range);
    assert.deepEqual(data.days, [
      { checkIn: '2026-11-30', available: false, total: null },
      { checkIn: '2026-12-01', available: true, total: '300.00' },
    ]);
    assert.equal((await client.prices.calendar('b-cheap')).data.days.length, 31);
  });
});

describe('an offer', () => {
  it('is one stay whole, in the language of the question', async () => {
    const { data, headers } = await client.prices.offer('whole', { ...STAY, locale: 'en-GB' });
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(data.pricing.total, '340.00');
    assert.deepEqual(
      data.nights.map(({ date, amount }) => `${date} ${amount}`),
      ['2026-12-01 100.00', '2026-12-02 100.00', '2026-12-03 100.00'],
    );
    assert.deepEqual(
      data.charges.map(({ name, amount, due }) => [name, amount, due]),
      [
        ['Cleaning fee', '28.00', 'booking'],
        ['City tax', '12.00', 'arrival'],
      ],
    );
    assert.equal(data.refundability, 'refundable');
    assert.deepEqual(data.cancellation, [
      { until: '2026-11-28T23:59:59+01:00', refundPercent: '100', refundAmount: '328.00' },
    ]);
    assert.equal(data.payment, null);
    assert.deepEqual([data.houseRules, data.seller], ['Quiet.', 'Stays']);
    const italian = (await client.prices.offer('whole', DATES)).data;
    assert.deepEqual([italian.stay.guests, italian.houseRules], [2, 'Silenzio.']);
  });

  it('that can’t be made says why, and what can be had instead', async () => {
    const error = await failureOf(client.prices.offer('whole', { ...STAY, guests: 3 }));
    assert.ok(error instanceof QuoteConflictError && error.code === 'STAY_UNAVAILABLE');
    assert.deepEqual(error.problem.reasons, [{ code: 'CAPACITY', guestsMax: 2 }]);
    assert.deepEqual(error.problem.instead, []);
    const late = { checkIn: '2026-12-30', checkOut: '2027-01-02' };
    const closed = await failureOf(client.prices.offer('whole', late));
    assert.ok(closed instanceof QuoteConflictError);
    assert.deepEqual(closed.problem.reasons, [{ code: 'NIGHTS_CLOSED', dates: ['2027-01-01'] }]);
    assert.equal(closed.problem.instead?.[0]?.checkIn, '2026-12-29');
    const silent = await failureOf(client.prices.offer('c-silent', STAY));
    assert.ok(silent instanceof QuoteConflictError && silent.code === 'QUOTE_UNAVAILABLE');
    assert.ok((await failureOf(client.prices.offer('nobody', STAY))) instanceof NotFoundError);
  });

  it('needs both scopes, and names those that the token lacks', async () => {
    const error = await failureOf(plain.prices.offer('a-dear', STAY));
    assert.ok(error instanceof PermissionError);
    assert.match(error.headers.get('www-authenticate') ?? '', /scope="prices:read content:read"/);
  });
});

describe('content and prices', () => {
  it('are refused without their scopes, which a token has only when they were named', async () => {
    for (const call of [() => plain.content.get('a-dear'), () => plain.prices.calendar('a-dear')]) {
      const error = await failureOf(call());
      assert.ok(error instanceof PermissionError && error.code === 'PARTNER_SCOPE_INSUFFICIENT');
    }
  });

  it('fail as other calls do', async () => {
    assert.ok((await failureOf(client.content.get('nobody'))) instanceof NotFoundError);
    const error = await failureOf(client.prices.forProperties({ propertyIds: [], stay: STAY }));
    assert.ok(error instanceof RequestError && error.issues[0]?.field === 'propertyIds');
  });

  const wrong: Record<string, () => Promise<unknown>> = {
    'city: is missing': () => client.content.list({ city: '' }),
    'propertyId: ".."': () => client.content.get('..'),
    'checkOut: is missing': () => client.prices.search({ city: 'x', checkIn: '2026-12-01' } as never),
    'propertyIds: is not a list': () =>
      client.prices.forProperties({ propertyIds: 'a-dear', stay: STAY } as never),
    'stay.checkOut: 2026-12-01 is not after': () =>
      client.prices.forProperties({ propertyIds: ['a'], stay: { ...STAY, checkOut: '2026-12-01' } }),
    'checkOut: 2026-12-01 is not after': () =>
      client.prices.offer('a-dear', { ...DATES, checkOut: '2026-12-01' }),
    'until: "soon" is not a date': () => client.prices.calendar('a-dear', { until: 'soon' }),
  };
  for (const [message, call] of Object.entries(wrong)) {
    it(`are refused before anything is sent: ${message}`, async () => {
      const error = await failureOf(call());
      assert.ok(error instanceof UsageError && error.message.includes(message), error.message);
    });
  }
});
