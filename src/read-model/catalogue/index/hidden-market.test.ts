/** Counted steps of a search in a city of which a partner sees nothing: none, as for a city that is not there. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCalendar } from '../../../domain/calendar.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { Catalogue } from '../catalogue.ts';
import type { FoundMarket } from '../read-model.ts';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  TODAY,
} from '../../../../test/kit/catalogue-samples.ts';
import { type OfferedStay, type SearchedMarket, searchMarkets } from './market-search.ts';
import { makeStayLines } from './block-search.ts';
import { NightRing } from './night-ring.ts';
import { searchWindow } from './window-search.ts';

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
  let found: readonly FoundMarket[] = [];
  const query = { city: 'Lucca', page: 1, pageSize: 1, locale: 'it-IT', partnerId: 'p1' } as const;
  catalogue.search(query, (_list, { markets }) => {
    found = markets;
    return true;
  });
  // The market that was searched, which is more than its name.
  return found.map(({ market }) => market as typeof market & SearchedMarket);
}

interface Counted {
  readonly steps: number;
  readonly asked: number;
  readonly hits: number;
}

function countWindow(markets: readonly SearchedMarket[], partnerId: string): Counted {
  const { stays, asked } = countedStays();
  const search = searchWindow(markets, { cityName: CITY_NAME, partnerId, guests: 1, stays });
  let steps = 0;
  let next = search.next();
  for (; next.done !== true; next = search.next()) steps += 1;
  const hits = next.value.any.reduce((sum, { count }) => sum + count, 0);
  assert.equal(next.value.countOf(0, next.value.any), hits, 'each has the first stay');
  return { steps, asked: asked(), hits };
}

function countSearch(markets: readonly SearchedMarket[], partnerId: string): Counted {
  const { stays, asked } = countedStays();
  const found = searchMarkets(markets, { cityName: CITY_NAME, partnerId, guests: 1, stay: stays[0] });
  return { steps: 0, asked: asked(), hits: found.reduce((sum, { count }) => sum + count, 0) };
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
  const nothing = { steps: 0, asked: 0, hits: 0 };

  it('takes the steps of a city that is not there', () => {
    const hidden = marketsOf(0);
    for (const count of [countWindow, countSearch]) {
      assert.deepEqual(count(hidden, 'p2'), count([], 'p2'));
      assert.deepEqual(count(hidden, 'p2'), nothing);
    }
  });

  it('takes as many as there are properties to see, and finds each of them', () => {
    const shared = marketsOf(5);
    for (const count of [countWindow, countSearch]) {
      const [all, some] = [count(shared, 'p1'), count(shared, 'p2')];
      assert.deepEqual([all.hits, some.hits], [PROPERTIES, 5]);
      assert.ok(some.asked > 0 && some.asked < all.asked);
    }
  });
});
