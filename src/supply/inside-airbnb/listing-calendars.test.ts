import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import type { CalendarRow } from './calendar-row.ts';
import { countNights, ListingCalendars } from './listing-calendars.ts';

type Values = Omit<CalendarRow, 'listingId' | 'day'>;

const valuesArbitrary: fc.Arbitrary<Values> = fc.record({
  availability: fc.constantFrom(0, 1),
  rate: fc.constantFrom(null, 100),
  minStay: fc.constantFrom(null, 2, 2_147_483_647),
  maxStay: fc.constantFrom(null, 1125),
});
/** Few listings and days, so that rows are scattered, repeated, descending and equal to their neighbours. */
const rowArbitrary: fc.Arbitrary<CalendarRow> = fc
  .tuple(fc.constantFrom('1', '2', '9007199254740993'), fc.integer({ min: -2, max: 6 }), valuesArbitrary)
  .map(([listingId, day, values]) => ({ listingId, day, ...values }));

function gather(rows: readonly CalendarRow[], runsHeldMax: number): ListingCalendars {
  const calendars = new ListingCalendars(runsHeldMax);
  for (const row of rows) calendars.add(row);
  return calendars;
}

/** One night at a time: the last row decides. */
function nightsOf(rows: readonly CalendarRow[], listingId: string): Map<number, Values> {
  const nights = new Map<number, Values>();
  for (const { day, availability, rate, minStay, maxStay } of rows.filter(
    (row) => row.listingId === listingId,
  )) {
    nights.set(day, { availability, rate, minStay, maxStay });
  }
  return nights;
}

function nightsHeld(calendars: ListingCalendars, listingId: string): Map<number, Values> {
  const nights = new Map<number, Values>();
  for (const { from, until, availability, ...values } of calendars.runsOf(listingId)) {
    for (let day = from; day < until; day += 1) {
      nights.set(day, { availability: availability === 1 ? 1 : 0, ...values });
    }
  }
  return nights;
}

function byDay(nights: Map<number, Values>): [number, Values][] {
  return [...nights].sort(([a], [b]) => a - b);
}

describe('The calendars of listings', () => {
  it('hold what the last row for each night says, in memory or moved to disk', () => {
    fc.assert(
      fc.property(
        fc.array(rowArbitrary, { maxLength: 60 }),
        fc.constantFrom(1, 3, 1000),
        (rows, runsHeldMax) => {
          const calendars = gather(rows, runsHeldMax);
          const listingIds = new Set(rows.map(({ listingId }) => listingId));
          assert.deepEqual([...calendars.listingIds()].sort(), [...listingIds].sort());
          for (const listingId of listingIds) {
            const expected = nightsOf(rows, listingId);
            assert.deepEqual(byDay(nightsHeld(calendars, listingId)), byDay(expected));
            assert.equal(countNights(calendars.runsOf(listingId)), expected.size);
          }
          assert.equal(calendars.rowCount, rows.length);
          calendars.close();
        },
      ),
      RUN_SEED,
    );
  });

  it('know their first and last night', () => {
    const row = { listingId: '1', availability: 1, rate: null, minStay: null, maxStay: null } as const;
    const calendars = gather(
      [5, 3, 9].map((day) => ({ ...row, day })),
      10,
    );
    assert.deepEqual([calendars.earliest, calendars.latest], [3, 9]);
  });

  it('have no runs of a listing without rows', () => {
    assert.deepEqual(gather([], 10).runsOf('1'), []);
  });

  it('make one run of descending nights with the same values', () => {
    const row = { listingId: '1', availability: 1, rate: 100, minStay: 1, maxStay: 2 } as const;
    const calendars = gather(
      [9, 8, 7].map((day) => ({ ...row, day })),
      10,
    );
    assert.deepEqual(calendars.runsOf('1'), [
      { from: 7, until: 10, availability: 1, rate: 100, minStay: 1, maxStay: 2 },
    ]);
  });
});
