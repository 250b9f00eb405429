/**
 * About how long a question will take, in microseconds, on a machine of our measurements (`npm run bench`). It decides
 * which thread answers, so a factor of three does no harm; it looks only at what the partner sees, or the time of an
 * answer would tell of hidden properties.
 */
import type { Party } from '../../../domain/child-ages.ts';
import type { VisibleSize } from '../index/market-search.ts';
import type { About, QuestionKind } from './questions.ts';
import type { FilteredQuery } from '../prices/stay-search.ts';

/** The lower bound of a property's prices. */
const BOUND_US = 0.13;
/** The price of a type, and of each of its nights. */
const PRICE_US = 3;
const NIGHT_US = 0.15;
/** A type whose stay is not priced: why, and which stays are instead. */
const WHY_US = 7;
/** A property among many stays: its rates, of each stay the lower bound, and the prices of some. */
const WINDOW_US = 15;
const STAY_US = 0.6;
const WINDOW_PRICES = 3;
/** A line of bits of a block. */
const LINE_US = 2;
/** Searches for other dates where nothing is available. */
const NEAREST_LINES = 60;
/** Properties that are priced for each one on the pages up to the wanted one (`stay-order.ts`). */
const PRICED_PER_SHOWN = 2;
/** Properties of each currency that are priced before all others (`city-days.ts`). */
const FIRST_PRICED = 16;
/** A word of the names of cities, with what is read of those that match. */
const WORD_US = 0.1;
const BLOCK_US = 0.5;

export interface VisibleQuestion extends Party {
  readonly city: string;
  readonly country?: string | undefined;
  readonly partnerId: string;
}

/** Looks into the present version. */
export interface CostSources {
  readonly sizeOf: (place: VisibleQuestion) => VisibleSize;
  /** Types of a property; 0 where the partner does not see it. */
  readonly typesAt: (propertyId: string, partnerId: string) => number;
  readonly wordCount: () => number;
  readonly blockCount: () => number;
}

type Costs = { readonly [Kind in QuestionKind]: (about: About<Kind>, sources: CostSources) => number };

export const COSTS_US: Costs = {
  search(query, { sizeOf }) {
    if (readsTraits(query)) return LONG;
    const { blocks, properties, typesPerProperty } = sizeOf(query);
    const { page, pageSize, sort, nearest, stay } = query;
    const price = typesPerProperty * priceUs(stay.checkOut - stay.checkIn);
    const openings = nearest === true ? NEAREST_LINES * blocks * LINE_US : 0;
    if (sort === 'default') return openings + Math.min(properties, pageSize) * price;
    const priced = Math.min(properties, PRICED_PER_SHOWN * page * pageSize);
    return openings + properties * BOUND_US + priced * price;
  },
  flexible(query, { sizeOf }) {
    if (readsTraits(query)) return LONG;
    const { blocks, properties, typesPerProperty } = sizeOf(query);
    const { page, pageSize, checkIns, nights, maxNights } = query;
    const stays = checkIns.length * (maxNights - nights + 1);
    const priced = Math.min(properties, PRICED_PER_SHOWN * page * pageSize);
    const best = windowUs(stays, maxNights);
    return blocks * stays * LINE_US + properties * BOUND_US + priced * typesPerProperty * best;
  },
  days(query, { sizeOf }) {
    if (readsTraits(query)) return LONG;
    const { blocks, properties, typesPerProperty } = sizeOf(query);
    const { from, until, nights } = query;
    const dates = until - from;
    const priced = Math.min(properties, FIRST_PRICED + dates);
    const best = windowUs(dates, nights);
    return blocks * dates * LINE_US + properties * BOUND_US + priced * typesPerProperty * best;
  },
  properties({ propertyIds, stay, partnerId, why }, { typesAt }) {
    const types = propertyIds.reduce((sum, propertyId) => sum + typesAt(propertyId, partnerId), 0);
    const price = priceUs(stay.checkOut - stay.checkIn);
    return types * (why === undefined ? price : Math.max(price, WHY_US));
  },
  calendar({ propertyId, partnerId, from, until, nights, maxNights = nights }, { typesAt }) {
    const stays = (until - from) * (maxNights - nights + 1);
    return stays * typesAt(propertyId, partnerId) * priceUs(maxNights);
  },
  cities: (_query, { wordCount, blockCount }) => wordCount() * WORD_US + blockCount() * BLOCK_US,
};

/** Traits are kept once for each machine, by the thread for what is long. */
const LONG = Number.POSITIVE_INFINITY;

function readsTraits({ filters, counts }: FilteredQuery): boolean {
  return filters !== undefined || counts === true;
}

function windowUs(stays: number, nights: number): number {
  return WINDOW_US + stays * STAY_US + Math.min(stays, WINDOW_PRICES) * priceUs(nights);
}

function priceUs(nights: number): number {
  return PRICE_US + nights * NIGHT_US;
}
