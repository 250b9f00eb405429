/**
 * Builds one region of many towns in memory and looks for the request that keeps the event loop busiest: every kind of
 * valid search, without HTTP.
 */
import { performance } from 'node:perf_hooks';
import { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { SearchQuery } from '../../src/catalogue/read-model.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { localToday } from '../../src/domain/local-date.ts';
import { HORIZON_NIGHTS } from '../catalogue/profiles.ts';
import { asFollowed } from '../catalogue/property-generator.ts';
import { makeWorld, WORLD_PARTNER_IDS } from '../catalogue/world.ts';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';
import { median } from '../measure/statistics.ts';
import { type Region, type Timed, REGION } from './dearest-kinds.ts';

const TIMEZONE = 'Europe/Rome';
const today = localToday(TIMEZONE, systemClock());
const CHECK_IN = today + 30;
/** Enough to tell the dear kinds from the cheap ones. */
const TRIALS = 3;
/** The dearest of those, and what they are held against, are timed so often. */
const ROUNDS = 41;
const FINALISTS = 8;

const NIGHT_COUNTS = [undefined, 1, 7, 60];
const GUESTS = [undefined, 1, 30];
const PAGE_SIZES = [1, 50];
const COUNTRIES = [undefined, 'IT'];
/** The first sees what everybody sees and its share of the rest, the second one only what everybody sees. */
const PARTNERS = [WORLD_PARTNER_IDS[0]!, 'partner-without-a-list'];
/** Where a page stands: of all pages that there are, or far behind the last one. */
const PLACES = [0, 0.4, 0.8, 1, 'beyond'] as const;

const catalogue = new Catalogue({ clock: systemClock, horizonNights: HORIZON_NIGHTS });

obeyOrders({
  ...DIAGNOSTICS,
  /** Properties of several types, restrictions and visibility lists in so many towns; answers how many properties. */
  addRegion({ towns, properties, isInterleaved }: Region): number {
    const world = makeWorld(today, 1);
    const perTown = Math.ceil(properties / towns);
    for (let index = 0; index < properties; index++) {
      const town = isInterleaved ? index % towns : Math.floor(index / perTown);
      const place = { city: `Town ${town}`, country: 'IT', timezone: TIMEZONE, currency: 'EUR' };
      const generated = world.propertyIn(place, index);
      const property = { ...generated.property, cityAliases: [REGION] };
      catalogue.writer.apply(asFollowed({ ...generated, property }, world.profile));
    }
    catalogue.writer.publish();
    return properties;
  },
  /** The dearest kind of search against the first page of the plain one and of its own kind. */
  findDearest(): { dearest: Timed; first: Timed; ownFirst: Timed } {
    const kinds = allKinds();
    const dear = kinds
      .map((query) => ({ query, micros: timeOf(query, TRIALS) }))
      .sort((a, b) => b.micros - a.micros)
      .slice(0, FINALISTS);
    const dearest = dear.map(({ query }) => timed(query)).sort((a, b) => b.micros - a.micros)[0]!;
    return { dearest, first: timed(firstPage()), ownFirst: timed({ ...dearest.query, page: 1 }) };
  },
});

function allKinds(): SearchQuery[] {
  const kinds: SearchQuery[] = [];
  for (const nightCount of NIGHT_COUNTS)
    for (const guests of GUESTS)
      for (const country of COUNTRIES)
        for (const partnerId of PARTNERS)
          for (const pageSize of PAGE_SIZES) {
            const query = makeQuery({ nightCount, guests, country, partnerId, pageSize });
            for (const place of PLACES) kinds.push({ ...query, page: pageAt(query, place) });
          }
  return kinds;
}

/** A week for two, as a partner asks first. */
function firstPage(): SearchQuery {
  return makeQuery({ nightCount: 7, guests: 2, country: undefined, partnerId: PARTNERS[0]!, pageSize: 50 });
}

function makeQuery({
  nightCount,
  guests,
  ...rest
}: Pick<SearchQuery, 'country' | 'guests' | 'partnerId' | 'pageSize'> & {
  readonly nightCount: number | undefined;
}): SearchQuery {
  const stay = nightCount === undefined ? undefined : { checkIn: CHECK_IN, checkOut: CHECK_IN + nightCount };
  return {
    ...rest,
    city: REGION,
    stay,
    guests: stay === undefined ? guests : (guests ?? 2),
    page: 1,
    locale: 'it-IT',
  };
}

function pageAt(query: SearchQuery, place: (typeof PLACES)[number]): number {
  if (place === 'beyond') return Number.MAX_SAFE_INTEGER;
  const list = catalogue.search({ ...query, page: 1 });
  const { pagination } = JSON.parse(Buffer.from(list).toString()) as { pagination: { total: number } };
  return Math.max(1, Math.ceil((pagination.total * place) / query.pageSize));
}

function timed(query: SearchQuery): Timed {
  return { query, micros: timeOf(query, ROUNDS) };
}

/** Median of some runs, microseconds. */
function timeOf(query: SearchQuery, runs: number): number {
  const micros = Array.from({ length: runs }, () => {
    const startedAtMs = performance.now();
    catalogue.search(query, () => true);
    return (performance.now() - startedAtMs) * 1000;
  });
  return median(micros);
}
