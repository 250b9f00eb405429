/**
 * Builds cities in memory and times searches and prices in them, without HTTP: what they cost by the size of a city,
 * and by the size of everything else.
 */
import { createHistogram, performance } from 'node:perf_hooks';
import { Catalogue } from '../../src/read-model/catalogue/catalogue.ts';
import type { SearchQuery } from '../../src/read-model/catalogue/cities/city-search.ts';
import { localToday } from '../../src/domain/local-date.ts';
import { type Discount, LOCALES, type TaxRule } from '../../src/domain/property.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Place } from '../catalogue/places.ts';
import { HORIZON_NIGHTS } from '../catalogue/profiles.ts';
import { asFollowed, type GeneratedProperty } from '../catalogue/property-generator.ts';
import { makeWorld, type World, WORLD_PARTNER_IDS } from '../catalogue/world.ts';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';
import { seedRandom } from '../measure/random.ts';
import { latenciesOf, type Latencies, median } from '../measure/statistics.ts';
import { SEED } from '../seed.ts';
import type { AskedOver, CityOrder, PriceTimes, TurnOrder } from './cities.ts';

const TIMEZONE = 'Europe/Rome';
const NIGHTS = 7;
const QUERY_COUNT = 2000;
const IDS = 100;
/** Prices before the first that counts, for the compiler. */
const WARM_UP = 200;
/** The same where several questions take turns. */
const TURNS_WARM_UP = 30;
/** All of them end before the horizon. */
const WINDOW_NIGHTS_MAX = 130;

/** As the listener says when the page is sent. */
const isSent = (): boolean => true;

const today = localToday(TIMEZONE, systemClock());
const catalogue = new Catalogue({ clock: systemClock, horizonNights: HORIZON_NIGHTS });
let propertyCount = 0;
let world = makeWorld(today, 1);

interface PriceOrder {
  readonly city: string;
  readonly nights: number;
  /** Absent: one to four. */
  readonly guests?: number;
  readonly count: number;
}

obeyOrders({
  ...DIAGNOSTICS,
  /** Answers how many properties that are. */
  addCity({ city, typeCount, rules }: CityOrder): number {
    const place: Place = { city, country: 'IT', timezone: TIMEZONE, currency: 'EUR' };
    let properties = 0;
    for (let types = 0; types < typeCount; properties++) {
      const generated = world.propertyIn(place, propertyCount++);
      types += addProperty(world, rules === undefined ? generated : withRules(generated, rules));
    }
    catalogue.writer.publish();
    return properties;
  },
  /** So many properties over many cities. */
  addOthers({ properties, cities }: { properties: number; cities: number }): void {
    world = makeWorld(today, cities);
    for (let left = properties; left > 0; left--) addProperty(world, world.propertyAt(propertyCount++));
    catalogue.writer.publish();
  },
  /** Page and total: the times of single searches. */
  time({ city, seconds }: { city: string; seconds: number }): Latencies {
    const queries = makeQueries(city, NIGHTS, QUERY_COUNT, 5);
    const histogram = createHistogram();
    const until = performance.now() + seconds * 1000;
    for (let index = 0; performance.now() < until; index++) {
      const query = queries[index % queries.length]!;
      const startedAt = process.hrtime.bigint();
      catalogue.search(query, isSent);
      histogram.record(process.hrtime.bigint() - startedAt);
    }
    return latenciesOf(histogram);
  },
  /** First pages of `sort=total`. */
  async timePages({ city, nights, guests, count }: PriceOrder): Promise<PriceTimes> {
    const drawn = makeQueries(city, nights, count + WARM_UP, 1);
    const queries = drawn.map((query) => ({ ...query, guests: guests ?? query.guests }));
    let found = 0;
    const ms = await timeEach(queries, async (query) => {
      const page = catalogue.prices.search({ ...query, sort: 'total' });
      found += page.found.total;
    });
    return { ms, found: found / queries.length };
  },
  /** First pages of several questions by total, each in turn for every draw: medians in their order. */
  async timeInTurn({ city, count, asked }: TurnOrder): Promise<readonly number[]> {
    const queries = makeQueries(city, WINDOW_NIGHTS_MAX, count + TURNS_WARM_UP, 1);
    const times: number[][] = asked.map(() => []);
    for (const [turn, query] of queries.entries()) {
      for (const [index, one] of asked.entries()) {
        const startedAtMs = performance.now();
        askOver(query, one);
        if (turn >= TURNS_WARM_UP) times[index]!.push(performance.now() - startedAtMs);
      }
    }
    return times.map((each) => median(each));
  },
  /** A hundred properties by id. */
  async timeIds({ city, nights, count }: PriceOrder): Promise<PriceTimes> {
    const queries = makeQueries(city, nights, count + WARM_UP, 1);
    const lists = queries.map((query, index) => {
      const page = { ...query, page: 1 + (index % 20), pageSize: IDS / 2 };
      const next = { ...page, page: page.page + 1 };
      return [page, next].flatMap((asked) => [...catalogue.findPage(asked).propertyIds]);
    });
    const ms = await timeEach(queries, async ({ partnerId, ...query }, index) => {
      const stay = { ...query.stay, guests: query.guests };
      catalogue.prices.ofProperties({ propertyIds: lists[index]!, stay, partnerId });
    });
    return { ms, found: lists.reduce((sum, list) => sum + list.length, 0) / lists.length };
  },
});

/** One stay, the best of a window, or the days of the city. */
function askOver(
  { stay: { checkIn }, ...query }: StayQuery,
  { over, nights, maxNights = nights, dates, ...more }: AskedOver,
): unknown {
  const asked = { ...query, ...more, nights, sort: 'total' } as const;
  if (over === 'stay')
    return catalogue.prices.search({ ...asked, stay: { checkIn, checkOut: checkIn + nights } });
  const range = { from: checkIn, until: checkIn + dates };
  if (over === 'days') return catalogue.prices.days({ ...asked, ...range });
  const checkIns = Array.from({ length: dates }, (_, day) => checkIn + day);
  return catalogue.prices.flexible({ ...asked, checkIns, maxNights });
}

function addProperty({ profile }: World, generated: GeneratedProperty): number {
  catalogue.writer.apply(asFollowed(generated, profile));
  return generated.calendars.length;
}

/** Median, after some that are not counted. */
async function timeEach<Query>(
  queries: readonly Query[],
  work: (query: Query, index: number) => Promise<void>,
): Promise<number> {
  const times: number[] = [];
  for (const [index, query] of queries.entries()) {
    const startedAtMs = performance.now();
    await work(query, index);
    if (index >= WARM_UP) times.push(performance.now() - startedAtMs);
  }
  return median(times);
}

type StayQuery = SearchQuery & { readonly stay: NonNullable<SearchQuery['stay']>; readonly guests: number };

function makeQueries(city: string, nights: number, count: number, pages: number): StayQuery[] {
  const draws = seedRandom(SEED);
  return Array.from({ length: count }, () => {
    const checkIn = today + draws.between(1, HORIZON_NIGHTS - nights - 2);
    return {
      city,
      stay: { checkIn, checkOut: checkIn + nights },
      guests: draws.between(1, 4),
      page: draws.between(1, pages),
      pageSize: 20,
      locale: draws.pick(LOCALES),
      partnerId: draws.pick(WORLD_PARTNER_IDS),
    };
  });
}

function withRules(
  generated: GeneratedProperty,
  { taxes, discounts, hasAges = false }: NonNullable<CityOrder['rules']>,
): GeneratedProperty {
  return {
    ...generated,
    property: {
      ...generated.property,
      cleaningFee: `${20 + (propertyCount % 50)}.00`,
      taxes: makeTaxes(taxes, hasAges),
      ...(hasAges && { ageBands: AGE_BANDS }),
      discounts: makeDiscounts(discounts),
    },
  };
}

const AGE_BANDS = [
  { untilAge: 2, occupies: false },
  { untilAge: 12, rate: '15.00' },
];
const TAX_AGES = { exemptUntilAge: 9, ages: [{ untilAge: 15, amount: '0.75' }] };

/** Alternately per person and night, and per cent. */
function makeTaxes(count: number, hasAges: boolean): readonly TaxRule[] {
  return Array.from({ length: count }, (_, index): TaxRule => {
    const isPercent = index % 2 === 1;
    return {
      code: `tax-${index}`,
      kind: isPercent ? 'tax' : 'city_tax',
      logic: isPercent ? 'percent' : 'per_person_per_night',
      amount: isPercent ? null : '1.50',
      percent: isPercent ? '10' : null,
      maxNights: isPercent ? null : 5,
      skipNights: 0,
      validFrom: null,
      validTo: null,
      inclusive: false,
      base: isPercent ? ['accommodation', 'cleaningFee'] : ['accommodation'],
      order: index,
      ...(hasAges && !isPercent && TAX_AGES),
    };
  });
}

function makeDiscounts(count: number): readonly Discount[] {
  return Array.from({ length: count }, (_, index) => ({
    code: `discount-${index}`,
    percent: String(5 + (index % 20)),
    minNights: 1 + (index % 14),
  }));
}
