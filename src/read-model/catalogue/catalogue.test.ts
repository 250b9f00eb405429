import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isEligible, isNightAvailable, makeOfferedNights } from '../../domain/eligibility.ts';
import { formatLocalDate, localToday } from '../../domain/local-date.ts';
import { allTexts, isVisibleTo } from '../../domain/property.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  sampleArb,
  seededRandom,
  TODAY,
  type Sample,
} from '../../../test/kit/catalogue-samples.ts';
import { type ByteText, parseByteText } from './bodies/byte-text.ts';
import { Catalogue } from './catalogue.ts';
import type { SearchQuery } from './cities/city-search.ts';
import { buildCalendar } from '../../domain/calendar.ts';

interface ListBody {
  items: { propertyId: string; name: string; startingPrice: string | null }[];
  pagination: { page: number; pageSize: number; total: number; hasMore: boolean };
}

interface AvailabilityBody {
  available: boolean;
  days: { date: string; available: boolean }[];
}

type Change = { put: Sample } | { withdraw: string };

const RUNS = { seed: 20_261_120, numRuns: 150 };

const changesArb: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: sampleArb.map((put) => ({ put })) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 60 }).map((id) => ({ withdraw: `h${id}` })) },
  ),
  { minLength: 1, maxLength: 90, size: 'max' },
);

const stayArb = fc.record({
  checkIn: fc.integer({ min: TODAY - 2, max: TODAY + HORIZON_NIGHTS + 2 }),
  nightCount: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 60 })),
  guests: fc.integer({ min: 1, max: 6 }),
});

const searchArb = fc.record({
  city: fc.constantFrom('venezia', 'Venice', 'VENISE', ' venecia ', 'nowhere'),
  country: fc.constantFrom(undefined, undefined, 'IT', 'US'),
  partnerId: fc.constantFrom('p1', 'p2', 'p3'),
  stay: fc.option(stayArb, { nil: undefined }),
  guests: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
});

describe('the catalogue', () => {
  it('lists exactly the properties that the evaluator finds eligible, in id order, page by page', () => {
    fc.assert(
      fc.property(changesArb, fc.array(searchArb, { minLength: 3, maxLength: 6 }), (changes, searches) => {
        const { catalogue, held } = build(changes);
        for (const search of searches) {
          const query = toQuery(search);
          const expected = [...held.values()]
            .filter((sample) => matches(sample, query))
            .map((sample) => sample.property.propertyId)
            .sort();
          assert.deepEqual(allPages(catalogue, query), expected);
        }
      }),
      RUNS,
    );
  });

  it('answers availability night by night and for the whole stay as the evaluator does', () => {
    fc.assert(
      fc.property(changesArb, fc.array(stayArb, { minLength: 1, maxLength: 3 }), (changes, stays) => {
        const { catalogue, held } = build(changes);
        for (const sample of held.values()) {
          for (const stay of stays) assertAvailability(catalogue, sample, stay);
        }
      }),
      RUNS,
    );
  });

  it('ends in the same state whether it followed the changes or was built from what they led to', () => {
    fc.assert(
      fc.property(changesArb, fc.array(searchArb, { minLength: 2, maxLength: 4 }), (changes, searches) => {
        const { catalogue, held } = build(changes);
        const rebuilt = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
        for (const id of [...held.keys()].sort()) rebuilt.apply(followed(held.get(id)!, 1));
        for (const search of searches) {
          const query = toQuery(search);
          assert.equal(text(catalogue.list(query)), text(rebuilt.list(query)));
        }
        assert.deepEqual(catalogue.size(), rebuilt.size());
      }),
      RUNS,
    );
  });

  for (const batchSize of [1, 25, 3000])
    it(`keeps ids in order and pages whole when blocks fill up and split, ${batchSize} at once`, () => {
      const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
      const open = buildCalendar([{ from: TODAY, to: TODAY + 30, set: { availability: 1 } }]);
      const random = seededRandom(7);
      const ids = Array.from({ length: 3000 }, (_, index) => `id${(index * 7919) % 3000}`);
      const changes = ids.map((id) => {
        const guestsMax = Array.from({ length: 1 + Math.floor(random() * 3) }, () => 2);
        const property = makeProperty(id, {}, guestsMax);
        return followed({ property, calendars: guestsMax.map(() => open) }, 1);
      });
      for (let from = 0; from < changes.length; from += batchSize)
        catalogue.applyAll(changes.slice(from, from + batchSize), refuseNone);
      const query = toQuery({
        city: 'venezia',
        country: undefined,
        partnerId: 'p1',
        guests: 2,
        stay: { checkIn: TODAY, nightCount: 7, guests: 2 },
      });
      assert.deepEqual(allPages(catalogue, query), [...ids].sort());
      for (const id of ids) if (random() < 0.9) catalogue.apply({ propertyId: id, revision: 2 });
      const left = ids.filter((id) => catalogue.revisionOf(id) !== undefined);
      assert.ok(left.length > 200 && left.length < 400);
      assert.deepEqual(allPages(catalogue, query), left.sort());
    });

  it('ignores an older version of what it holds', () => {
    const { catalogue } = build([]);
    const property = makeProperty('h1', { name: 'New' }, [2]);
    const calendars = [buildCalendar([])];
    catalogue.apply(followed({ property, calendars }, 5));
    catalogue.apply(followed({ property: { ...property, name: 'Old' }, calendars }, 4));
    catalogue.apply({ propertyId: 'h1', revision: 3 });
    assert.match(catalogue.findSummary('h1', 'it-IT', 'p1')!, /"name":"New"/);
  });

  it('keeps every summary right, and those that were read, while properties change again and again', () => {
    const { catalogue } = build([]);
    const ids = Array.from({ length: 40 }, (_, index) => `h${index}`);
    const names = new Map<string, string>();
    const read: { readonly body: ByteText; readonly expected: string }[] = [];
    const random = seededRandom(7);
    for (let revision = 1; revision <= 4000; revision++) {
      const id = ids[Math.floor(random() * ids.length)]!;
      const name = `Caffè ${id} `.repeat(1 + Math.floor(random() * 60)) + String(revision);
      names.set(id, name);
      catalogue.apply(
        followed({ property: makeProperty(id, { name }, [2]), calendars: [buildCalendar([])] }, revision),
      );
      if (revision % 40 !== 0) continue;
      const body = catalogue.findSummary(id, 'it-IT', 'p1')!;
      read.push({ body, expected: name });
    }
    for (const [id, name] of names) {
      assert.equal(nameIn(catalogue.findSummary(id, 'en-GB', 'p1')!), name);
    }
    for (const { body, expected } of read) assert.equal(nameIn(body), expected);
  });

  it('moves the starting price with the local day', () => {
    let nowMs = NOW_MS;
    const catalogue = new Catalogue({ clock: () => nowMs, horizonNights: HORIZON_NIGHTS });
    const calendar = buildCalendar([
      { from: TODAY, to: TODAY, set: { availability: 1, rate: 5000 } },
      { from: TODAY + 1, to: TODAY + 2, set: { availability: 1, rate: 8000 } },
    ]);
    catalogue.apply(followed({ property: makeProperty('h1', {}, [2]), calendars: [calendar] }, 1));
    const startingPrice = (): string | null =>
      (parseByteText(catalogue.findSummary('h1', 'en-GB', 'p1')!) as { startingPrice: string | null })
        .startingPrice;
    assert.equal(startingPrice(), '50.00');
    nowMs += 86_400_000;
    assert.equal(startingPrice(), '80.00');
    nowMs += 2 * 86_400_000;
    assert.equal(startingPrice(), null);
    nowMs -= 3 * 86_400_000;
    assert.equal(startingPrice(), '50.00', 'a clock set back shows the earlier price again');
  });

  it('offers new nights after the horizon moved on and every property was applied again', () => {
    let nowMs = NOW_MS;
    const catalogue = new Catalogue({ clock: () => nowMs, horizonNights: HORIZON_NIGHTS });
    const calendar = buildCalendar([{ from: TODAY, to: TODAY + 400, set: { availability: 1, rate: 5000 } }]);
    const sample = { property: makeProperty('h1', {}, [2]), calendars: [calendar] };
    catalogue.apply(followed(sample, 1));
    for (let day = 0; day < 200; day++, nowMs += 86_400_000) {
      if (catalogue.isRefillDue()) {
        catalogue.moveOn();
        catalogue.apply(followed(sample, 1));
      }
      const today = TODAY + day;
      assert.ok(isAvailable(catalogue, today), `today, after ${day} days`);
      assert.ok(isAvailable(catalogue, today + HORIZON_NIGHTS - 1), `the last night, after ${day} days`);
      assert.ok(!isAvailable(catalogue, today + HORIZON_NIGHTS), `beyond the horizon, after ${day} days`);
      assert.ok(!isAvailable(catalogue, today - 1), `yesterday, after ${day} days`);
    }
  });
});

function isAvailable(catalogue: Catalogue, night: number): boolean {
  const query = { propertyId: 'h1', checkIn: night, checkOut: night + 1, guests: 2, partnerId: 'p1' };
  return (JSON.parse(catalogue.findAvailability(query)!) as AvailabilityBody).available;
}

function refuseNone(_: unknown, error: unknown): never {
  throw error;
}

function build(changes: readonly Change[]): { catalogue: Catalogue; held: Map<string, Sample> } {
  const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  const held = new Map<string, Sample>();
  const applied = changes.map((change, index) => {
    if (!('put' in change)) {
      held.delete(change.withdraw);
      return { propertyId: change.withdraw, revision: index + 1 };
    }
    held.set(change.put.property.propertyId, change.put);
    return followed(change.put, index + 1);
  });
  // As reads bring them: alone, or several at once, even with one property twice.
  for (let from = 0, size = 1; from < applied.length; from += size, size = (size % 7) + 1)
    catalogue.applyAll(applied.slice(from, from + size), refuseNone);
  return { catalogue, held };
}

type Search = typeof searchArb extends fc.Arbitrary<infer T> ? T : never;

function toQuery({ stay, ...search }: Search): SearchQuery {
  const dates = stay && { checkIn: stay.checkIn, checkOut: stay.checkIn + stay.nightCount };
  return {
    ...search,
    stay: dates,
    guests: stay?.guests ?? search.guests,
    page: 1,
    pageSize: 7,
    locale: 'it-IT',
  };
}

function matches({ property, calendars }: Sample, query: SearchQuery): boolean {
  const names = [...allTexts(property.location.city), ...property.cityAliases].map(foldPlaceName);
  if (!names.includes(foldPlaceName(query.city))) return false;
  if (query.country !== undefined && query.country !== property.location.country) return false;
  if (!isVisibleTo(property, query.partnerId)) return false;
  const { stay, guests } = query;
  if (stay === undefined)
    return guests === undefined || property.inventoryTypes.some((type) => type.guestsMax >= guests);
  const offered = makeOfferedNights(localToday(property.timezone, NOW_MS), HORIZON_NIGHTS);
  const request = { ...stay, guests: guests! };
  return property.inventoryTypes.some((type, index) => isEligible(type, calendars[index]!, request, offered));
}

function assertAvailability(
  catalogue: Catalogue,
  { property, calendars }: Sample,
  { checkIn, nightCount, guests }: { checkIn: number; nightCount: number; guests: number },
): void {
  const checkOut = checkIn + nightCount;
  const query = { propertyId: property.propertyId, checkIn, checkOut, guests, partnerId: 'p1' };
  const body = catalogue.findAvailability(query);
  assert.equal(body !== undefined, isVisibleTo(property, 'p1'));
  if (body === undefined) return;
  assert.match(body, /^[\x20-\x7e]*$/);
  const offered = makeOfferedNights(localToday(property.timezone, NOW_MS), HORIZON_NIGHTS);
  const types = property.inventoryTypes;
  const { available, days } = JSON.parse(body) as AvailabilityBody;
  assert.equal(
    available,
    types.some((type, index) => isEligible(type, calendars[index]!, { checkIn, checkOut, guests }, offered)),
  );
  const expectedDays = Array.from({ length: nightCount }, (_, index) => ({
    date: formatLocalDate(checkIn + index),
    available: isNightAvailable(types, calendars, { night: checkIn + index, guests }, offered),
  }));
  assert.deepEqual(days, expectedDays);
}

/** The ids of all pages in order; also checks the paging figures. */
function allPages(catalogue: Catalogue, query: SearchQuery): string[] {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { items, pagination } = JSON.parse(text(catalogue.list({ ...query, page }))) as ListBody;
    ids.push(...items.map((item) => item.propertyId));
    assert.deepEqual(
      { ...pagination, total: undefined },
      { page, pageSize: 7, total: undefined, hasMore: ids.length < pagination.total },
    );
    if (!pagination.hasMore) {
      assert.equal(ids.length, pagination.total);
      return ids;
    }
  }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function nameIn(summary: ByteText): string {
  return (parseByteText(summary) as { name: string }).name;
}
