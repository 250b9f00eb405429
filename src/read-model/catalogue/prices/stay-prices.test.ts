import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  naiveInstead,
  naiveQuote,
  naiveReasons,
  type NaiveStay,
  type NaiveWorld,
} from '../../../../test/kit/naive-model.ts';
import {
  ALL_ZONES,
  CITY,
  makePricedCity,
  naiveCompare,
  naivePricing,
  naiveStaysAt,
  PARTNER,
  type PricedCity,
} from '../../../../test/kit/priced-city.ts';
import { familyArbitrary, worldArbitrary } from '../../../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { formatLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { REASON_CODES } from '../../../domain/stay-reasons.ts';
import type { Catalogue } from '../catalogue.ts';
import type { PricedProperty } from './stay-prices.ts';
import type { PricedSearch } from './stay-search.ts';

interface Page {
  readonly items: readonly { readonly propertyId: string; readonly pricing: object | null }[];
  readonly pagination: { readonly total: number };
}

type City = PricedCity;

/** Prices everything, then sorts. */
function naiveOrder(city: City, stay: NaiveStay, sort: 'default' | 'total'): [string, object | null][] {
  const available = naiveStaysAt(city, stay);
  if (sort === 'total') available.sort((one, other) => naiveCompare(one, other, false));
  return available.map(({ world, pricing }) => [world.property.propertyId, pricing]);
}

function searchOf(
  { checkIn, checkOut, guests, childAges }: NaiveStay,
  changes: Partial<PricedSearch>,
): PricedSearch {
  return {
    city: CITY,
    stay: { checkIn, checkOut },
    guests,
    childAges,
    page: 1,
    pageSize: 5,
    locale: 'it-IT',
    partnerId: PARTNER,
    sort: 'total',
    ...changes,
  };
}

function readPage({ catalogue }: City, search: PricedSearch): Page {
  const { body } = catalogue.prices.search(search);
  return JSON.parse(Buffer.from(body).toString()) as Page;
}

function pricesOf(
  { prices }: Catalogue,
  propertyIds: readonly string[],
  stay: NaiveStay,
): readonly PricedProperty[] {
  return prices.ofProperties({ propertyIds, stay, partnerId: PARTNER });
}

/** Every property of the city, those that the partner can't see, and one that nobody knows. */
function whyOf({ catalogue, worlds }: City, stay: NaiveStay, why: 'reasons' | 'instead' = 'reasons') {
  const propertyIds = [...worlds.keys(), 'nobody'];
  const answers = catalogue.prices.ofProperties({ propertyIds, stay, partnerId: PARTNER, why });
  return answers.map((answer) => answer.why);
}

function naiveWhy(world: NaiveWorld, stay: NaiveStay) {
  const isSeen = world.property.visibleTo === 'all';
  const instead = isSeen ? naiveInstead(world, stay) : [];
  return {
    reasons: isSeen ? naiveReasons(world, stay) : [],
    instead: instead.map((one) => ({ ...one, total: one.total === null ? null : formatMoney(one.total) })),
  };
}

function daysOf(
  { prices }: Catalogue,
  range: { readonly from: number; readonly until: number },
  asked: Pick<NaiveStay, 'guests' | 'childAges'> & { readonly nights: number },
): readonly unknown[] {
  const question = { propertyId: 'h0000', ...range, ...asked, partnerId: PARTNER };
  const answer = prices.calendar(question);
  assert.ok(answer !== undefined);
  return (JSON.parse(answer.toString()) as { days: unknown[] }).days;
}

const smallCityArbitrary = fc.array(worldArbitrary, { minLength: 1, maxLength: 8, size: 'max' });
const cityArbitrary = fc.array(worldArbitrary, { minLength: 1, maxLength: 40, size: 'max' });

describe('Prices of stays', () => {
  it('prices of stays equal the naive model, page by page, in the order of all totals', () => {
    let priced = 0;
    let unpriced = 0;
    fc.assert(
      fc.property(
        cityArbitrary,
        familyArbitrary,
        fc.constantFrom('default', 'total'),
        (drawn, stay, sort) => {
          const city = makePricedCity(drawn);
          const expected = naiveOrder(city, stay, sort);
          const seen: [string, object | null][] = [];
          for (let page = 1; page <= Math.ceil(expected.length / 5) + 1; page++) {
            const { items, pagination } = readPage(city, searchOf(stay, { sort, page }));
            assert.equal(pagination.total, expected.length);
            seen.push(
              ...items.map(({ propertyId, pricing }): [string, object | null] => [propertyId, pricing]),
            );
          }
          assert.deepEqual(seen, expected);
          for (const [, pricing] of seen) if (pricing === null) unpriced += 1;
          priced += seen.filter(([, pricing]) => pricing !== null).length;
        },
      ),
      { ...RUN_SEED, numRuns: 300 },
    );
    assert.ok(priced > 500 && unpriced > 50, `${priced} ${unpriced}`);
  });

  it('say why, and what instead, as the naive model does, in every zone', () => {
    const seen = new Map<string, number>();
    let insteadCount = 0;
    fc.assert(
      fc.property(
        smallCityArbitrary,
        familyArbitrary,
        fc.constantFrom(['UTC'], ALL_ZONES),
        (drawn, stay, zones) => {
          const city = makePricedCity(drawn, zones);
          const expected = [...city.worlds.values()].map((world) => naiveWhy(world, stay));
          assert.deepEqual(whyOf(city, stay), [...expected, { reasons: [], instead: [] }]);
          for (const { reasons, instead } of expected) {
            insteadCount += instead.length;
            for (const { code } of reasons) seen.set(code, (seen.get(code) ?? 0) + 1);
          }
        },
      ),
      { ...RUN_SEED, numRuns: 300 },
    );
    for (const code of REASON_CODES) assert.ok((seen.get(code) ?? 0) > 0, code);
    assert.ok(insteadCount > 500, `${insteadCount}`);
  });

  it('leave out the reasons, of unknown properties too, where only other stays are asked for', () => {
    fc.assert(
      fc.property(smallCityArbitrary, familyArbitrary, (drawn, stay) => {
        const city = makePricedCity(drawn);
        const expected = [...city.worlds.values()].map((world) => naiveWhy(world, stay).instead);
        const answers = whyOf(city, stay, 'instead');
        assert.deepEqual(
          answers.map((why) => why?.instead),
          [...expected, []],
        );
        assert.ok(answers.every((why) => why?.reasons === null));
      }),
      { ...RUN_SEED, numRuns: 50 },
    );
  });

  it('by id are those of a quote, with the code that would refuse it', () => {
    fc.assert(
      fc.property(cityArbitrary, familyArbitrary, (drawn, stay) => {
        const { catalogue, worlds } = makePricedCity(drawn);
        const ids = [...worlds.keys(), 'nobody', 'h0000'];
        const answers = pricesOf(catalogue, ids, stay);
        for (const [index, propertyId] of ids.entries()) {
          const world = worlds.get(propertyId);
          const { code, currency, pricing } = answers[index]!;
          if (world?.property.visibleTo !== 'all') {
            assert.deepEqual([code, currency, pricing], ['PROPERTY_NOT_FOUND', null, 'null']);
            continue;
          }
          const { outcome } = naiveQuote(world, stay);
          assert.equal(code, outcome === 'priced' ? null : outcome);
          assert.equal(currency, world.property.currency);
          assert.deepEqual(JSON.parse(pricing), naivePricing(world, stay));
        }
      }),
      { ...RUN_SEED, numRuns: 200 },
    );
  });

  it('by check-in date are those of a quote for each', () => {
    fc.assert(
      fc.property(
        worldArbitrary,
        familyArbitrary,
        fc.integer({ min: 1, max: 30 }),
        (drawn, { checkIn, guests, childAges }, nights) => {
          const { catalogue, worlds } = makePricedCity([drawn]);
          const world = worlds.get('h0000')!;
          const range = { from: checkIn - 3, until: checkIn + 6 };
          const days = daysOf(catalogue, range, { nights, guests, childAges });
          const expected = Array.from({ length: 9 }, (_, index) => {
            const dates = { checkIn: range.from + index, checkOut: range.from + index + nights };
            const stay = { ...dates, guests, childAges };
            const quote = naiveQuote(world, stay);
            return {
              checkIn: formatLocalDate(stay.checkIn),
              available: quote.outcome !== 'STAY_UNAVAILABLE',
              total: quote.outcome === 'priced' ? formatMoney(quote.price.total) : null,
            };
          });
          assert.deepEqual(days, expected);
        },
      ),
      { ...RUN_SEED, numRuns: 400 },
    );
  });
});
