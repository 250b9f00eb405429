/** Questions about stays and cities, judged by the naive model. */
import { type EpochDay, formatLocalDate } from '../../src/domain/local-date.ts';
import { nearestShifts, OPENING_DAYS_MAX } from '../../src/domain/nearest-shifts.ts';
import type { StayFilters } from '../../src/domain/stay-filters.ts';
import { TODAY } from '../kit/catalogue-samples.ts';
import type { NaiveWorld } from '../kit/naive-model.ts';
import {
  type NaiveBest,
  type NaiveCity,
  naiveCompare,
  naiveCounts,
  naiveDays,
  naiveFlexible,
  naivePasses,
  type NaivePricedStay,
  naiveStaysAt,
} from '../kit/priced-city.ts';
import { PROPERTIES } from './base.ts';
import { isSeenBy, type State } from './known-truth.ts';
import { pick } from './quotes.ts';
import { worldOf } from './seen.ts';
import type { CatalogueReader } from '../../src/read-model/catalogue/catalogue-reader.ts';
import type { PricedPage } from '../../src/read-model/catalogue/prices/priced-moment.ts';
import type { Reader } from './service.ts';
import { type Connection, heldBy, judgeShown } from './shown.ts';
import type { Place, World } from './world.ts';

const PAGE_SIZE = 20;
const DAYS = 6;
const CITY = 'Venezia';
/** Days from today to the first date that is asked about. */
const FIRST_AHEAD = [2, 2, 0, 1] as const;
const OPENINGS_MAX = 3;
const FILTERS: readonly (StayFilters | undefined)[] = [
  undefined,
  { propertyTypes: ['VILLA'] },
  { amenities: ['wifi'] },
  { minRating: 4 },
  { minBathrooms: 2 },
  { maxTotal: { currency: 'EUR', total: 24_000n } },
  { areas: ['castello'] },
  { propertyTypes: ['villa'], areas: ['Cannaregio'] },
];

interface Question {
  readonly partnerId: string;
  readonly guests: number;
  readonly nights: number;
  readonly filters: StayFilters | undefined;
  readonly pageSize: number;
  /** Of check-in. */
  readonly first: EpochDay;
  readonly isByNight: boolean;
}

interface Kind {
  /** In a form that can be compared. */
  readonly ask: (answering: { readonly catalogue: CatalogueReader }, question: Question) => unknown;
  readonly expect: (city: NaiveCity, question: Question) => unknown;
}

/** Asks one of them, and compares the answer with what memory shows before and after. */
export async function judgeStays(
  world: World,
  place: Place,
  reader: Reader,
  { partnerId, connection, what }: { partnerId: string; connection: Connection; what: number },
): Promise<void> {
  const shown = judgeShown(world, place, reader, connection);
  const before = JSON.stringify([...heldBy(reader)]);
  const question = {
    partnerId,
    guests: 1 + ((what >> 4) % 4),
    nights: 1 + ((what >> 6) % 3),
    filters: pick(FILTERS, what >> 8),
    pageSize: world.story.sizes.list ?? PAGE_SIZE,
    first: TODAY + pick(FIRST_AHEAD, what >> 12),
    isByNight: (what >> 14) % 2 === 1,
  };
  const [name, { ask, expect }] = pick(Object.entries(KINDS), what);
  // The serving thread answers some, the thread for long questions others.
  const catalogue = ((what >> 15) & 1) === 0 ? reader.catalogue : reader.longCatalogue;
  const answer = JSON.stringify(ask({ catalogue }, question));
  if (shown.length === 0 || JSON.stringify([...heldBy(reader)]) !== before) return;
  world.counts.checks += 1;
  const expected = shown.map(({ state }) => JSON.stringify(expect(cityOf(state, partnerId), question)));
  if (!expected.includes(answer))
    world.blame(place.name, `answers ${partnerId} about ${name}: ${answer}; it is ${expected[0]}`);
}

/** Those that the partner sees: the naive city has one partner. */
function cityOf(state: State, partnerId: string): NaiveCity {
  const worlds = new Map<string, NaiveWorld>();
  for (const id of PROPERTIES) {
    const known = state.get(id);
    if (known === undefined || !isSeenBy(partnerId, known)) continue;
    const world = worldOf(known);
    worlds.set(id, { ...world, property: { ...world.property, visibleTo: 'all' } });
  }
  return { worlds };
}

function stayOf({ nights, guests, first }: Question) {
  return { checkIn: first + 1, checkOut: first + 1 + nights, guests };
}

function windowOf({ nights, guests, first }: Question) {
  const checkIns = Array.from({ length: DAYS }, (_, day) => first + day);
  return { checkIns, nights, maxNights: nights + 1, guests };
}

function askedOf({ partnerId, guests, pageSize, filters }: Question) {
  return { city: CITY, partnerId, guests, pageSize, filters, locale: 'it-IT' } as const;
}

interface Page {
  readonly items: readonly {
    readonly propertyId: string;
    readonly pricing: unknown;
    readonly checkIns?: number;
  }[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
  readonly counts?: unknown;
  readonly nearest?: unknown;
}

function readPage({ body }: PricedPage): Page {
  return JSON.parse(Buffer.from(body).toString()) as Page;
}

/** Page by page while there is more. */
function readPages(ask: (page: number) => Page): object {
  const items: object[] = [];
  for (let page = 1; ; page += 1) {
    const read = ask(page);
    items.push(...read.items.map(({ propertyId, pricing, checkIns }) => ({ propertyId, pricing, checkIns })));
    if (!read.pagination.hasMore) return { items, total: read.pagination.total, counts: read.counts };
  }
}

/** The same, as it should be. */
function presentAll(
  under: (filters: StayFilters) => readonly (NaivePricedStay & Partial<NaiveBest>)[],
  filters: StayFilters = {},
): object {
  const found = under(filters);
  const items = found.map(({ world, pricing, checkIns }) => ({
    propertyId: world.property.propertyId,
    pricing,
    checkIns,
  }));
  return { items, total: found.length, counts: naiveCounts(under, filters, 'it-IT') };
}

const KINDS: Readonly<Record<string, Kind>> = {
  'flexible stays': {
    ask: ({ catalogue: { prices } }, question) => {
      const sort = question.isByNight ? 'night' : 'total';
      const search = { ...askedOf(question), ...windowOf(question), sort, counts: true } as const;
      return readPages((page) => readPage(prices.flexible({ ...search, page })));
    },
    expect: (city, question) =>
      presentAll(
        (some) => naiveFlexible(city, windowOf(question), question.isByNight, some),
        question.filters,
      ),
  },
  'stays by price': {
    ask: ({ catalogue: { prices } }, question) => {
      const search = { ...askedOf(question), stay: stayOf(question), sort: 'total', counts: true } as const;
      return readPages((page) => readPage(prices.search({ ...search, page })));
    },
    expect: (city, question) =>
      presentAll(
        (some) =>
          naiveStaysAt(city, stayOf(question))
            .filter((one) => naivePasses(one, some))
            .toSorted((one, other) => naiveCompare(one, other, false)),
        question.filters,
      ),
  },
  'days of the city': {
    ask({ catalogue: { prices } }, { partnerId, nights, guests, filters, first }) {
      const range = { from: first, until: first + DAYS };
      const question = { city: CITY, partnerId, filters, nights, guests };
      const answer = prices.days({ ...question, ...range });
      return (JSON.parse(answer.toString()) as { readonly days: unknown }).days;
    },
    expect: (city, { nights, guests, filters, first }) =>
      naiveDays(city, { from: first, until: first + DAYS }, { nights, guests, filters }),
  },
  'nearest openings': {
    ask({ catalogue: { prices } }, question) {
      const search = { ...askedOf(question), stay: stayOf(question), sort: 'default', page: 1 } as const;
      return readPage(prices.search({ ...search, nearest: true })).nearest;
    },
    expect(city, question) {
      const { checkIn, checkOut, guests } = stayOf(question);
      const filters = { ...question.filters, maxTotal: undefined };
      const countAt = (shift: number): number =>
        naiveStaysAt(city, { checkIn: checkIn + shift, checkOut: checkOut + shift, guests }).filter((one) =>
          naivePasses(one, filters),
        ).length;
      if (countAt(0) > 0) return [];
      return [...nearestShifts(OPENING_DAYS_MAX, 'earlier')]
        .map((shift) => ({
          checkIn: formatLocalDate(checkIn + shift),
          checkOut: formatLocalDate(checkOut + shift),
          properties: countAt(shift),
        }))
        .filter(({ properties }) => properties > 0)
        .slice(0, OPENINGS_MAX);
    },
  },
  cities: {
    ask({ catalogue: { questions } }, { partnerId }) {
      const query = { text: 'ven', country: undefined, locale: 'it-IT', limit: 5 } as const;
      const found = questions.answer('cities', { ...query, partnerId });
      return found.map(({ city, properties }) => ({ city, properties }));
    },
    expect: ({ worlds }) => (worlds.size === 0 ? [] : [{ city: CITY, properties: worlds.size }]),
  },
};
