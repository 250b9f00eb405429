/** Edges of the index: properties of very many types, scratch space that grows, days that pass. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isVisibleTo } from '../../../domain/property.ts';
import { buildCalendar, type CalendarEntry, EMPTY_CALENDAR } from '../../../domain/calendar.ts';
import { naiveDays, naiveIsAvailable, type NaiveWorld } from '../../../../test/kit/naive-model.ts';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  seededRandom,
  TODAY,
} from '../../../../test/kit/catalogue-samples.ts';
import { Catalogue } from '../catalogue.ts';
import type { SearchQuery } from '../cities/city-search.ts';

const DAY_MS = 86_400_000;
const OPEN: CalendarEntry = { from: TODAY, to: TODAY + 60, set: { availability: 1 } };

interface List {
  readonly items: readonly { readonly propertyId: string; readonly description: string | null }[];
  readonly pagination: { readonly total: number };
}

function search(catalogue: Catalogue, query: Partial<SearchQuery> = {}): List {
  const page = catalogue.list({
    city: 'Venezia',
    page: 1,
    pageSize: 50,
    locale: 'it-IT',
    partnerId: 'p1',
    ...query,
  });
  return JSON.parse(Buffer.from(page).toString()) as List;
}

describe('properties of very many inventory types', () => {
  const TYPE_COUNTS = [
    1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 40, 64, 65, 100, 128, 129, 257, 512, 513, 1000,
  ];

  /** Open for a week in exactly one of its types, or in none. */
  function makeWorld(typeCount: number, openType: number | undefined, index: number): NaiveWorld {
    const guestsMax = Array.from({ length: typeCount }, (_, type) => 1 + (type % 4));
    const property = makeProperty(`id${String(index).padStart(3, '0')}`, {}, guestsMax);
    const entries = guestsMax.map((_, type) => (type === openType ? [OPEN] : []));
    return { property, entries, today: TODAY, horizonNights: HORIZON_NIGHTS };
  }

  it('are found by any one of their types, once, in list, total and pages', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 12; round++) {
      const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
      const counts = TYPE_COUNTS.map((count) => ({ count, at: random() })).sort((a, b) => a.at - b.at);
      const worlds = counts.map(({ count }, index) => {
        const openTypes = [undefined, 0, count - 1, Math.floor(random() * count)];
        return makeWorld(count, openTypes[Math.floor(random() * openTypes.length)], index);
      });
      for (const { property, entries } of worlds) {
        const calendars = entries.map((list) => (list.length === 0 ? EMPTY_CALENDAR : buildCalendar(list)));
        catalogue.apply(followed({ property, calendars }, 1));
      }
      for (let guests = 1; guests <= 4; guests++) {
        const stay = { checkIn: TODAY + 1, checkOut: TODAY + 8 };
        const expected = worlds
          .filter((world) => naiveIsAvailable(world, { ...stay, guests }))
          .map(({ property }) => property.propertyId);
        const found: string[] = [];
        for (let page = 1; page <= Math.ceil(expected.length / 3) + 1; page++) {
          const { items, pagination } = search(catalogue, { stay, guests, page, pageSize: 3 });
          assert.equal(pagination.total, expected.length);
          found.push(...items.map(({ propertyId }) => propertyId));
        }
        assert.deepEqual(found, expected);
      }
    }
  });
});

describe('one search', () => {
  it('keeps its hits when there are more towns than any search had before', () => {
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: 1 });
    const calendars = [buildCalendar([OPEN])];
    const ids: string[] = [];
    for (let town = 0; town < 5000; town++) {
      const location = { city: `Town ${town}`, country: 'IT', area: null };
      const propertyId = `id${String((town * 7919) % 5000).padStart(4, '0')}`;
      const property = makeProperty(propertyId, { location, cityAliases: ['Toscana'] }, [2]);
      catalogue.apply(followed({ property, calendars }, 1));
      ids.push(propertyId);
    }
    ids.sort();
    assert.equal(catalogue.size().markets, 5000);
    for (const page of [1, 2, 50, 100]) {
      const { items, pagination } = search(catalogue, { city: 'Toscana', page });
      assert.equal(pagination.total, 5000);
      assert.deepEqual(
        items.map(({ propertyId }) => propertyId),
        ids.slice((page - 1) * 50, page * 50),
      );
    }
  });

  it('brings whole a page of 50 items with the longest texts', () => {
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    const descriptionOf = (index: number): string => `${index} `.padEnd(100_000, 'è');
    for (let index = 0; index < 50; index++) {
      const property = makeProperty(`id${100 + index}`, { description: descriptionOf(index) }, [2]);
      catalogue.apply(followed({ property, calendars: [EMPTY_CALENDAR] }, 1));
    }
    const { items } = search(catalogue);
    assert.equal(items.length, 50);
    for (const [index, { description }] of items.entries()) assert.equal(description, descriptionOf(index));
  });
});

describe('blocks that fill up and split', () => {
  it('keep all that they know of each property', () => {
    const random = seededRandom(9);
    const draw = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    const set = [
      {},
      { closedToArrival: 1 },
      { closedToDeparture: 1 },
      { minStayArrival: 4 },
      { minStayThrough: 9 },
      { maxStay: 2 },
    ];
    const advance = [{}, {}, { minAdvanceDays: 3 }, { maxAdvanceDays: 3 }];
    const worlds = Array.from({ length: 3000 }, (_, index): NaiveWorld => {
      const id = `id${String((index * 7919) % 3000).padStart(4, '0')}`;
      const visibleTo = draw(['all', 'all', ['p1'], ['p2']] as const);
      // Where it is the next day already.
      const isAhead = random() < 0.3;
      const timezone = isAhead ? 'Pacific/Kiritimati' : 'Europe/Rome';
      const property = makeProperty(id, { visibleTo, timezone }, [draw([1, 2, 4])]);
      const inventoryTypes = property.inventoryTypes.map((type) => ({ ...type, ...draw(advance) }));
      return {
        property: { ...property, inventoryTypes },
        entries: [[{ ...OPEN, set: { ...OPEN.set, ...draw(set) } }]],
        today: isAhead ? TODAY + 1 : TODAY,
        horizonNights: HORIZON_NIGHTS,
      };
    });
    for (const { property, entries } of worlds)
      catalogue.apply(followed({ property, calendars: entries.map(buildCalendar) }, 1));
    worlds.sort((a, b) => (a.property.propertyId < b.property.propertyId ? -1 : 1));
    for (const [ahead, nights] of [
      [0, 1],
      [2, 3],
      [3, 4],
      [4, 9],
      [10, 2],
    ] as const)
      for (const partnerId of ['p1', 'p2']) {
        const stay = { checkIn: TODAY + ahead, checkOut: TODAY + ahead + nights };
        const guests = 1 + (nights % 3);
        const expected = worlds
          .filter(
            (world) => isVisibleTo(world.property, partnerId) && naiveIsAvailable(world, { ...stay, guests }),
          )
          .map(({ property }) => property.propertyId);
        const found: string[] = [];
        for (let page = 1; found.length < expected.length; page++) {
          const { items, pagination } = search(catalogue, { stay, guests, partnerId, page });
          assert.equal(pagination.total, expected.length);
          found.push(...items.map(({ propertyId }) => propertyId));
          assert.notEqual(items.length, 0);
        }
        assert.deepEqual(found, expected);
      }
  });
});

describe('weeks without a restart', () => {
  /** Nights of all fields over many weeks, mostly open. */
  function makeEntries(random: () => number): CalendarEntry[] {
    const entries: CalendarEntry[] = [{ from: TODAY - 5, to: TODAY + 160, set: { availability: 1 } }];
    const fields = ['stopSell', 'closedToArrival', 'closedToDeparture'] as const;
    const lengths = ['minStayArrival', 'minStayThrough', 'maxStay'] as const;
    for (let count = 0; count < 25; count++) {
      const from = TODAY + Math.floor(random() * 160);
      const to = from + Math.floor(random() * 6);
      entries.push({ from, to, set: { [fields[count % 3]!]: 1 } });
      entries.push({ from, to, set: { [lengths[count % 3]!]: 1 + Math.floor(random() * 4) } });
      entries.push({ from: to + 2, to: to + 3, set: { availability: 0 } });
    }
    return entries;
  }

  const random = seededRandom(3);
  const properties = Array.from({ length: 12 }, (_, index) => {
    const advance = index % 3 === 0 ? { minAdvanceDays: 2, maxAdvanceDays: 30 } : {};
    const property = makeProperty(`id${10 + index}`, { timezone: 'Europe/Rome' }, [2, 3]);
    const inventoryTypes = property.inventoryTypes.map((type) => ({ ...type, ...advance }));
    return {
      property: { ...property, inventoryTypes },
      entries: inventoryTypes.map(() => makeEntries(random)),
    };
  });

  it('offer the nights of the naive model at both ends of the horizon, day by day', () => {
    let nowMs = NOW_MS;
    const catalogue = new Catalogue({ clock: () => nowMs, horizonNights: HORIZON_NIGHTS });
    const fill = (): void => {
      for (const { property, entries } of properties)
        catalogue.apply(followed({ property, calendars: entries.map(buildCalendar) }, 1));
    };
    fill();
    let refills = 0;
    for (let day = 0; day < 100; day++, nowMs += DAY_MS) {
      if (catalogue.isRefillDue()) {
        catalogue.moveOn();
        fill();
        refills++;
      }
      const today = TODAY + day;
      const last = today + HORIZON_NIGHTS;
      for (const [checkIn, checkOut] of [
        [today - 1, today + 1],
        [today, today + 1],
        [today, today + 4],
        [today + 3, today + 10],
        [last - 7, last],
        [last - 1, last],
        [last - 1, last + 1],
      ] as const)
        assertDay({ checkIn, checkOut, guests: 1 + (day % 3) }, today, catalogue);
    }
    assert.equal(refills, 6);
  });

  it('know nothing of new nights until they are told, however long that takes', () => {
    let nowMs = NOW_MS;
    const catalogue = new Catalogue({ clock: () => nowMs, horizonNights: HORIZON_NIGHTS });
    const restricted = {
      availability: 1,
      closedToDeparture: 1,
      closedToArrival: 1,
      minStayArrival: 9,
      maxStay: 1,
    };
    // Open on all nights that the first filling can hold.
    const calendar = buildCalendar([{ from: TODAY - 9, to: TODAY + 200, set: { availability: 1 } }]);
    const other = buildCalendar([{ from: TODAY - 9, to: TODAY + 200, set: restricted }]);
    catalogue.apply(followed({ property: makeProperty('a', {}, [2]), calendars: [calendar] }, 1));
    catalogue.apply(followed({ property: makeProperty('b', {}, [2]), calendars: [other] }, 1));
    // The day of the check-out has to be held as well.
    const lastHeld = TODAY + HORIZON_NIGHTS + 30;
    for (let day = 0; day < 120; day++, nowMs += DAY_MS) {
      catalogue.moveOn();
      const today = TODAY + day;
      for (let night = today; night < today + HORIZON_NIGHTS; night++) {
        const { available } = availability(catalogue, 'a', {
          checkIn: night,
          checkOut: night + 1,
          guests: 1,
        });
        assert.equal(available, night <= lastHeld, `day ${day}, night ${night - TODAY}`);
      }
    }
    // A later night is written completely: its line keeps no bits of former nights.
    catalogue.apply(
      followed(
        {
          property: makeProperty('c', {}, [2]),
          calendars: [buildCalendar([{ from: TODAY, to: TODAY + 300, set: { availability: 1 } }])],
        },
        1,
      ),
    );
    const checkIn = TODAY + 130;
    assert.ok(availability(catalogue, 'c', { checkIn, checkOut: checkIn + 3, guests: 1 }).available);
  });

  function assertDay(
    stay: { readonly checkIn: number; readonly checkOut: number; readonly guests: number },
    today: number,
    catalogue: Catalogue,
  ): void {
    const worlds = properties.map((one): NaiveWorld => ({ ...one, today, horizonNights: HORIZON_NIGHTS }));
    const expected = worlds
      .filter((world) => naiveIsAvailable(world, stay))
      .map(({ property }) => property.propertyId);
    const { items, pagination } = search(catalogue, { stay, guests: stay.guests });
    assert.deepEqual(
      items.map(({ propertyId }) => propertyId),
      expected,
    );
    assert.equal(pagination.total, expected.length);
    for (const world of worlds) {
      const { available, days } = availability(catalogue, world.property.propertyId, stay);
      assert.equal(available, expected.includes(world.property.propertyId));
      assert.deepEqual(days, naiveDays(world, stay));
    }
  }

  function availability(
    catalogue: Catalogue,
    propertyId: string,
    stay: { readonly checkIn: number; readonly checkOut: number; readonly guests: number },
  ): { readonly available: boolean; readonly days: readonly boolean[] } {
    const body = catalogue.findAvailability({ ...stay, propertyId, partnerId: 'p1' })!;
    const { available, days } = JSON.parse(body) as {
      available: boolean;
      days: { available: boolean }[];
    };
    return { available, days: days.map((day) => day.available) };
  }
});
