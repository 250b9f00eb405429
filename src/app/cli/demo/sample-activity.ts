/**
 * Two weeks of invented requests and quotes for the demo, so that the console has something to show. All are of one
 * partner, whose id and name say that it is a sample; the same each time for the same day.
 */
import { GUEST_BANDS, NIGHT_BANDS } from '../../../operator/activity/demand-table.ts';
import {
  DAY_MS,
  type EpochDay,
  formatIsoWeek,
  isoWeekOf,
  utcDay,
  HOUR_MS,
} from '../../../domain/local-date.ts';
import type { Clock } from '../../../runtime/clock.ts';
import {
  type ActivityStore,
  type DemandRow,
  DURATION_BUCKETS,
  type RequestRow,
  type TrafficRow,
} from '../../../storage/activity/store.ts';
import { type SampleQuoteStores, writeSampleQuotes } from './sample-quotes.ts';

export const SAMPLE_PARTNER = { partnerId: 'sample', name: 'Sample: invented requests' };

const DAYS = 14;
const WEEKS = 8;
const REQUESTS_PER_DAY = 24;
const SEED = 20_261_122;
const NAMES = { partnerId: SAMPLE_PARTNER.partnerId, credentialId: 'sample' };
const UNKNOWN_PLACES = ['LEUVEN', 'MESTRE', 'TORCELLO'];

interface City {
  readonly city: string;
  readonly country: string;
  /** As many as a search can find. */
  readonly properties: number;
}

/** Numbers below `end`. */
type Draw = (end: number) => number;

/** Written once. `cities` are those of the sample catalogue. */
export async function writeSampleActivity({
  storage,
  clock,
  cities,
}: {
  readonly storage: Pick<ActivityStore, 'recordActivity'> & SampleQuoteStores;
  readonly clock: Clock;
  readonly cities: readonly City[];
}): Promise<void> {
  const draw = createDraw(SEED);
  const writtenAtMs = clock();
  const today = utcDay(writtenAtMs);
  const days = Array.from({ length: DAYS }, (_, index) => today - DAYS + index);
  const unmet = cities.flatMap(({ city, country }) =>
    [9, 16, 23].map((ahead) => ({
      city,
      country,
      checkIn: today + ahead + draw(3),
      nights: 1 + draw(4),
      guests: 2 + draw(8),
      childAges: '',
      day: today - 1,
      searches: 4 + draw(30),
    })),
  );
  await storage.recordActivity({
    writer: 'sample',
    number: 1,
    writtenAtMs,
    unmet,
    demand: days.flatMap((day) => cities.flatMap((city) => demandOf(city, day, draw))),
    traffic: days.flatMap((day) => trafficOf(day, draw)),
    requests: days.flatMap((day) => requestsOf(cities, day, draw)),
    unknownPlaces: UNKNOWN_PLACES.map((place) => ({ day: today - 1, place, searches: 3 + draw(20) })),
  });
  await writeSampleQuotes(storage, { names: NAMES, days, draw });
}

function demandOf({ city, country }: City, day: EpochDay, draw: Draw): DemandRow[] {
  return Array.from({ length: WEEKS }, (_, index) => {
    const searches = 5 + draw(40);
    return {
      day,
      city,
      country,
      arrivalWeek: formatIsoWeek(isoWeekOf(day) + 2 + index),
      nights: NIGHT_BANDS[draw(NIGHT_BANDS.length)]!,
      guests: GUEST_BANDS[draw(GUEST_BANDS.length)]!,
      partnerId: NAMES.partnerId,
      searches,
      empty: draw(searches),
      looks: draw(searches),
    };
  });
}

function trafficOf(day: EpochDay, draw: Draw): TrafficRow[] {
  const codes = [
    ['listPartnerProperties', ''],
    ['createPartnerQuote', 'STAY_UNAVAILABLE'],
  ] as const;
  return codes.map(([operation, code]) => {
    const durations = Array.from({ length: DURATION_BUCKETS }, (_, bucket) => (bucket < 5 ? draw(200) : 0));
    return { fromMs: day * DAY_MS + 12 * HOUR_MS, ...NAMES, operation, code, durations };
  });
}

function requestsOf(cities: readonly City[], day: EpochDay, draw: Draw): RequestRow[] {
  return Array.from({ length: REQUESTS_PER_DAY }, (_, index) => {
    const checkIn = day + 10 + draw(60);
    const isEmpty = draw(3) === 0;
    const { city, properties } = cities[draw(cities.length)]!;
    return {
      atMs: day * DAY_MS + index * HOUR_MS + draw(HOUR_MS),
      ...NAMES,
      correlationId: `sample-${String(day * REQUESTS_PER_DAY + index).padStart(9, '0')}`,
      operation: 'listPartnerProperties',
      status: 200,
      code: null,
      durationUs: 100 + draw(900),
      city,
      propertyId: null,
      quoteId: null,
      reasons: null,
      childAges: null,
      checkIn,
      checkOut: checkIn + 1 + draw(7),
      guests: 1 + draw(6),
      page: 1,
      total: isEmpty ? 0 : 1 + draw(properties),
    };
  });
}

/** A linear congruence: for a sample it is random enough, and the same on every machine. */
function createDraw(seed: number): Draw {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}
