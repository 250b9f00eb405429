import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveQuote, type NaiveWorld } from '../../../../test/kit/naive-model.ts';
import {
  ALL_ZONES,
  CITY,
  fillCity,
  makePricedCity,
  type NaiveBest,
  naiveCompare,
  naiveCounts,
  type NaiveCounts,
  type NaiveParty,
  naiveDays,
  naiveFlexible,
  naivePasses,
  type NaivePricedStay,
  naiveStaysAt,
  type NaiveWindow,
  PARTNER,
  type PricedCity,
} from '../../../../test/kit/priced-city.ts';
import {
  DAY_COUNT,
  familyArbitrary,
  FIRST_DAY,
  worldArbitrary,
} from '../../../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { formatLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { LOCALES } from '../../../domain/property.ts';
import type { StayFilters } from '../../../domain/stay-filters.ts';
import type { PricedPage } from './priced-moment.ts';

const PAGE_SIZE = 7;
const ASKED = { city: CITY, pageSize: PAGE_SIZE, partnerId: PARTNER };

interface Item {
  readonly propertyId: string;
  readonly pricing: object | null;
  readonly stay?: object;
  readonly checkIns?: number;
}

interface Page {
  readonly items: readonly Item[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
  readonly counts?: NaiveCounts;
  readonly nearest?: readonly object[];
}

/** Properties of four zones with three days, in one city name of two countries. */
const cityArbitrary = fc
  .array(worldArbitrary, { minLength: 1, maxLength: 45, size: 'max' })
  .map((drawn: readonly NaiveWorld[]) => makePricedCity(drawn, ALL_ZONES));

const someOf = (...texts: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.subarray([...texts], { minLength: 1 });

/** Each filter in a third of them; too many at once leave nothing. */
const filtersArbitrary: fc.Arbitrary<StayFilters | undefined> = fc.oneof(
  fc.constant(undefined),
  fc
    .record({
      propertyTypes: someOf('HOTEL', ' inn', 'citta', 'A suite', 'nothing'),
      amenities: someOf('WIFI', 'kitchen ', 'pool'),
      areas: someOf('castello', 'old  town', 'CENTRO STORICO', 'nowhere'),
      minRating: fc.constantFrom(0, 3.5, 4.2, 5),
      minBathrooms: fc.constantFrom(0, 0.5, 1.5),
      maxTotal: fc.record({
        currency: fc.constantFrom('EUR', 'EUR', 'JPY', 'USD'),
        total: fc.bigInt({ min: 0n, max: 200_000n }),
      }),
    })
    .chain((all) => {
      const names = Object.keys(all) as (keyof typeof all)[];
      return fc
        .uniqueArray(fc.constantFrom(...names), { maxLength: 2, size: 'max' })
        .map((kept) => Object.fromEntries(kept.map((name) => [name, all[name]])));
    }),
);

const partyArbitrary: fc.Arbitrary<NaiveParty> = familyArbitrary.map(({ guests, childAges }) => ({
  guests,
  ...(childAges && { childAges }),
}));

const windowArbitrary: fc.Arbitrary<NaiveWindow> = fc
  .record({
    from: fc.integer({ min: FIRST_DAY - 4, max: FIRST_DAY + DAY_COUNT }),
    count: fc.integer({ min: 1, max: 14 }),
    nights: fc.integer({ min: 1, max: 8 }),
    more: fc.integer({ min: 0, max: 6 }),
    party: partyArbitrary,
    days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
  })
  .map(({ from, count, nights, more, party, days }) => ({
    checkIns: Array.from({ length: count }, (_, day) => from + day).filter((day) => days.includes(day % 7)),
    nights,
    maxNights: nights + more,
    ...party,
  }));

function readPages(ask: (page: number) => PricedPage, count: number): readonly Page[] {
  const pages: Page[] = [];
  for (let page = 1; page <= Math.ceil(count / PAGE_SIZE) + 1; page++) {
    const found = ask(page);
    pages.push(JSON.parse(Buffer.from(found.body).toString()) as Page);
  }
  return pages;
}

function presentBest({ world, stay, pricing, checkIns }: NaiveBest): Item {
  const { propertyId, timezone } = world.property;
  const { checkIn, checkOut, guests, childAges } = stay;
  const dates = { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkOut) };
  const shown = { ...dates, nights: checkOut - checkIn, guests, ...(childAges && { childAges }), timezone };
  return { propertyId, stay: shown, pricing, checkIns };
}

const withoutSummary = ({ propertyId, stay, pricing, checkIns }: Item): Item => {
  return stay === undefined ? { propertyId, pricing } : { propertyId, stay, pricing, checkIns: checkIns! };
};

function assertPages(pages: readonly Page[], expected: readonly Item[]): void {
  assert.deepEqual(
    pages.flatMap(({ items }) => items.map(withoutSummary)),
    expected,
  );
  for (const [index, { pagination }] of pages.entries()) {
    assert.equal(pagination.total, expected.length);
    assert.equal(pagination.hasMore, (index + 1) * PAGE_SIZE < expected.length);
  }
}

/** States of a city whose properties all change, with searches in between: memory is used again from the third on. */
const STATES = 12;
const statesArbitrary = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.array(fc.array(worldArbitrary, { minLength: count, maxLength: count, size: 'max' }), {
    minLength: STATES,
    maxLength: STATES,
    size: 'max',
  }),
);

describe('Searches of a catalogue that changes', () => {
  it('filter and count by the present state of each property, not by an earlier one', () => {
    let changed = 0;
    fc.assert(
      fc.property(
        statesArbitrary,
        windowArbitrary,
        fc.array(filtersArbitrary, { minLength: 3, maxLength: 3 }),
        ([first, ...later], window, someFilters) => {
          const { today, horizonNights } = first![0]!;
          const { catalogue } = makePricedCity(first!, ALL_ZONES);
          let told = '';
          for (const [index, drawn] of [first!, ...later].entries()) {
            const inTime = drawn.map((world) => ({ ...world, today, horizonNights }));
            const firstRevision = (index + 1) * drawn.length + 1;
            const city = { catalogue, worlds: fillCity(catalogue.writer, inTime, ALL_ZONES, firstRevision) };
            for (const filters of someFilters) {
              const underFilters = (some?: StayFilters) => naiveFlexible(city, window, false, some);
              const expected = underFilters(filters).map(presentBest);
              const asked = { ...ASKED, ...window, filters, sort: 'total', locale: 'en-GB' } as const;
              const pages = readPages(
                (page) => city.catalogue.prices.flexible({ ...asked, counts: true, page }),
                expected.length,
              );
              assertPages(pages, expected);
              assert.deepEqual(pages[0]!.counts, naiveCounts(underFilters, filters ?? {}, 'en-GB'));
            }
            const now = JSON.stringify(
              naiveCounts((some) => naiveFlexible(city, window, false, some), {}, 'en-GB'),
            );
            if (now !== told) changed += 1;
            told = now;
          }
        },
      ),
      { ...RUN_SEED, numRuns: 30, endOnFailure: true },
    );
    assert.ok(changed > 40, String(changed));
  });
});

describe('Searches over many dates', () => {
  it('flexible search: each property with the best of all its stays, page by page, as the naive model', () => {
    let priced = 0;
    let unpriced = 0;
    fc.assert(
      fc.property(
        cityArbitrary,
        windowArbitrary,
        filtersArbitrary,
        fc.constantFrom('total', 'night'),
        fc.constantFrom(...LOCALES),
        fc.boolean(),
        (city, window, filters, sort, locale, counts) => {
          const underFilters = (some?: StayFilters) => naiveFlexible(city, window, sort === 'night', some);
          const expected = underFilters(filters).map(presentBest);
          const asked = { ...ASKED, ...window, filters, sort, locale, counts };
          const pages = readPages(
            (page) => city.catalogue.prices.flexible({ ...asked, page }),
            expected.length,
          );
          assertPages(pages, expected);
          const counted = counts ? naiveCounts(underFilters, filters ?? {}, locale) : undefined;
          assert.deepEqual(pages[0]!.counts, counted);
          priced += expected.filter(({ pricing }) => pricing !== null).length;
          unpriced += expected.filter(({ pricing }) => pricing === null).length;
        },
      ),
      { ...RUN_SEED, numRuns: 150 },
    );
    assert.ok(priced > 50 && unpriced > 2, `${priced} ${unpriced}`);
  });

  it('search for one stay: filters and counts as the naive model, in both orders', () => {
    let found = 0;
    fc.assert(
      fc.property(
        cityArbitrary,
        windowArbitrary,
        filtersArbitrary,
        fc.constantFrom('default', 'total'),
        fc.constantFrom(...LOCALES),
        fc.boolean(),
        (city, window, filters, sort, locale, counts) => {
          const stay = {
            checkIn: window.checkIns[0] ?? FIRST_DAY,
            nights: window.nights,
            guests: window.guests,
            childAges: window.childAges,
          };
          const asked = { ...stay, checkOut: stay.checkIn + stay.nights };
          const underFilters = (some: StayFilters = {}): NaivePricedStay[] =>
            naiveStaysAt(city, asked).filter((one) => naivePasses(one, some));
          const expected = underFilters(filters);
          if (sort === 'total') expected.sort((one, other) => naiveCompare(one, other, false));
          const { guests, childAges } = window;
          const search = { ...ASKED, stay: asked, guests, childAges, filters, sort, locale, counts };
          const pages = readPages(
            (page) => city.catalogue.prices.search({ ...search, page }),
            expected.length,
          );
          assertPages(
            pages,
            expected.map(({ world, pricing }) => ({ propertyId: world.property.propertyId, pricing })),
          );
          const counted = counts ? naiveCounts(underFilters, filters ?? {}, locale) : undefined;
          assert.deepEqual(pages[0]!.counts, counted);
          found += expected.length;
        },
      ),
      { ...RUN_SEED, numRuns: 200 },
    );
    assert.ok(found > 100, `${found}`);
  });

  it('search for one stay: the nearest openings as a naive count finds them', () => {
    let told = 0;
    fc.assert(
      fc.property(
        cityArbitrary,
        windowArbitrary,
        filtersArbitrary,
        (city, { checkIns: [checkIn = FIRST_DAY], nights, guests, childAges }, filters) => {
          const countAt = (shift: number): number => {
            const moved = { checkIn: checkIn + shift, checkOut: checkIn + shift + nights, guests, childAges };
            const found = naiveStaysAt(city, moved);
            return found.filter((one) => naivePasses(one, { ...filters, maxTotal: undefined })).length;
          };
          const expected: object[] = [];
          for (let days = 1; days <= 30 && expected.length < 3 && countAt(0) === 0; days++)
            for (const shift of [-days, days]) {
              const dates = [checkIn + shift, checkIn + shift + nights].map(formatLocalDate);
              const opening = { checkIn: dates[0], checkOut: dates[1], properties: countAt(shift) };
              if (opening.properties > 0 && expected.length < 3) expected.push(opening);
            }
          const stay = { checkIn, checkOut: checkIn + nights };
          const search = {
            ...ASKED,
            stay,
            guests,
            childAges,
            filters,
            sort: 'default',
            locale: 'it-IT',
            page: 2,
          } as const;
          const found = city.catalogue.prices.search({ ...search, nearest: true });
          assert.deepEqual((JSON.parse(Buffer.from(found.body).toString()) as Page).nearest, expected);
          told += expected.length;
        },
      ),
      { ...RUN_SEED, numRuns: 100 },
    );
    assert.ok(told > 20, `${told}`);
  });

  it('calendar of a property: stays of each length are those of a quote', () => {
    fc.assert(
      fc.property(worldArbitrary, windowArbitrary, (drawn, window) => {
        const city = makePricedCity([drawn]);
        const { nights, maxNights, guests, childAges } = window;
        const range = { from: window.checkIns[0] ?? FIRST_DAY, until: (window.checkIns[0] ?? FIRST_DAY) + 7 };
        const question = { propertyId: 'h0000', ...range, nights, maxNights, guests, childAges };
        const answer = city.catalogue.prices.calendar({ ...question, ...ASKED });
        assert.ok(answer !== undefined);
        const world = city.worlds.get('h0000')!;
        const expected = Array.from({ length: 7 }, (_, day) => {
          const checkIn = range.from + day;
          const stays = Array.from({ length: maxNights - nights + 1 }, (__, more) => {
            const checkOut = checkIn + nights + more;
            const quote = naiveQuote(world, { checkIn, checkOut, guests, childAges });
            return {
              nights: nights + more,
              checkOut: formatLocalDate(checkOut),
              available: quote.outcome !== 'STAY_UNAVAILABLE',
              total: quote.outcome === 'priced' ? formatMoney(quote.price.total) : null,
            };
          });
          return { checkIn: formatLocalDate(checkIn), stays };
        });
        assert.deepEqual((JSON.parse(answer.toString()) as { days: unknown }).days, expected);
      }),
      { ...RUN_SEED, numRuns: 100 },
    );
  });

  it('days of a city: how many properties and the least totals, as the naive model', () => {
    let lowest = 0;
    fc.assert(
      fc.property(cityArbitrary, windowArbitrary, filtersArbitrary, (city, window, filters) => {
        const { nights, guests, childAges } = window;
        const party = { guests, ...(childAges && { childAges }) };
        const from = window.checkIns[0] ?? FIRST_DAY;
        const range = { from, until: from + 12 };
        const days = daysOf(city, range, { nights, ...party, filters });
        const expected = naiveDays(city, range, { nights, ...party, filters });
        assert.deepEqual(days, { nights, ...party, days: expected });
        lowest += JSON.stringify(expected).split('"total"').length - 1;
      }),
      { ...RUN_SEED, numRuns: 150 },
    );
    assert.ok(lowest > 70, `${lowest}`);
  });
});

function daysOf(
  { catalogue }: PricedCity,
  range: { readonly from: number; readonly until: number },
  asked: NaiveParty & { readonly nights: number; readonly filters: StayFilters | undefined },
): unknown {
  const question = { ...ASKED, ...range, ...asked, locale: LOCALES[0], page: 1 };
  return JSON.parse(catalogue.prices.days(question).toString());
}
