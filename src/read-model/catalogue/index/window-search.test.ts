import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  TODAY,
} from '../../../../test/kit/catalogue-samples.ts';
import { searchedMarkets } from '../../../../test/kit/searched-markets.ts';
import { buildCalendar } from '../../../domain/calendar.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { Catalogue } from '../catalogue.ts';
import { makeStayLines } from './block-search.ts';
import type { OfferedStay } from './market-search.ts';
import { NightRing } from './night-ring.ts';
import { searchWindow } from './window-search.ts';

it('hits of a window are those of each block, in whatever order they are asked', () => {
  const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  for (const [country, nights] of [
    ['IT', 2],
    ['FR', 30],
    ['DE', 0],
  ] as const) {
    const location = { city: 'Lucca', country, area: null };
    const availability = nights === 0 ? 0 : 1;
    const calendar = buildCalendar([{ from: TODAY, to: TODAY + nights, set: { availability } }]);
    const property = makeProperty(country, { location }, [2]);
    catalogue.apply(followed({ property, calendars: [calendar] }, 1));
  }
  const markets = searchedMarkets(catalogue, 'Lucca');
  const ring = new NightRing(HORIZON_NIGHTS, NOW_MS);
  const stays = [0, 10].map((ahead): OfferedStay => {
    const stay = { checkIn: TODAY + ahead, checkOut: TODAY + ahead + 1, guests: 1 };
    const lines = makeStayLines(stay, (night) => ring.lineOf(night));
    return { lines, isOffered: () => true, daysAhead: () => ahead };
  });
  const cityName = foldPlaceName('Lucca');
  const hits = searchWindow(markets, { cityName, partnerId: 'p1', guests: 1, stays });
  const staysOf = (country: string) =>
    hits.staysOf(markets.find((market) => market.country === country)!.blocks[0]!, 0);
  for (const country of ['IT', 'FR', 'FR', 'IT'])
    assert.deepEqual(staysOf(country), country === 'IT' ? [0] : [0, 1], country);
  const counts = Object.fromEntries(hits.any.map(({ market, count }) => [market.country, count]));
  assert.deepEqual(counts, { DE: 0, FR: 1, IT: 1 });
});
