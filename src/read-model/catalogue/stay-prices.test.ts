import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import {
  naiveIsAvailable,
  naiveQuote,
  type NaiveStay,
  type NaiveWorld,
} from '../../../test/kit/naive-model.ts';
import {
  CITY,
  fillCity,
  makePricedCity,
  naiveCompare,
  naivePricing,
  naiveStaysAt,
  PARTNER,
  type PricedCity,
} from '../../../test/kit/priced-city.ts';
import { stayArbitrary, worldArbitrary } from '../../../test/kit/property-arbitraries.ts';
import { FIXED_SEED, RUN_SEED } from '../../../test/kit/seeds.ts';
import { DAY_MS, formatLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Catalogue } from './catalogue.ts';
import { CatalogueWriter } from './catalogue-writer.ts';
import { Heap } from './memory/heap.ts';
import { allocatePublication, Publishing, Reading } from './memory/publication.ts';
import {
  HELD_MS_MAX,
  SLICED_LOOKS_MAX,
  SLICED_SEARCHES_MAX,
  WAITING_MAX,
} from '../../runtime/sliced-work.ts';
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

function searchOf({ checkIn, checkOut, guests }: NaiveStay, changes: Partial<PricedSearch>): PricedSearch {
  return {
    city: CITY,
    stay: { checkIn, checkOut },
    guests,
    page: 1,
    pageSize: 5,
    locale: 'it-IT',
    partnerId: PARTNER,
    sort: 'total',
    ...changes,
  };
}

async function readPage({ catalogue }: City, search: PricedSearch): Promise<Page> {
  const found = await catalogue.prices.search(search);
  assert.notEqual(found, 'busy');
  return JSON.parse((found as { body: Buffer }).body.toString()) as Page;
}

async function pricesOf(
  { prices }: Catalogue,
  propertyIds: readonly string[],
  stay: NaiveStay,
): Promise<readonly PricedProperty[]> {
  const answers = await prices.ofProperties(propertyIds, { stay, partnerId: PARTNER });
  assert.notEqual(answers, 'busy');
  return answers as readonly PricedProperty[];
}

async function daysOf(
  { prices }: Catalogue,
  range: { readonly from: number; readonly until: number },
  asked: { readonly nights: number; readonly guests: number },
): Promise<readonly unknown[]> {
  const question = { propertyId: 'h0000', ...range, ...asked, partnerId: PARTNER };
  const answer = await prices.calendar(question, () => range);
  assert.ok(Buffer.isBuffer(answer));
  return (JSON.parse(answer.toString()) as { days: unknown[] }).days;
}

const cityArbitrary = fc.array(worldArbitrary, { minLength: 1, maxLength: 40, size: 'max' });

describe('Prices of stays', () => {
  it('prices of stays equal the naive model, page by page, in the order of all totals', async () => {
    let priced = 0;
    let unpriced = 0;
    await fc.assert(
      fc.asyncProperty(
        cityArbitrary,
        stayArbitrary,
        fc.constantFrom('default', 'total'),
        async (drawn, stay, sort) => {
          const city = makePricedCity(drawn);
          const expected = naiveOrder(city, stay, sort);
          const seen: [string, object | null][] = [];
          for (let page = 1; page <= Math.ceil(expected.length / 5) + 1; page++) {
            const { items, pagination } = await readPage(city, searchOf(stay, { sort, page }));
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

  it('by id are those of a quote, with the code that would refuse it', async () => {
    await fc.assert(
      fc.asyncProperty(cityArbitrary, stayArbitrary, async (drawn, stay) => {
        const { catalogue, worlds } = makePricedCity(drawn);
        const ids = [...worlds.keys(), 'nobody', 'h0000'];
        const answers = await pricesOf(catalogue, ids, stay);
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

  it('by check-in date are those of a quote for each', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldArbitrary,
        stayArbitrary,
        fc.integer({ min: 1, max: 30 }),
        async (drawn, { checkIn, guests }, nights) => {
          const { catalogue, worlds } = makePricedCity([drawn]);
          const world = worlds.get('h0000')!;
          const range = { from: checkIn - 3, until: checkIn + 6 };
          const days = await daysOf(catalogue, range, { nights, guests });
          const expected = Array.from({ length: 9 }, (_, index) => {
            const stay = { checkIn: range.from + index, checkOut: range.from + index + nights, guests };
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

  it('of a large city come in slices, and of so many searches at once at the most', async () => {
    const drawn = fc.sample(worldArbitrary, { ...FIXED_SEED, numRuns: 60 });
    const today = drawn[0]!.today;
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      ...drawn[index % drawn.length]!,
      today,
      horizonNights: 730,
    }));
    const city = makePricedCity(many);
    const stay = fc.sample(stayArbitrary, { ...FIXED_SEED, numRuns: 200 }).find((one) => {
      return (
        drawn.filter((world) => naiveIsAvailable({ ...world, today, horizonNights: 730 }, one)).length > 15
      );
    })!;
    const before = naiveOrder(city, stay, 'total');
    const search = searchOf(stay, { pageSize: 50, page: Math.floor(before.length / 50) });
    const first = city.catalogue.prices.search(search);
    const others = Array.from({ length: SLICED_SEARCHES_MAX + 2 }, () =>
      city.catalogue.prices.search(search),
    );
    const found = await first;
    assert.notEqual(found, 'busy');
    const { items } = JSON.parse((found as { body: Buffer }).body.toString()) as Page;
    const from = (search.page - 1) * 50;
    assert.deepEqual(
      items.map(({ propertyId, pricing }) => [propertyId, pricing]),
      before.slice(from, from + 50),
    );
    const answers = await Promise.all(others);
    assert.ok(answers.filter((answer) => answer === 'busy').length >= 2);
  });

  describe('of many properties or dates, where each price takes a slice', () => {
    const COUNT = 20;
    /** A little more than a slice. */
    const PRICE_MS = 0.51;
    const [stay] = fc.sample(stayArbitrary, { ...FIXED_SEED, numRuns: 1 });
    const [drawn] = fc.sample(
      worldArbitrary.filter((world) => naiveQuote(world, stay!).outcome === 'priced'),
      { ...FIXED_SEED, numRuns: 1 },
    );
    // Not those of others.
    const idsOf = ({ worlds }: City) => [...worlds.keys()].filter((_, index) => index % 7 !== 6);
    const range = { from: stay!.checkIn, until: stay!.checkIn + COUNT };
    const searchBy =
      (sort: 'default' | 'total') =>
      async ({ catalogue }: City) => {
        const page = await catalogue.prices.search(searchOf(stay!, { sort, pageSize: COUNT }));
        return page === 'busy' ? page : page.body.toString();
      };
    const asks: Readonly<Record<string, (city: City) => Promise<unknown>>> = {
      'by total': searchBy('total'),
      'in the order of a search': searchBy('default'),
      'with filters and counts': async ({ catalogue }) => {
        const filters = { maxTotal: { currency: 'EUR', total: 10n ** 12n } };
        const page = await catalogue.prices.search(searchOf(stay!, { filters, counts: true }));
        return page === 'busy' ? page : page.body.toString();
      },
      'among many dates': async ({ catalogue }) => {
        const { stay: _stay, ...asked } = searchOf(stay!, { sort: 'total', pageSize: COUNT });
        const nights = stay!.checkOut - stay!.checkIn;
        const window = { checkIns: [stay!.checkIn, stay!.checkIn + 1], nights, maxNights: nights };
        const page = await catalogue.prices.flexible({ ...asked, ...window, sort: 'total' });
        return page === 'busy' ? page : page.body.toString();
      },
      'days of a city': async ({ catalogue }) => {
        const { city, partnerId } = searchOf(stay!, {});
        const nights = stay!.checkOut - stay!.checkIn;
        const asked = { city, partnerId, nights, guests: stay!.guests };
        const day = { from: stay!.checkIn, until: stay!.checkIn + 1 };
        const answer = await catalogue.prices.days({ ...asked, ...day }, () => day);
        return Buffer.isBuffer(answer) ? answer.toString() : answer;
      },
      'by id': async (city) => {
        const asked = { stay: stay!, partnerId: PARTNER };
        const answers = await city.catalogue.prices.ofProperties(idsOf(city), asked);
        return answers === 'busy' ? answers : JSON.stringify(answers);
      },
      'by check-in date': async ({ catalogue }) => {
        const asked = { nights: 1, guests: 2, partnerId: PARTNER };
        const answer = await catalogue.prices.calendar(
          { propertyId: 'h0000', ...range, ...asked },
          () => range,
        );
        return Buffer.isBuffer(answer) ? answer.toString() : answer;
      },
    };
    /** They look at all properties, and so share the few places. */
    const SEARCHES = new Set(['by total', 'with filters and counts', 'among many dates', 'days of a city']);
    for (const [name, ask] of Object.entries(asks)) {
      it(`one slice in each turn of the event loop, however many ask: ${name}`, async () => {
        const city = makePricedCity([drawn!]);
        let turn = 0;
        let isOver = false;
        const count = (): void => {
          turn += 1;
          if (!isOver) setImmediate(count);
        };
        setImmediate(count);
        // A slow machine would take more than a slice for one property, and the places are few.
        const now = mock.method(performance, 'now', () => 0);
        const answers = Array.from({ length: 50 }, async () => {
          assert.notEqual(await ask(city), 'busy');
          return turn;
        });
        const turnsOfAnswers = await Promise.all(answers).finally(() => {
          isOver = true;
          now.mock.restore();
        });
        assert.equal(new Set(turnsOfAnswers).size, turnsOfAnswers.length);
      });

      it(`other answers come in between, and the version stays: ${name}`, async () => {
        const city = makePricedCity(Array<NaiveWorld>(COUNT).fill(drawn!));
        const expected = await ask(city);
        let turns = 0;
        let isOver = false;
        const count = (): void => {
          turns += 1;
          if (turns === 3) {
            for (const propertyId of city.worlds.keys()) city.catalogue.writer.forget(propertyId);
            city.catalogue.writer.publish();
          }
          if (!isOver) setImmediate(count);
        };
        let looks = 0;
        const now = mock.method(performance, 'now', () => PRICE_MS * looks++);
        try {
          setImmediate(count);
          assert.equal(await ask(city), expected);
        } finally {
          isOver = true;
          now.mock.restore();
        }
        assert.ok(turns > (COUNT * 6) / 7 - 1, `${turns}`);
      });

      it(`what is shown when the first slice begins, also from other memory: ${name}`, async () => {
        const city = makePricedCity(Array<NaiveWorld>(COUNT).fill(drawn!));
        const { today, horizonNights } = drawn!;
        const publication = allocatePublication(1);
        const heap = new Heap({ publishing: new Publishing(publication) });
        const clock = () => today * DAY_MS + 12 * 3_600_000;
        // Another property comes first in this memory: nothing is at the same address.
        const other = { ...drawn!, property: { ...drawn!.property, cleaningFee: '12.34' } };
        fillCity(new CatalogueWriter({ clock, horizonNights }, heap), [
          other,
          ...Array<NaiveWorld>(3 * COUNT).fill(drawn!),
        ]);
        const before = await ask(city);
        // This turn has had its slice: it waits for the next one.
        const waiting = ask(city);
        city.catalogue.readFrom(heap, new Reading(publication, 0));
        assert.equal(await waiting, await ask(city));
        assert.notEqual(await waiting, before);
      });

      it(`${HELD_MS_MAX} ms and no longer: ${name}`, async () => {
        const city = makePricedCity(Array<NaiveWorld>(COUNT).fill(drawn!));
        const expected = await ask(city);
        for (const [ms, answer] of [
          [HELD_MS_MAX, expected],
          [HELD_MS_MAX + 1, 'busy'],
        ] as const) {
          let looks = 0;
          // The time passes within the first price.
          const now = mock.method(performance, 'now', () => (looks++ < 2 ? 0 : ms));
          try {
            assert.equal(await ask(city), answer);
          } finally {
            now.mock.restore();
          }
        }
      });

      it(`so many at once and no more: ${name}`, async () => {
        const city = makePricedCity(Array<NaiveWorld>(COUNT).fill(drawn!));
        let looks = 0;
        const now = mock.method(performance, 'now', () => PRICE_MS * looks++);
        try {
          const max = SEARCHES.has(name) ? SLICED_SEARCHES_MAX : SLICED_LOOKS_MAX;
          const answers = await Promise.all(Array.from({ length: max + 1 }, () => ask(city)));
          assert.equal(answers.filter((answer) => answer === 'busy').length, 1);
        } finally {
          now.mock.restore();
        }
      });
    }
  });

  it('of several at once all finish: what others work does not count', async () => {
    const [drawn] = fc.sample(worldArbitrary, { ...FIXED_SEED, numRuns: 1 });
    const [stay] = fc.sample(stayArbitrary, { ...FIXED_SEED, numRuns: 1 });
    const city = makePricedCity(Array<NaiveWorld>(40).fill(drawn!));
    const ids = [...city.worlds.keys()];
    const ask = (asker: string) =>
      city.catalogue.prices.ofProperties(ids, {
        stay: stay!,
        partnerId: 'acme',
        asker,
      });
    let looks = 0;
    // Each price takes so long that one question works for less than it may, and ten together for more.
    const now = mock.method(performance, 'now', () => (HELD_MS_MAX / 200) * looks++);
    try {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => ask(`asker ${index % 3}`)));
      assert.ok(answers.every((answer) => answer !== 'busy'));
    } finally {
      now.mock.restore();
    }
  });

  it('by total wait, so many and no more, for their first slice', async () => {
    const city = makePricedCity(fc.sample(worldArbitrary, { ...FIXED_SEED, numRuns: 1 }));
    const [stay] = fc.sample(stayArbitrary, { ...FIXED_SEED, numRuns: 1 });
    const search = searchOf(stay!, {});
    const begun = [search, ...Array<PricedSearch>(WAITING_MAX).fill(search)];
    // Each is done within its first slice, on a slow machine, too.
    const now = mock.method(performance, 'now', () => 0);
    try {
      const answers = begun.map((one) => city.catalogue.prices.search(one));
      assert.equal(await city.catalogue.prices.search(search), 'busy');
      assert.ok((await Promise.all(answers)).every((answer) => answer !== 'busy'));
      assert.notEqual(await city.catalogue.prices.search(search), 'busy');
    } finally {
      now.mock.restore();
    }
  });
});
