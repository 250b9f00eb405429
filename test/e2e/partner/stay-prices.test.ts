/** Prices of stays (`/prices/v1`): what they say is what a quote says, on the real service. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  FlexibleStayList,
  PriceCalendar,
  PriceDays,
  StayPriceList,
  StayPrices,
} from '../../../src/contract/partner/price-schemas.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { double, hotel, type Line, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-08' };
const QUERY = `city=Venezia&checkIn=${STAY.checkIn}&checkOut=${STAY.checkOut}&guests=2`;

const JSON_BODY = { 'content-type': 'application/json' };

const TAXES = [
  { code: 'city', kind: 'city_tax', logic: 'per_person_per_night', amount: '4.00', maxNights: 5 },
  { code: 'vat', kind: 'tax', logic: 'percent', percent: '10', base: ['accommodation', 'cleaningFee'] },
];

function priced(propertyId: string, rate: string, more: Line = {}): Line {
  return hotel(propertyId, {
    inventoryTypes: [double({ calendar: [nights('2026-12-01', '2026-12-31', { availability: 2, rate })] })],
    ...more,
  });
}

const LINES: readonly Line[] = [
  priced('c-dear', '200.00', { cleaningFee: '40.00', taxes: TAXES }),
  priced('a-middle', '150.00', { discounts: [{ code: 'week', percent: '50', minNights: 7 }] }),
  priced('d-cheap', '100.00'),
  priced('b-silent', '10.00', { quoting: false }),
  priced('e-hidden', '10.00', { visibleTo: ['somebody-else'] }),
  hotel('f-full', { inventoryTypes: [double({ calendar: [] })] }),
];

describe('/prices/v1', () => {
  let installation: Installation;
  let service: Served;
  let token: string;
  let partner: PartnerClient;

  before(async () => {
    installation = await openInstallation();
    await installation.importLines(LINES);
    token = (await installation.issue({ scopes: ALL_SCOPE_NAMES })).token;
    service = await installation.serve({}, { hasReader: true });
    partner = new PartnerClient(service.partnerUrl, token);
  });
  after(() => installation.close());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${service.partnerUrl}${path}`, {
      ...init,
      headers: { ...JSON_BODY, authorization: `Bearer ${token}` },
    });
  const post = (body: unknown) =>
    ask('/prices/v1/stays', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const list = async (query: string) =>
    (await (await ask(`/prices/v1/stays?${query}`)).json()) as StayPriceList;
  const issues = async (answer: Response): Promise<string[]> => {
    const { errors } = (await answer.json()) as { errors: { field: string; code: string }[] };
    return errors.map(({ field, code }) => `${field} ${code}`);
  };

  it('has the set and the fields of a search, with what a quote answers beside them', async () => {
    const search = (await partner.search({ city: 'Venezia', ...STAY, guests: 2 })).success;
    const { items, pagination } = await list(QUERY);
    assert.deepEqual(pagination, search.pagination);
    assert.deepEqual(
      items.map(({ pricing: _pricing, ...summary }) => summary),
      search.items,
    );
    for (const { propertyId, pricing, currency } of items) {
      const quote = await partner.quote(quoteBody(propertyId, STAY.checkIn, STAY.checkOut));
      if (pricing === null) {
        assert.equal(quote.outcome, '409 QUOTE_UNAVAILABLE');
        continue;
      }
      const { mode: _mode, pricePreservedInHandoff: _isKept, ...amounts } = quote.success.pricing;
      const { discount, ...parts } = pricing;
      assert.deepEqual(parts, amounts);
      assert.equal(currency, quote.success.currency);
      const expected = propertyId === 'a-middle' ? { percent: '50', amount: '525.00' } : null;
      assert.deepEqual(discount, expected);
    }
  });

  it('puts the cheapest total first, and what has no price last', async () => {
    const idsOf = async (more: string) =>
      (await list(`${QUERY}&${more}`)).items.map((item) => item.propertyId);
    assert.deepEqual(await idsOf('sort=total'), ['a-middle', 'd-cheap', 'c-dear', 'b-silent']);
    assert.deepEqual(await idsOf('sort=default'), ['a-middle', 'b-silent', 'c-dear', 'd-cheap']);
    assert.deepEqual(await idsOf('sort=total&pageSize=3&page=2'), ['b-silent']);
    assert.deepEqual(await idsOf('sort=total&page=9'), []);
  });

  it('prices properties by id, in the order asked, with the code that a quote would have', async () => {
    const propertyIds = ['d-cheap', 'e-hidden', 'b-silent', 'f-full', 'nobody', 'D-CHEAP', 'd-cheap'];
    const answer = await post({ propertyIds, stay: { ...STAY, guests: 2 } });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { items } = (await answer.json()) as StayPrices;
    assert.deepEqual(
      items.map(({ propertyId, code, currency, pricing }) => [propertyId, code, currency, pricing?.total]),
      [
        ['d-cheap', null, 'EUR', '700.00'],
        ['e-hidden', 'PROPERTY_NOT_FOUND', null, undefined],
        ['b-silent', 'QUOTE_UNAVAILABLE', 'EUR', undefined],
        ['f-full', 'STAY_UNAVAILABLE', 'EUR', undefined],
        ['nobody', 'PROPERTY_NOT_FOUND', null, undefined],
        ['D-CHEAP', 'PROPERTY_NOT_FOUND', null, undefined],
        ['d-cheap', null, 'EUR', '700.00'],
      ],
    );
  });

  it('takes 1 to 100 ids of any length, and refuses what is not as documented', async () => {
    const stay = { ...STAY, guests: 2 };
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`.padEnd(160, 'x'));
    assert.equal((await post({ propertyIds: ids(100), stay })).status, 200);
    assert.deepEqual(await issues(await post({ propertyIds: ids(101), stay })), [
      'propertyIds LENGTH_INVALID',
    ]);
    assert.deepEqual(await issues(await post({ propertyIds: [], stay })), ['propertyIds LENGTH_INVALID']);
    assert.deepEqual(await issues(await post({ propertyIds: 'a', stay })), ['propertyIds TYPE_INVALID']);
    assert.deepEqual(await issues(await post({ propertyIds: ['a', 7, 'b c'], stay })), [
      'propertyIds.1 TYPE_INVALID',
      'propertyIds.2 FORMAT_INVALID',
    ]);
    assert.deepEqual(await issues(await post({ propertyIds: ['a'], stay, currency: 'EUR' })), [
      'currency UNKNOWN_FIELD',
    ]);
    assert.deepEqual(await issues(await post('{"propertyIds":["a"],"stay":{"guests":1,"guests":2}}')), [
      'stay.guests DUPLICATE_PARAMETER',
    ]);
    assert.equal((await post('{"propertyIds":')).status, 400);
    for (const [query, expected] of [
      [`city=Venezia&checkIn=${STAY.checkIn}`, ['checkOut REQUIRED']],
      [`${QUERY}&sort=price`, ['sort NOT_ALLOWED']],
      [`${QUERY}&pageSize=51`, ['pageSize OUT_OF_RANGE']],
      ['city=Venezia&checkIn=2026-12-08&checkOut=2026-12-01', ['checkOut DATE_ORDER_INVALID']],
    ] as const)
      assert.deepEqual(await issues(await ask(`/prices/v1/stays?${query}`)), expected, query);
  });

  it('answers dates in the past and beyond the horizon with nothing', async () => {
    for (const [checkIn, checkOut] of [
      ['2020-01-01', '2020-01-03'],
      ['2035-01-01', '2035-01-03'],
    ])
      assert.deepEqual(
        (await list(`city=Venezia&checkIn=${checkIn}&checkOut=${checkOut}&sort=total`)).items,
        [],
      );
  });

  it('shows totals by check-in date', async () => {
    const calendar = async (query: string) =>
      (await (await ask(`/prices/v1/properties/d-cheap/calendar${query}`)).json()) as PriceCalendar;
    const { days, ...about } = await calendar('?from=2026-11-29&until=2026-12-03&nights=2');
    assert.deepEqual(about, {
      propertyId: 'd-cheap',
      timezone: 'Europe/Rome',
      currency: 'EUR',
      nights: 2,
      guests: 2,
    });
    assert.deepEqual(days, [
      { checkIn: '2026-11-29', available: false, total: null },
      { checkIn: '2026-11-30', available: false, total: null },
      { checkIn: '2026-12-01', available: true, total: '200.00' },
      { checkIn: '2026-12-02', available: true, total: '200.00' },
    ]);
    const usual = await calendar('');
    assert.deepEqual([usual.days.length, usual.days[0]?.checkIn, usual.nights], [31, '2026-11-20', 1]);
    for (const [query, expected] of [
      ['?from=2026-12-01&until=2026-12-01', ['until DATE_ORDER_INVALID']],
      ['?until=2026-11-20', ['until DATE_ORDER_INVALID']],
      ['?from=2026-12-01&until=2027-03-04', ['until OUT_OF_RANGE']],
      ['?nights=31', ['nights OUT_OF_RANGE']],
      ['?nights=0', ['nights OUT_OF_RANGE']],
    ] as const)
      assert.deepEqual(
        await issues(await ask(`/prices/v1/properties/d-cheap/calendar${query}`)),
        expected,
        query,
      );
    assert.equal((await calendar('?from=2026-12-01&until=2027-03-03')).days.length, 92);
    const silent = await ask('/prices/v1/properties/b-silent/calendar?from=2026-12-01&until=2026-12-02');
    assert.deepEqual(((await silent.json()) as PriceCalendar).days, [
      { checkIn: '2026-12-01', available: true, total: null },
    ]);
    assert.equal((await ask('/prices/v1/properties/e-hidden/calendar')).status, 404);
    assert.equal((await ask('/prices/v1/properties/d-cheap/calendar?from=9999-12-20')).status, 200);
  });

  it('shows a changed rate as soon as a search does', async () => {
    await installation.importLines([priced('d-cheap', '90.00')]);
    await until(async () => {
      const { items } = await list(`${QUERY}&sort=total`);
      return items.find(({ propertyId }) => propertyId === 'd-cheap')?.pricing?.total === '630.00';
    });
    await installation.importLines([priced('d-cheap', '100.00')]);
  });

  it('has test properties whose prices are those of their quotes', async () => {
    const test = (await installation.issue({ scopes: ALL_SCOPE_NAMES, isTest: true })).token;
    const headers = { ...JSON_BODY, authorization: `Bearer ${test}` };
    const stay = { checkIn: '2026-12-01', checkOut: '2026-12-03', guests: 2 };
    const propertyIds = ['test-always', 'test-quote-unavailable', 'test-sold-out', 'test-hidden', 'd-cheap'];
    let answer = new Response();
    await until(async () => {
      const body = JSON.stringify({ propertyIds, stay });
      answer = await fetch(`${service.partnerUrl}/prices/v1/stays`, { method: 'POST', body, headers });
      return answer.status !== 401;
    });
    const { items } = (await answer.json()) as StayPrices;
    assert.deepEqual(
      items.map(({ code }) => code),
      [null, 'QUOTE_UNAVAILABLE', 'STAY_UNAVAILABLE', 'PROPERTY_NOT_FOUND', 'PROPERTY_NOT_FOUND'],
    );
    const tester = new PartnerClient(service.partnerUrl, test);
    const query = `city=Testville&checkIn=${stay.checkIn}&checkOut=${stay.checkOut}&pageSize=50`;
    const asked = { path: `/prices/v1/stays?${query}` };
    const listed = (await tester.ask<StayPriceList>('searchStayPrices', asked)).success;
    assert.equal(listed.pagination.hasMore, false);
    assert.ok(listed.items.some(({ propertyId }) => propertyId === 'test-price-changed'));
    for (const { propertyId, pricing } of listed.items) {
      const quote = await tester.quote(quoteBody(propertyId, stay.checkIn, stay.checkOut));
      const total = quote.status === 201 ? quote.success.pricing.total : undefined;
      assert.equal(pricing?.total, total, propertyId);
      if (total === undefined) assert.equal(quote.outcome, '409 QUOTE_UNAVAILABLE');
    }
    const window = `city=Testville&checkInFrom=${stay.checkIn}&checkInUntil=${stay.checkIn}&nights=2&pageSize=50`;
    const best = await tester.ask<FlexibleStayList>('searchFlexibleStays', {
      path: `/prices/v1/flexible-stays?${window}&counts=true`,
    });
    assert.equal(best.success.pagination.total, listed.pagination.total);
    assert.ok(best.success.counts!.propertyTypes.some(({ value }) => value === 'villa'));
    const days = await tester.ask<PriceDays>('listPriceDays', {
      path: `/prices/v1/days?city=Testville&from=${stay.checkIn}&nights=2`,
    });
    assert.equal(days.success.days[0]!.properties, listed.pagination.total);
    assert.equal(days.success.days[0]!.lowest[0]!.total, best.success.items[0]!.pricing!.total);
  });
});
