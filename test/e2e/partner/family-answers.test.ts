/**
 * A family in each operation that takes ages, over the socket: their order makes no difference, and what a document may say
 * at its limits is answered everywhere alike. A quote with ages is opened, continued, booked and told as any other one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StayPrices, StayQuote } from '../../../src/contract/partner/price-schemas.ts';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { findShownQuote } from '../../../src/partner/quotes/shown-quote.ts';
import { createWebhook } from '../../../src/partner/webhooks/webhook-changes.ts';
import { reportAttribution } from '../../../src/traveller/attribution/attribution-report.ts';
import { FAMILY_TAX, hotelWith, type Line, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';
import { valueOf } from '../../kit/value-of.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const DAY_MS = 86_400_000;
const BROWSER = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Firefox/133.0' };
const DATES = { checkIn: '2026-12-01', checkOut: '2026-12-03' };
const TYPE = {
  inventoryTypeId: 'room',
  name: 'Room',
  guestsMax: 3,
  includedGuests: 2,
  extraGuestRate: '30.00',
  calendar: [nights('2026-11-20', '2026-12-31', { availability: 1, rate: '100.00' })],
};
const COT = { untilAge: 2, occupies: false };
const inn = (propertyId: string, ageBands: readonly Line[], type: Line = {}, more: Line = {}): Line =>
  hotelWith(propertyId, [], {
    location: { city: 'Familyville', country: 'IT' },
    cleaningFee: null,
    taxes: [],
    ageBands,
    inventoryTypes: [{ ...TYPE, ...type }],
    ...more,
  });

const LINES: readonly Line[] = [
  inn('family', [COT, { untilAge: 12, rate: '15.00' }], {}, { taxes: [FAMILY_TAX] }),
  inn('plain', []),
  inn('only-cots', [{ untilAge: 17, occupies: false, max: 29 }], { guestsMax: 1, includedGuests: 1 }),
  inn('one-cot', [{ untilAge: 17, occupies: false }], { guestsMax: 1, includedGuests: 1 }),
  inn('dear', [{ untilAge: 12, rate: '900.00' }]),
  inn('own-bands', [{ untilAge: 17, rate: '0.00' }], { ageBands: [] }),
];

/** The parts of answers that are compared: each operation has some. */
interface Said {
  readonly items: readonly {
    readonly propertyId: string;
    readonly pricing: { readonly total: string } | null;
  }[];
  readonly days: readonly {
    readonly available?: boolean;
    readonly total?: string | null;
    readonly properties?: number;
    readonly lowest?: readonly { readonly total: string }[];
  }[];
  readonly pricing?: { readonly total: string };
  readonly code?: string;
}

/** What the operator's calls answer. */
interface Told {
  readonly outcome?: string;
  readonly stay?: object;
  readonly currentTotal?: string;
  readonly recorded?: boolean;
}

/** Property, travellers, and the total of their two nights; null: they do not fit. */
const TOTALS: readonly (readonly [
  propertyId: string,
  guests: number,
  ages: number[],
  total: string | null,
])[] = [
  ['family', 4, [1, 8], '244.00'],
  ['family', 4, [], null],
  ['family', 4, [1, 2], '244.00'],
  ['family', 5, [0, 1, 2], null],
  // As four adults: 2 extra guests a night.
  ['plain', 3, [1, 8], '260.00'],
  ['plain', 3, [], '260.00'],
  ['only-cots', 30, Array<number>(29).fill(17), '200.00'],
  ['only-cots', 2, [], null],
  ['one-cot', 2, [17], '200.00'],
  ['one-cot', 3, [0, 17], null],
  ['dear', 3, [12], '2000.00'],
  ['dear', 3, [13], '260.00'],
  ['own-bands', 3, [4], '260.00'],
];

function describeFamilies(databaseUrl: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let partner: PartnerClient;
  let operatorToken: string;
  before(async () => {
    installation = await openInstallation(await databaseUrl());
    const { rejections } = await installation.importLines(LINES);
    assert.deepEqual(rejections, []);
    const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
    operatorToken = await installation.issueOperatorToken();
    service = await installation.serve({
      WEB_PORT: '0',
      WEB_LIMIT: '0',
      BOOKING_URL_TEMPLATE: 'https://book.example/{propertyId}?c={children}&ages={childAges}',
    });
    partner = new PartnerClient(service.partnerUrl, token);
  });
  after(() => installation.close());

  const post = <Success>(operation: OperationId, path: string, body: object) =>
    partner.ask<Success>(operation, { method: 'POST', path, body: JSON.stringify(body) });
  const quote = (propertyId: string, stay: object) =>
    post<StayQuote>('createStayQuote', '/prices/v1/quotes', { propertyId, stay, locale: 'en-GB' });

  const stayOf = (guests: number, childAges: readonly number[]) => ({ ...DATES, guests, childAges });
  /** Each operation that has a query, about these travellers. */
  function gets(propertyId: string, guests: number, ages: readonly number[]) {
    const party = `guests=${guests}${ages.length === 0 ? '' : `&childAges=${ages.join()}`}`;
    const stay = `checkIn=${DATES.checkIn}&checkOut=${DATES.checkOut}&${party}`;
    const city = 'city=Familyville';
    const one = `/prices/v1/properties/${propertyId}`;
    return [
      ['searchStayPrices', `/prices/v1/stays?${city}&${stay}&sort=total`],
      [
        'searchFlexibleStays',
        `/prices/v1/flexible-stays?${city}&checkInFrom=${DATES.checkIn}&nights=2&maxNights=3&${party}`,
      ],
      ['listPriceDays', `/prices/v1/days?${city}&from=${DATES.checkIn}&nights=2&${party}`],
      ['getPriceCalendar', `${one}/calendar?from=${DATES.checkIn}&nights=2&${party}`],
      ['getStayOffer', `${one}/offer?${stay}`],
    ] as const;
  }

  it('in any order of ages has the same answer, to the byte', async () => {
    const textOf = async (operation: OperationId, path: string) => {
      return (await partner.ask(operation, { path })).text;
    };
    for (const [index, [operation, path]] of gets('family', 4, [1, 8]).entries()) {
      const [, turned] = gets('family', 4, [8, 1])[index]!;
      assert.notEqual(turned, path);
      const answer = await textOf(operation, path);
      assert.match(answer, /244\.00/, operation);
      assert.equal(await textOf(operation, turned), answer);
    }
    const items = async (childAges: number[]) => {
      const asked = { propertyIds: ['family', 'plain'], stay: stayOf(4, childAges), why: true };
      return (await post<StayPrices>('priceStays', '/prices/v1/stays', asked)).success;
    };
    assert.deepEqual(await items([8, 1]), await items([1, 8]));
    const made = async (childAges: number[]) => {
      const {
        quoteId: _id,
        handoffUrl: _url,
        ...rest
      } = (await quote('family', stayOf(4, childAges))).success;
      return rest;
    };
    assert.deepEqual(await made([8, 1]), await made([1, 8]));
  });

  for (const [propertyId, guests, ages, total] of TOTALS)
    it(`${guests} travellers, of whom ${ages.length} children, at ${propertyId}: ${total ?? 'no place'}`, async () => {
      const [list, flexible, days, calendar, offer] = await Promise.all(
        gets(propertyId, guests, ages).map(async ([operation, path]) => {
          return JSON.parse((await partner.ask(operation, { path })).text) as Said;
        }),
      );
      const totalIn = ({ items }: Said) =>
        items.find((item) => item.propertyId === propertyId)?.pricing?.total ?? null;
      assert.deepEqual([totalIn(list!), totalIn(flexible!)], [total, total]);
      const [day] = days!.days;
      assert.deepEqual(
        [day?.properties, day?.lowest?.[0]?.total],
        [list!.items.length, list!.items[0]?.pricing?.total],
      );
      const [first] = calendar!.days;
      assert.deepEqual([first?.available, first?.total], [total !== null, total]);
      assert.equal(offer!.pricing?.total ?? null, total);
      assert.equal(offer!.code ?? null, total === null ? 'STAY_UNAVAILABLE' : null);
      const asked = { propertyIds: [propertyId], stay: stayOf(guests, ages) };
      const [item] = (await post<StayPrices>('priceStays', '/prices/v1/stays', asked)).success.items;
      assert.equal(item?.pricing?.total ?? null, total);
      const quoted = await quote(propertyId, stayOf(guests, ages));
      assert.equal(quoted.status, total === null ? 409 : 201);
      if (total === null) return;
      assert.equal(quoted.success.pricing.total, total);
      const page = await (await fetch(pageOf(quoted.success), { headers: BROWSER })).text();
      assert.match(page, /data-outcome="unchanged"/);
      assert.ok(page.includes(`€${total.replace(/^(\d)(\d{3})/, '$1,$2')}`), page);
    });

  it('needs both scopes for its quote', async () => {
    for (const scopes of [['quotes:write'], ['prices:read']]) {
      const { token } = await installation.issue({ scopes });
      const limited = new PartnerClient(service.partnerUrl, token);
      const body = JSON.stringify({ propertyId: 'family', stay: stayOf(4, [1, 8]), locale: 'en-GB' });
      const asked = { method: 'POST', path: '/prices/v1/quotes', body };
      let answer = await limited.ask('createStayQuote', asked);
      await until(async () => (answer = await limited.ask('createStayQuote', asked)).status !== 401);
      assert.equal(answer.status, 403);
    }
  });

  it('is unknown to /v1, which refuses ages', async () => {
    const query = `city=Familyville&checkIn=${DATES.checkIn}&checkOut=${DATES.checkOut}&guests=4&childAges=1,8`;
    const list = await partner.ask('listPartnerProperties', { path: `/v1/properties?${query}` });
    const one = query.replace('city=Familyville&', '');
    const path = `/v1/properties/family/availability?${one}`;
    const availability = await partner.ask('getPartnerPropertyAvailability', { path });
    const body = { propertyId: 'family', stay: stayOf(4, [1, 8]), locale: 'en-GB' as const };
    assert.deepEqual(list.issues, ['childAges UNKNOWN_PARAMETER']);
    assert.deepEqual(availability.issues, ['childAges UNKNOWN_PARAMETER']);
    assert.deepEqual((await partner.quote(body)).issues, ['stay.childAges UNKNOWN_FIELD']);
  });

  const pageOf = ({ handoffUrl }: StayQuote): string =>
    `${service.webUrl}/handoff${new URL(handoffUrl).search}`;

  it('is opened, continued, resolved and booked as any quote', async () => {
    const { storage, access, time } = installation;
    const webhook = { partnerId: 'acme', url: 'https://hooks.example/in', allowsPrivate: false };
    const events = ['quote.continued', 'quote.converted', 'quote.opened'] as const;
    const { webhookId } = valueOf(await createWebhook({ ...access, storage }, { ...webhook, events }));
    const { success: quoted } = await quote('family', stayOf(4, [8, 1]));
    const { quoteId } = quoted;
    const stored = await findShownQuote(storage, quoteId);
    assert.deepEqual(
      stored!.nights.map(({ children, discount }) => [children, discount]),
      [
        ['15.00', '0.00'],
        ['15.00', '0.00'],
      ],
    );
    assert.equal((await fetch(pageOf(quoted), { headers: BROWSER })).status, 200);
    const handoff = new URL(quoted.handoffUrl).searchParams.get('handoff') ?? '';
    const onward = await fetch(`${service.webUrl}/handoff/continue`, {
      method: 'POST',
      body: new URLSearchParams({ handoff }),
      headers: BROWSER,
      redirect: 'manual',
    });
    assert.equal(onward.headers.get('location'), 'https://book.example/family?c=2&ages=1%2C8');
    const ask = async (path: string, body: object): Promise<Told> => {
      const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await (await fetch(`${service.operatorUrl}${path}`, sent)).json()) as Told;
    };
    const resolved = await ask('/handoff/resolve', { handoff });
    const { outcome, stay, currentTotal } = resolved;
    assert.deepEqual([outcome, currentTotal], ['unchanged', '244.00']);
    const shown = { ...DATES, nights: 2, guests: 4, childAges: [1, 8], timezone: 'Europe/Rome' };
    assert.deepEqual(stay, shown);
    const booking = { quoteId, reference: 'F-1', status: 'booked', total: '244.00', currency: 'EUR' };
    const { recorded } = await ask('/handoff/conversions', booking);
    assert.equal(recorded, true);

    // Visits are written after the answers.
    const today = Math.floor(time.nowMs / DAY_MS);
    const attributed = async () => {
      const [row] = await reportAttribution(storage, { from: today, to: today, partnerId: 'acme' });
      return [row?.converted, row?.convertedTotals];
    };
    // Visits of the quotes above may be written meanwhile.
    const told = async () => {
      const deliveries = await storage.listDeliveries(webhookId, 99);
      return [...new Set(deliveries.map(({ event }) => event))].toSorted();
    };
    await until(async () => (await told()).length === events.length);
    assert.deepEqual(await told(), events);
    assert.deepEqual(await attributed(), [1, { EUR: '244.00' }]);
  });
}

describe('A family on SQLite', () => describeFamilies(async () => undefined));
describePostgres('A family on PostgreSQL', (server) => describeFamilies(() => server().createDatabase()));
