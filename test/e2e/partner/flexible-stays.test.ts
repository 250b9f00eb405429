/**
 * Any dates (`/prices/v1/flexible-stays`, `/prices/v1/days`), filters, counts and openings on the real service: what they
 * say is what searches for each stay say.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import type {
  FlexibleStayList,
  PriceDays,
  StayPriceList,
} from '../../../src/contract/partner/price-schemas.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { formatLocalDate, parseLocalDate } from '../../../src/domain/local-date.ts';
import { getMoney } from '../../../src/domain/money.ts';
import type { TaxRule } from '../../../src/domain/property.ts';
import { formatPropertyDocument } from '../../../src/supply/native/format-property-document.ts';
import { double, hotel, type Line, nights } from '../../kit/catalogue-lines.ts';
import { type Installation, NOW_MS, openInstallation } from '../../kit/installation.ts';
import { type Answer, PartnerClient } from '../../kit/partner-client.ts';
import { FIRST_DAY, FIXED_SEED, worldArbitrary } from '../../kit/property-arbitraries.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

type PricedItem = StayPriceList['items'][number];
type FlexibleItem = FlexibleStayList['items'][number];

const PAGE_SIZE = 9;
const ZONES = ['UTC', 'Europe/Rome', 'Pacific/Kiritimati', 'Etc/GMT+12'];
const TYPES = ['hotel', 'Hotel', 'inn'];

/** A validity that ends before it begins is refused by imports. */
function inOrder(rule: TaxRule): TaxRule {
  const { validFrom, validTo } = rule;
  const isTurned = validFrom !== null && validTo !== null && validTo < validFrom;
  return isTurned ? { ...rule, validFrom: validTo, validTo: validFrom } : rule;
}

/** Every fifth is another partner's. */
const RANDOM_LINES: readonly Line[] = fc
  .sample(worldArbitrary, { ...FIXED_SEED, numRuns: 40 })
  .map(({ property, entries }, index) => {
    const document = {
      ...property,
      taxes: property.taxes.map(inOrder),
      propertyId: `${index % 5 === 4 ? 'unseen' : 'seen'}-${(index * 37) % 101}`,
      propertyType: TYPES[index % TYPES.length]!,
      amenities: index % 3 === 0 ? ['wifi', 'Pool'] : ['WiFi'],
      timezone: ZONES[index % ZONES.length]!,
      visibleTo: index % 5 === 4 ? ['somebody-else'] : ('all' as const),
      location: { city: 'Randomville', country: 'IT', area: index % 2 === 0 ? 'Lido' : null },
      cityAliases: [],
    };
    return JSON.parse(JSON.stringify(formatPropertyDocument(document, entries))) as Line;
  });

const RATED = { rating: { score: 4.5, count: 10 }, amenities: ['wifi', 'lift'] };
const INN = { propertyType: 'Inn', amenities: ['WIFI'], bathrooms: 2.5 };
const OLD_TOWN = { 'it-IT': 'Centro storico', 'en-GB': 'Old town' };
const inOpentown = (area: unknown = null): Line => ({ city: 'Opentown', country: 'IT', area });

function open(propertyId: string, set: Line, more: Line): Line {
  const calendar = [nights('2026-12-01', '2026-12-20', { availability: 1, ...set })];
  return hotel(propertyId, { location: inOpentown(), inventoryTypes: [double({ calendar })], ...more });
}

const OPENTOWN: readonly Line[] = [
  open('a-rated', { rate: '100.00' }, { ...RATED, location: inOpentown(OLD_TOWN) }),
  open('b-inn', { rate: '90.00' }, { ...INN, location: inOpentown('old  TOWN') }),
  open('c-unpriced', { rate: '50.00' }, { quoting: false }),
  open('d-hidden', { rate: '10.00' }, { visibleTo: ['somebody-else'], ...RATED }),
  open('e-swiss', { rate: '80.00' }, { currency: 'CHF' }),
  open('fee', { rate: '100.00' }, { cleaningFee: '100.00', location: { city: 'Feetown', country: 'IT' } }),
];

function describeSearches(databaseUrl: () => Promise<string | undefined>): void {
  let installation: Installation;
  let partner: PartnerClient;
  before(async () => {
    installation = await openInstallation(await databaseUrl());
    const { rejections } = await installation.importLines([...RANDOM_LINES, ...OPENTOWN]);
    assert.deepEqual(rejections, []);
    const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
    partner = new PartnerClient((await installation.serve({}, { hasReader: true })).partnerUrl, token);
  });
  after(() => installation.close());

  const stays = async (query: string) =>
    (await partner.ask<StayPriceList>('searchStayPrices', { path: `/prices/v1/stays?${query}` })).success;
  const askFlexible = (query: string): Promise<Answer<FlexibleStayList>> =>
    partner.ask<FlexibleStayList>('searchFlexibleStays', { path: `/prices/v1/flexible-stays?${query}` });
  const flexible = async (query: string) => (await askFlexible(query)).success;
  const days = async (query: string) =>
    (await partner.ask<PriceDays>('listPriceDays', { path: `/prices/v1/days?${query}` })).success;

  /** All pages. */
  async function allItems<Item>(
    ask: (query: string) => Promise<{ items: Item[]; pagination: { hasMore: boolean; total: number } }>,
    query: string,
  ): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let page = 1; ; page++) {
      const list = await ask(`${query}&pageSize=${PAGE_SIZE}&page=${page}`);
      items.push(...list.items);
      if (list.pagination.hasMore) continue;
      assert.equal(items.length, list.pagination.total);
      return items;
    }
  }

  for (const { filters, guests } of [
    { filters: '', guests: 2 },
    { filters: '&propertyTypes=HOTEL&amenities=wifi&areas=lido', guests: 1 },
    { filters: '&maxTotal=500.00&currency=EUR', guests: 3 },
  ])
    it(`the window: each property with the best of what each stay's search says${filters}`, async () => {
      const dates = Array.from({ length: 6 }, (_, day) => FIRST_DAY + 3 + day);
      const city = `city=Randomville&guests=${guests}${filters}`;
      const found = new Map<string, { item: PricedItem; checkIn: number; nights: number }[]>();
      for (const checkIn of dates)
        for (const length of [2, 3, 4]) {
          const stay = `checkIn=${formatLocalDate(checkIn)}&checkOut=${formatLocalDate(checkIn + length)}`;
          for (const item of await allItems(stays, `${city}&${stay}`))
            found.set(item.propertyId, [
              ...(found.get(item.propertyId) ?? []),
              { item, checkIn, nights: length },
            ]);
        }
      const [from, until] = [dates[0]!, dates.at(-1)!].map(formatLocalDate);
      const window = `${city}&checkInFrom=${from}&checkInUntil=${until}&nights=2&maxNights=4`;
      for (const sort of ['total', 'night']) {
        const items = await allItems(flexible, `${window}&sort=${sort}`);
        assert.deepEqual(new Set(items.map(({ propertyId }) => propertyId)), new Set(found.keys()));
        for (const item of items) assertBest(item, found.get(item.propertyId)!, sort);
        assertOrder(items, sort);
      }
      assert.ok(found.size >= 3, `${found.size}`);
    });

  it('days: each is what the search for its stay by total says', async () => {
    const city = 'city=Randomville&guests=2&areas=Lido';
    const from = formatLocalDate(FIRST_DAY);
    const until = formatLocalDate(FIRST_DAY + 8);
    const calendar = await days(`${city}&from=${from}&until=${until}&nights=3`);
    assert.equal(calendar.days.length, 8);
    for (const { checkIn, properties, lowest } of calendar.days) {
      const checkOut = formatLocalDate(parseLocalDate(checkIn)! + 3);
      const items = await allItems(stays, `${city}&checkIn=${checkIn}&checkOut=${checkOut}&sort=total`);
      assert.equal(properties, items.length);
      const firsts = Map.groupBy(
        items.filter(({ pricing }) => pricing !== null),
        ({ currency }) => currency,
      );
      assert.deepEqual(
        lowest,
        [...firsts.values()].map(([first]) => {
          const { currency, pricing, propertyId } = first!;
          return { currency, total: pricing!.total, propertyId };
        }),
      );
    }
  });

  describe('Opentown', () => {
    const WINDOW = 'city=Opentown&checkInFrom=2026-12-01&nights=3';
    const STAY = 'city=Opentown&checkIn=2026-12-05&checkOut=2026-12-08';

    it('the best stays come by currency and total, those without a price last, hidden ones never', async () => {
      const { items, pagination } = await flexible(WINDOW);
      assert.deepEqual(
        items.map(({ propertyId, pricing, stay }) => [propertyId, pricing?.total ?? null, stay.checkIn]),
        [
          ['e-swiss', '240.00', '2026-12-01'],
          ['b-inn', '270.00', '2026-12-01'],
          ['a-rated', '300.00', '2026-12-01'],
          ['c-unpriced', null, '2026-12-01'],
        ],
      );
      assert.equal(pagination.total, 4);
      // From the first night to the last one, which is the 20th.
      for (const { checkIns } of items) assert.equal(checkIns, 18);
      assert.deepEqual(items[0]!.stay, {
        checkIn: '2026-12-01',
        checkOut: '2026-12-04',
        nights: 3,
        guests: 2,
        timezone: 'Europe/Rome',
      });
    });

    it('a window in the past, beyond the horizon, or without a wanted weekday is empty', async () => {
      const none = { items: [], pagination: { page: 1, pageSize: 20, total: 0, hasMore: false } };
      const city = 'city=Opentown&nights=3';
      for (const window of [
        'checkInFrom=2020-01-01',
        'checkInFrom=9999-12-31',
        'checkInFrom=2029-01-01',
        // A Tuesday.
        'checkInFrom=2026-12-01&checkInUntil=2026-12-01&checkInDays=wed',
      ])
        assert.deepEqual(await flexible(`${city}&${window}`), none, window);
      assert.deepEqual(await flexible('city=Nowhere&checkInFrom=2026-12-01&nights=3'), none);
    });

    it('only wanted weekdays are dates of check-in', async () => {
      const { items } = await flexible(`${WINDOW}&checkInDays=sat,thu`);
      assert.deepEqual(
        items.map(({ stay, checkIns }) => [stay.checkIn, checkIns]),
        Array.from({ length: 4 }, () => ['2026-12-03', 5]),
      );
    });

    it('filters compare as cities do, and leave out what lacks the value', async () => {
      const idsUnder = async (filter: string) =>
        (await stays(`${STAY}&${filter}`)).items.map(({ propertyId }) => propertyId);
      const rows: readonly (readonly [filter: string, ids: readonly string[]])[] = [
        ['propertyTypes=HOTEL,inn', ['a-rated', 'b-inn', 'c-unpriced', 'e-swiss']],
        ['propertyTypes=castle', []],
        ['amenities=Wifi', ['a-rated', 'b-inn']],
        ['amenities=wifi,lift,wifi', ['a-rated']],
        [`amenities=${Array.from({ length: 20 }, (_, index) => `none-${index}`).join(',')}`, []],
        ['areas=old+town', ['a-rated', 'b-inn']],
        ['areas=centro-storico&locale=en-GB', ['a-rated']],
        ['areas=nowhere', []],
        ['minRating=4.5', ['a-rated']],
        ['minRating=4.6', []],
        ['minBathrooms=2.5', ['b-inn']],
        ['maxTotal=270.00&currency=EUR', ['b-inn']],
        ['maxTotal=269.99&currency=EUR', []],
        ['maxTotal=1000.00&currency=CHF', ['e-swiss']],
        ['maxTotal=1000.00&currency=USD', []],
      ];
      for (const [filter, ids] of rows) {
        assert.deepEqual(await idsUnder(filter), ids, filter);
        const best = await flexible(`${WINDOW}&${filter}`);
        assert.deepEqual(best.items.map(({ propertyId }) => propertyId).toSorted(), ids, filter);
        const calendar = await days(
          `city=Opentown&from=2026-12-05&until=2026-12-06&nights=3&${filter.replace('&locale=en-GB', '')}`,
        );
        assert.equal(calendar.days[0]!.properties, ids.length, filter);
      }
    });

    it('a dear stay is left out before the best one by night is chosen', async () => {
      const window = 'city=Feetown&checkInFrom=2026-12-01&nights=1&maxNights=3&sort=night';
      const bestOf = async (filter: string) =>
        (await flexible(`${window}${filter}`)).items.map(({ stay, pricing }) => [
          stay.nights,
          pricing!.total,
        ]);
      assert.deepEqual(await bestOf(''), [[3, '400.00']]);
      assert.deepEqual(await bestOf('&maxTotal=400.00&currency=EUR'), [[3, '400.00']]);
      assert.deepEqual(await bestOf('&maxTotal=399.99&currency=EUR'), [[2, '300.00']]);
      assert.deepEqual(await bestOf('&maxTotal=199.99&currency=EUR'), []);
    });

    it('counts are over all pages, in the locale, and of no hidden property', async () => {
      const counts = {
        propertyTypes: [
          { value: 'hotel', count: 3 },
          { value: 'Inn', count: 1 },
        ],
        amenities: [
          { value: 'WIFI', count: 2 },
          { value: 'lift', count: 1 },
        ],
        areas: [{ value: 'Old town', count: 2 }],
      };
      const english = await stays(`${STAY}&counts=true&locale=en-GB&pageSize=1`);
      assert.deepEqual(english.counts, { ...counts, areas: [{ value: 'Old town', count: 2 }] });
      assert.deepEqual((await flexible(`${WINDOW}&counts=true&locale=en-GB&page=9`)).counts, english.counts);
      const italian = await stays(`${STAY}&counts=true&propertyTypes=inn`);
      assert.deepEqual(italian.counts, {
        propertyTypes: counts.propertyTypes,
        amenities: [{ value: 'WIFI', count: 1 }],
        areas: [{ value: 'old  TOWN', count: 1 }],
      });
      assert.equal((await stays(`${STAY}&counts=false`)).counts, undefined);
    });

    it('the nearest openings are told where nothing is available, and never in the past', async () => {
      const asked = 'city=Opentown&nearest=true';
      const late = await stays(`${asked}&checkIn=2026-12-19&checkOut=2026-12-22`);
      assert.deepEqual(late.nearest, [
        { checkIn: '2026-12-18', checkOut: '2026-12-21', properties: 4 },
        { checkIn: '2026-12-17', checkOut: '2026-12-20', properties: 4 },
        { checkIn: '2026-12-16', checkOut: '2026-12-19', properties: 4 },
      ]);
      const filtered = `${asked}&minRating=4&checkIn=2027-01-17&checkOut=2027-01-20&page=3`;
      // 30 days before, and one more.
      assert.deepEqual((await stays(filtered)).nearest, [
        { checkIn: '2026-12-18', checkOut: '2026-12-21', properties: 1 },
      ]);
      assert.deepEqual((await stays(filtered.replace('-17', '-18').replace('-20', '-21'))).nearest, []);
      assert.deepEqual((await stays(`${STAY}&nearest=true`)).nearest, []);
      assert.deepEqual((await stays(`${STAY}&nearest=true&maxTotal=1.00&currency=EUR`)).nearest, []);
      assert.equal((await stays(STAY)).nearest, undefined);
      const past = await stays(`${asked}&checkIn=2026-11-10&checkOut=2026-11-13`);
      assert.deepEqual(
        past.nearest?.map(({ checkIn }) => checkIn),
        ['2026-12-01', '2026-12-02', '2026-12-03'],
      );
    });

    it('days begin with the earliest today of the properties that the partner sees', async () => {
      const { days: dates } = await days('city=Randomville');
      const earliest = formatLocalDate(Math.floor((NOW_MS - 12 * 3_600_000) / 86_400_000));
      assert.deepEqual([dates[0]!.checkIn, dates.length], [earliest, 31]);
      const empty = await days('city=Nowhere&from=2026-12-01&until=2026-12-02');
      assert.deepEqual(empty.days, [{ checkIn: '2026-12-01', properties: 0, lowest: [] }]);
    });

    it('a stay over the change of clocks has its nights', async () => {
      await installation.importLines(
        [
          hotel('spring', {
            location: { city: 'Springtown', country: 'IT' },
            inventoryTypes: [
              double({ calendar: [nights('2027-03-26', '2027-03-30', { availability: 1, rate: '70.00' })] }),
            ],
          }),
        ],
        { source: 'spring' },
      );
      const window = 'city=Springtown&checkInFrom=2027-03-20&nights=2&maxNights=5&sort=night';
      for (;;) {
        const { items } = await flexible(window);
        if (items.length === 0) continue;
        assert.deepEqual(
          items.map(({ stay, checkIns, pricing }) => [stay.checkIn, stay.nights, checkIns, pricing!.total]),
          [['2027-03-26', 2, 4, '140.00']],
        );
        return;
      }
    });
  });
}

/** The amounts of two stays, compared exactly. */
function compareAmounts(
  one: FlexibleItem | Candidate,
  other: FlexibleItem | Candidate,
  sort: string,
): number {
  const [mine, theirs] = [one, other].map(({ pricing, stay }) => ({
    total: getMoney(pricing!.total),
    nights: BigInt(sort === 'night' ? stay.nights : 1),
  }));
  const difference = mine!.total * theirs!.nights - theirs!.total * mine!.nights;
  return difference < 0n ? -1 : Number(difference > 0n);
}

type Candidate = Pick<FlexibleItem, 'pricing'> & {
  readonly stay: Pick<FlexibleItem['stay'], 'checkIn' | 'nights'>;
};

function assertBest(
  item: FlexibleItem,
  found: readonly { readonly item: PricedItem; readonly checkIn: number; readonly nights: number }[],
  sort: string,
): void {
  const candidates = found.map((one): Candidate => ({
    pricing: one.item.pricing,
    stay: { checkIn: formatLocalDate(one.checkIn), nights: one.nights },
  }));
  // The searches were in the order of check-in, then of nights.
  const [best = candidates[0]] = candidates
    .filter(({ pricing }) => pricing !== null)
    .toSorted((one, other) => compareAmounts(one, other, sort));
  const { checkIn, nights: length } = item.stay;
  assert.deepEqual({ pricing: item.pricing, stay: { checkIn, nights: length } }, best, item.propertyId);
  assert.equal(item.checkIns, new Set(found.map((one) => one.checkIn)).size);
  const { pricing: _pricing, ...summary } = found[0]!.item;
  const { pricing: _best, stay: _stay, checkIns: _checkIns, ...shown } = item;
  assert.deepEqual(shown, summary);
}

function assertOrder(items: readonly FlexibleItem[], sort: string): void {
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before === undefined || item.pricing === null) continue;
    assert.ok(before.pricing !== null && before.currency <= item.currency);
    if (before.currency === item.currency) assert.ok(compareAmounts(before, item, sort) <= 0);
  }
}

describe('Any dates on SQLite', () => describeSearches(async () => undefined));

describePostgres('Any dates on PostgreSQL', (server) => describeSearches(() => server().createDatabase()));
