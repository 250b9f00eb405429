/** A city of which a partner sees nothing: as little is looked at as for a city that is not there. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCalendar } from '../../../domain/calendar.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { Catalogue } from '../catalogue.ts';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  TODAY,
} from '../../../../test/kit/catalogue-samples.ts';
import { searchedMarkets } from '../../../../test/kit/searched-markets.ts';
import { type OfferedStay, type SearchedMarket, searchMarkets } from './market-search.ts';
import { makeStayLines } from './block-search.ts';
import { NightRing } from './night-ring.ts';
import { searchWindow } from './window-search.ts';
import type { Block } from './block.ts';
import type { StayRequest } from '../../../domain/eligibility.ts';
import type { StayFilters } from '../../../domain/stay-filters.ts';
import { type CountedMarket, suggestCities } from '../cities/city-suggestions.ts';
import { makeWordPage } from '../cities/match-words.ts';
import { PricedMoment } from '../prices/priced-moment.ts';
import { searchStays } from '../prices/stay-search.ts';
import { TraitBook } from '../prices/trait-book.ts';

const OPEN = buildCalendar([{ from: TODAY, to: TODAY + 30, set: { availability: 1 } }]);
const PROPERTIES = 3_000;
const STAYS = 40;
const CITY_NAME = foldPlaceName('Lucca');

/** Most properties are of one partner; the last ones are for all. */
function marketsOf(openCount: number): readonly SearchedMarket[] {
  const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  for (let index = 0; index < PROPERTIES; index += 1) {
    const property = makeProperty(
      `id${String(index).padStart(6, '0')}`,
      {
        location: { city: 'Lucca', country: 'IT', area: null },
        visibleTo: index >= PROPERTIES - openCount ? 'all' : ['p1'],
      },
      [2],
    );
    catalogue.apply(followed({ property, calendars: [OPEN] }, 1));
  }
  return searchedMarkets(catalogue, 'Lucca');
}

/** A search for one stay with values counted, and other dates where nothing is available. */
function countPriced(markets: readonly SearchedMarket[], partnerId: string): Counted {
  let asked = 0;
  const ring = new NightRing(HORIZON_NIGHTS, NOW_MS);
  const sources = {
    horizonNights: HORIZON_NIGHTS,
    stayLines: (stay: StayRequest) => makeStayLines(stay, (night) => ring.lineOf(night)),
    summaryOf: () => ({ bytes: Buffer.from('{}'), start: 0, end: 2 }),
  };
  const moment = new PricedMoment(sources, () => (asked += 1) && TODAY);
  const named = { askedName: 'Lucca', cityName: CITY_NAME, isKnownElsewhere: false, markets };
  const query = {
    city: 'Lucca',
    page: 1,
    pageSize: 1,
    locale: 'it-IT',
    sort: 'default',
    partnerId,
    stay: { checkIn: TODAY + 33, checkOut: TODAY + 35 },
    guests: 1,
    filters: { minRating: 1 } as StayFilters,
    counts: true,
    nearest: true,
  };
  const { body } = searchStays(moment, new TraitBook(), named as never, query as never);
  const { nearest, pagination } = JSON.parse(Buffer.from(body).toString());
  return { asked, hits: pagination.total + nearest.length };
}

/** Spellings that are looked at when the name of the city is typed. */
function countSuggested(markets: readonly SearchedMarket[], partnerId: string): Counted {
  let asked = 0;
  const spelled = (block: Block): Block =>
    Object.create(block, {
      lines: {
        value: Object.create(block.lines, {
          citySpellings: { get: () => (asked += 1) && block.lines.citySpellings },
        }),
      },
    }) as Block;
  const named = markets.map((market) => {
    const whole = { ...market, blocks: market.blocks.map(spelled) };
    return { ...(market as unknown as CountedMarket), whole: () => whole };
  });
  const pages = [makeWordPage([`${CITY_NAME}\t`])];
  const question = { text: 'luc', country: undefined, locale: 'it-IT', limit: 9 } as const;
  const found = suggestCities({ pages, named: () => named }, { ...question, partnerId });
  return { asked, hits: found[0]?.properties ?? 0 };
}

interface Counted {
  readonly asked: number;
  readonly hits: number;
}

function countWindow(markets: readonly SearchedMarket[], partnerId: string): Counted {
  const { stays, asked } = countedStays();
  const found = searchWindow(markets, { cityName: CITY_NAME, partnerId, guests: 1, stays });
  const hits = found.any.reduce((sum, { count }) => sum + count, 0);
  assert.equal(found.countOf(0, found.any), hits, 'each has the first stay');
  return { asked: asked(), hits };
}

function countSearch(markets: readonly SearchedMarket[], partnerId: string): Counted {
  const { stays, asked } = countedStays();
  const found = searchMarkets(markets, { cityName: CITY_NAME, partnerId, guests: 1, stay: stays[0] });
  return { asked: asked(), hits: found.reduce((sum, { count }) => sum + count, 0) };
}

/** Counts what is asked of timezones, once for each block that is decided. */
function countedStays(): { readonly stays: readonly OfferedStay[]; readonly asked: () => number } {
  let asked = 0;
  const ring = new NightRing(HORIZON_NIGHTS, NOW_MS);
  const stays = Array.from({ length: STAYS }, (_, day): OfferedStay => {
    const stay = { checkIn: TODAY + (day % 20), checkOut: TODAY + (day % 20) + 2, guests: 1 };
    return {
      lines: makeStayLines(stay, (night) => ring.lineOf(night)),
      isOffered: () => (asked += 1) > 0,
      daysAhead: () => day % 20,
    };
  });
  return { stays, asked: () => asked };
}

describe('A city of which a partner sees nothing', () => {
  const nothing = { asked: 0, hits: 0 };

  it('is decided as one that is not there', () => {
    const hidden = marketsOf(0);
    for (const count of [countWindow, countSearch]) {
      assert.deepEqual(count(hidden, 'p2'), count([], 'p2'));
      assert.deepEqual(count(hidden, 'p2'), nothing);
    }
    const priced = countPriced(hidden, 'p2');
    assert.deepEqual(priced, countPriced([], 'p2'), 'counts, filters and the nearest dates');
    assert.deepEqual([priced.asked, priced.hits], [0, 0]);
  });

  it('is not looked into when its name is typed', () => {
    const hidden = marketsOf(0);
    assert.deepEqual(countSuggested(hidden, 'p2'), nothing);
    assert.deepEqual(countSuggested(hidden, 'p3'), countSuggested([], 'p2'));
    const shared = marketsOf(5);
    const [all, some] = [countSuggested(shared, 'p1'), countSuggested(shared, 'p2')];
    assert.deepEqual([all.hits, some.hits], [PROPERTIES, 5]);
    assert.ok(some.asked > 0 && some.asked < all.asked);
  });

  it('takes as many as there are properties to see, and finds each of them', () => {
    const shared = marketsOf(5);
    for (const count of [countWindow, countSearch]) {
      const [all, some] = [count(shared, 'p1'), count(shared, 'p2')];
      assert.deepEqual([all.hits, some.hits], [PROPERTIES, 5]);
      assert.ok(some.asked > 0 && some.asked < all.asked);
    }
    const [all, some] = [countPriced(shared, 'p1'), countPriced(shared, 'p2')];
    assert.ok(some.asked > 0 && some.asked < all.asked);
  });
});
