/**
 * Builds cities in memory and times searches in them, without HTTP: what a search costs by the size of its city, and
 * by the size of everything else.
 */
import { createHistogram, performance } from 'node:perf_hooks';
import { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { SearchQuery } from '../../src/catalogue/read-model.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { LOCALES } from '../../src/domain/property.ts';
import { localToday } from '../../src/domain/local-date.ts';
import type { Place } from '../catalogue/places.ts';
import { HORIZON_NIGHTS, plainProfile } from '../catalogue/profiles.ts';
import { asFollowed, type GeneratedProperty } from '../catalogue/property-generator.ts';
import { makeWorld, type World, WORLD_PARTNER_IDS } from '../catalogue/world.ts';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';
import { seedRandom } from '../measure/random.ts';
import { latenciesOf, type Latencies } from '../measure/statistics.ts';
import { SEED } from '../seed.ts';

const TIMEZONE = 'Europe/Rome';
const NIGHTS = 7;
const QUERY_COUNT = 2000;

/** As the listener says when the page is sent. */
const isSent = (): boolean => true;

const today = localToday(TIMEZONE, systemClock());
const catalogue = new Catalogue({ clock: systemClock, horizonNights: HORIZON_NIGHTS });
let propertyCount = 0;
let world = makeWorld(today, 1);
const plainWorld = makeWorld(today, 1, plainProfile);

obeyOrders({
  ...DIAGNOSTICS,
  /** A city with so many inventory types; answers how many properties that are. */
  addCity({ city, typeCount, isPlain }: { city: string; typeCount: number; isPlain: boolean }): number {
    const place: Place = { city, country: 'IT', timezone: TIMEZONE, currency: 'EUR' };
    const source = isPlain ? plainWorld : world;
    let properties = 0;
    for (let types = 0; types < typeCount; properties++)
      types += addProperty(source, source.propertyIn(place, propertyCount++));
    catalogue.writer.publish();
    return properties;
  },
  /** So many properties over many cities. */
  addOthers({ properties, cities }: { properties: number; cities: number }): void {
    world = makeWorld(today, cities);
    for (let left = properties; left > 0; left--) addProperty(world, world.propertyAt(propertyCount++));
    catalogue.writer.publish();
  },
  /** Seven nights, page and total: the times of single searches. */
  time({ city, seconds }: { city: string; seconds: number }): Latencies {
    const queries = makeQueries(city);
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
});

function addProperty({ profile }: World, generated: GeneratedProperty): number {
  catalogue.writer.apply(asFollowed(generated, profile));
  return generated.calendars.length;
}

function makeQueries(city: string): SearchQuery[] {
  const draws = seedRandom(SEED);
  return Array.from({ length: QUERY_COUNT }, () => {
    const checkIn = today + draws.between(1, HORIZON_NIGHTS - NIGHTS - 2);
    return {
      city,
      stay: { checkIn, checkOut: checkIn + NIGHTS },
      guests: draws.between(1, 4),
      page: draws.between(1, 5),
      pageSize: 20,
      locale: draws.pick(LOCALES),
      partnerId: draws.pick(WORLD_PARTNER_IDS),
    };
  });
}
