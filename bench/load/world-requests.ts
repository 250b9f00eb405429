/** Dated searches over all cities of the generated catalogue, the large ones more often. */
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { LOCALES } from '../../src/domain/property.ts';
import { HORIZON_NIGHTS } from '../catalogue/profiles.ts';
import type { WorldDatabase } from '../catalogue/world-database.ts';
import type { World } from '../catalogue/world.ts';
import { drawIndex, seedRandom } from '../measure/random.ts';
import { SEED } from '../seed.ts';
import { formatRequest } from './recorded-answer.ts';

const NIGHTS_MAX = 14;

export function drawWorldSearches(world: World, { today, tokens }: WorldDatabase, count: number): string[] {
  const random = seedRandom(SEED);
  return Array.from({ length: count }, () => {
    const nights = random.between(1, NIGHTS_MAX);
    const checkIn = today + random.between(3, HORIZON_NIGHTS - NIGHTS_MAX - 3);
    const place = world.places[drawIndex(random, world.shares)]!;
    const query = new URLSearchParams({
      city: place.city,
      country: place.country,
      checkIn: formatLocalDate(checkIn),
      checkOut: formatLocalDate(checkIn + nights),
      guests: String(random.between(1, 4)),
      page: String(random.between(1, 3)),
      locale: random.pick(LOCALES),
    });
    return formatRequest({
      method: 'GET',
      path: `/v1/properties?${query.toString()}`,
      token: random.pick(tokens),
    });
  });
}
