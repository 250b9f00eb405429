/** Builds cities in memory whose properties all have fees, taxes and discounts, and times prices of stays in them. */
import { performance } from 'node:perf_hooks';
import { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { PricedSearch } from '../../src/catalogue/stay-prices.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { localToday } from '../../src/domain/local-date.ts';
import type { Discount, TaxRule } from '../../src/domain/property.ts';
import type { Place } from '../catalogue/places.ts';
import { HORIZON_NIGHTS } from '../catalogue/profiles.ts';
import { asFollowed } from '../catalogue/property-generator.ts';
import { makeWorld, WORLD_PARTNER_IDS } from '../catalogue/world.ts';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';
import { seedRandom } from '../measure/random.ts';
import { median } from '../measure/statistics.ts';
import { SEED } from '../seed.ts';

const TIMEZONE = 'Europe/Rome';
const IDS = 100;
/** Before the first that counts, for the compiler: fewer left the city that is measured first slower than it is. */
const WARM_UP = 200;

export interface PricedCity {
  readonly city: string;
  readonly typeCount: number;
  readonly taxes: number;
  readonly discounts: number;
}

export interface PriceTimes {
  /** Median, with the answer's bytes. */
  readonly ms: number;
  /** Properties that were available, on average. */
  readonly found: number;
}

const today = localToday(TIMEZONE, systemClock());
const catalogue = new Catalogue({ clock: systemClock, horizonNights: HORIZON_NIGHTS });
const world = makeWorld(today, 1);
let propertyCount = 0;

obeyOrders({
  ...DIAGNOSTICS,
  addCity({ city, typeCount, taxes, discounts }: PricedCity): void {
    const place: Place = { city, country: 'IT', timezone: TIMEZONE, currency: 'EUR' };
    for (let types = 0; types < typeCount;) {
      const generated = world.propertyIn(place, propertyCount++);
      types += generated.calendars.length;
      const priced = {
        ...generated.property,
        cleaningFee: `${20 + (propertyCount % 50)}.00`,
        taxes: makeTaxes(taxes),
        ...(discounts === 0 ? {} : { discounts: makeDiscounts(discounts) }),
      };
      catalogue.writer.apply(asFollowed({ ...generated, property: priced }, world.profile));
    }
    catalogue.writer.publish();
  },
  /** First pages of `sort=total`. */
  async timeSearches({
    city,
    nights,
    count,
    guests,
  }: {
    city: string;
    nights: number;
    count: number;
    guests: number | undefined;
  }): Promise<PriceTimes> {
    const drawn = makeQueries(city, nights, count + WARM_UP);
    const queries = guests === undefined ? drawn : drawn.map((query) => ({ ...query, guests }));
    let found = 0;
    const times = await timeEach(queries, async (query) => {
      const page = await catalogue.prices.search(query);
      if (page === 'busy') throw new Error(`a page of ${city} took too long`);
      found += page.found.total;
    });
    return { ms: median(times), found: found / queries.length };
  },
  /** A hundred properties by id. */
  async timeIds({ city, count }: { city: string; count: number }): Promise<PriceTimes> {
    const queries = makeQueries(city, 7, count + WARM_UP);
    const lists = queries.map((query, index) => {
      const page = { ...query, page: 1 + (index % 20), pageSize: 50 };
      const { propertyIds } = catalogue.findPage(page);
      return [...propertyIds, ...catalogue.findPage({ ...page, page: page.page + 1 }).propertyIds].slice(
        0,
        IDS,
      );
    });
    const times = await timeEach(queries, (query, index) => {
      const stay = { ...query.stay, guests: query.guests };
      catalogue.prices.ofProperties(lists[index]!, { stay, partnerId: query.partnerId, hasDiscounts: true });
    });
    return { ms: median(times), found: lists.reduce((sum, list) => sum + list.length, 0) / lists.length };
  },
});

async function timeEach<Query>(
  queries: readonly Query[],
  work: (query: Query, index: number) => void | Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (const [index, query] of queries.entries()) {
    const startedAtMs = performance.now();
    await work(query, index);
    if (index >= WARM_UP) times.push(performance.now() - startedAtMs);
  }
  return times;
}

function makeQueries(city: string, nights: number, count: number): PricedSearch[] {
  const draws = seedRandom(SEED);
  return Array.from({ length: count }, () => {
    const checkIn = today + draws.between(1, HORIZON_NIGHTS - nights - 2);
    return {
      city,
      stay: { checkIn, checkOut: checkIn + nights },
      guests: draws.between(1, 4),
      page: 1,
      pageSize: 20,
      locale: 'en-GB',
      partnerId: draws.pick(WORLD_PARTNER_IDS),
      sort: 'total',
      hasDiscounts: true,
    };
  });
}

/** Alternately per person and night, and per cent. */
function makeTaxes(count: number): readonly TaxRule[] {
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
