import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildCalendar, EMPTY_CALENDAR } from '../../../domain/calendar.ts';
import { Catalogue } from '../catalogue.ts';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  seededRandom,
  TODAY,
} from '../../../../test/kit/catalogue-samples.ts';

const REGION = 'Toscana';
const OPEN = buildCalendar([{ from: TODAY, to: TODAY + 30, set: { availability: 1 } }]);

interface Region {
  readonly catalogue: Catalogue;
  /** The open properties, in order. */
  readonly openIds: readonly string[];
  readonly allIds: readonly string[];
}

/** One town of each size; properties are of random towns, or town by town in id order. */
function makeRegion(sizes: readonly number[], isMixed: boolean, openShare: number): Region {
  const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  const random = seededRandom(11);
  const towns = sizes.flatMap((size, town) => Array.from({ length: size }, () => town));
  if (isMixed) towns.sort(() => random() - 0.5);
  const openIds: string[] = [];
  const allIds: string[] = [];
  towns.forEach((town, index) => {
    const propertyId = `id${String(index).padStart(6, '0')}`;
    const isOpen = random() < openShare;
    const location = { city: `Town ${town}`, country: 'IT', area: null };
    const property = makeProperty(propertyId, { location, cityAliases: [REGION] }, [2]);
    catalogue.apply(followed({ property, calendars: [isOpen ? OPEN : EMPTY_CALENDAR] }, 1));
    allIds.push(propertyId);
    if (isOpen) openIds.push(propertyId);
  });
  assert.equal(catalogue.size().markets, sizes.filter((size) => size > 0).length);
  return { catalogue, openIds, allIds };
}

function pageOf({ catalogue }: Region, page: number, pageSize: number, isDated: boolean): string[] {
  const list = catalogue.list({
    city: REGION,
    stay: isDated ? { checkIn: TODAY, checkOut: TODAY + 3 } : undefined,
    guests: isDated ? 2 : undefined,
    page,
    pageSize,
    locale: 'it-IT',
    partnerId: 'p1',
  });
  const { items } = JSON.parse(Buffer.from(list).toString()) as { items: { propertyId: string }[] };
  return items.map(({ propertyId }) => propertyId);
}

describe('a page of several markets that answer to one name', () => {
  const regions = {
    'small towns, mixed': makeRegion(
      Array.from({ length: 60 }, () => 30),
      true,
      0.5,
    ),
    'small towns, one behind the other': makeRegion(
      Array.from({ length: 60 }, () => 30),
      false,
      0.5,
    ),
    'a city of several blocks among villages, mixed': makeRegion([5000, 1, 1, 7, 40, 300], true, 0.9),
    'a few open ones of many': makeRegion([1500, 1500, 1500], true, 0.004),
    'two of one property each': makeRegion([1, 1], false, 1),
  };

  for (const [name, region] of Object.entries(regions)) {
    it(`starts where the merged list says: ${name}`, () => {
      fc.assert(
        fc.property(
          fc.boolean(),
          fc.integer({ min: 1, max: 50 }),
          fc.double({ min: 0, max: 1.05, noNaN: true }),
          (isDated, pageSize, place) => {
            const ids = isDated ? region.openIds : region.allIds;
            const page = 1 + Math.floor((place * ids.length) / pageSize);
            const expected = ids.slice((page - 1) * pageSize, page * pageSize);
            assert.deepEqual(pageOf(region, page, pageSize, isDated), expected);
          },
        ),
        { seed: 20_261_120, numRuns: 300 },
      );
    });
  }

  it('is empty behind the last one, however far', () => {
    const region = regions['small towns, mixed'];
    for (const page of [37, 1000, Number.MAX_SAFE_INTEGER])
      assert.deepEqual(pageOf(region, page, 50, false), []);
  });
});
