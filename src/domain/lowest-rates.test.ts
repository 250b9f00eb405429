import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveStartingRate } from '../../test/kit/naive-model.ts';
import { DAY_COUNT, FIRST_DAY, worldArbitrary } from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { buildCalendar, EMPTY_CALENDAR, type CalendarEntry } from './calendar.ts';
import { EPOCH_DAY_MIN } from './local-date.ts';
import { buildLowestRates, lowestRateAt, lowestRatesHorizon, nextLowestRateChange } from './lowest-rates.ts';

const open = (from: number, to: number, rate: number): CalendarEntry => ({
  from,
  to,
  set: { availability: 1, rate },
});

describe('the lowest upcoming rate', () => {
  it('the lowest rate is that of the cheapest open night within the horizon', () => {
    const bytes = buildLowestRates([buildCalendar([open(100, 109, 90_00), open(105, 105, 70_00)])], 730);
    assert.equal(lowestRateAt(bytes, 100), 70_00);
    assert.equal(lowestRateAt(bytes, 105), 70_00);
    assert.equal(lowestRateAt(bytes, 106), 90_00);
    assert.equal(lowestRateAt(bytes, 109), 90_00);
    assert.equal(lowestRateAt(bytes, 110), null);
  });

  it('comes into sight with the last night of the horizon', () => {
    const bytes = buildLowestRates([buildCalendar([open(100, 100, 70_00)])], 30);
    assert.equal(lowestRateAt(bytes, 70), null);
    assert.equal(lowestRateAt(bytes, 71), 70_00);
    assert.equal(nextLowestRateChange(bytes, 0), 71);
    assert.equal(nextLowestRateChange(bytes, 71), 101);
    assert.equal(nextLowestRateChange(bytes, 101), undefined);
  });

  it('leaves out nights that are sold out, stopped, never available or without a rate', () => {
    const cheap = { from: 103, to: 103 };
    const closures: CalendarEntry['set'][] = [
      { rate: 1, availability: 0 },
      { rate: 1, availability: null },
      { rate: 1, stopSell: 1 },
      { rate: null },
    ];
    for (const set of closures) {
      const calendar = buildCalendar([open(100, 109, 90_00), { ...cheap, set }]);
      assert.equal(lowestRateAt(buildLowestRates([calendar], 730), 100), 90_00);
    }
  });

  it('takes the cheapest of all inventory types, and may be nothing at all', () => {
    const types = [
      buildCalendar([open(100, 109, 90_00)]),
      buildCalendar([open(104, 120, 80_00)]),
      EMPTY_CALENDAR,
    ];
    assert.equal(lowestRateAt(buildLowestRates(types, 730), 100), 80_00);
    const ratesByGuests = [
      { guests: 1, rate: 75_00 },
      { guests: 2, rate: 60_00 },
    ];
    const byGuests = buildCalendar([
      { from: 100, to: 109, set: { availability: 1, rate: 1, ratesByGuests } },
    ]);
    assert.equal(lowestRateAt(buildLowestRates([...types, byGuests], 730), 100), 60_00);
    assert.equal(lowestRateAt(buildLowestRates([EMPTY_CALENDAR], 730), 100), null);
    assert.equal(nextLowestRateChange(buildLowestRates([EMPTY_CALENDAR], 730), 100), undefined);
  });

  it('ignores restrictions on arrival, departure and length', () => {
    const closed = {
      from: 0,
      to: 200,
      set: { closedToArrival: 1, closedToDeparture: 1, minStayThrough: 60, maxStay: 1 },
    };
    assert.equal(lowestRateAt(buildLowestRates([buildCalendar([open(100, 109, 0), closed])], 730), 100), 0);
  });

  it('remembers its horizon, and reaches back to the first of all days', () => {
    const first = EPOCH_DAY_MIN;
    const bytes = buildLowestRates([buildCalendar([open(first, first + 2, 5)])], 365);
    assert.equal(lowestRatesHorizon(bytes), 365);
    assert.equal(lowestRateAt(bytes, first), 5);
  });

  it('throws on bytes of another version', () => {
    assert.throws(() => lowestRateAt(new Uint8Array([2, 1]), 0), /version 2/);
  });

  it('equals the naive sliding window for every today, and changes exactly on the days that it names', () => {
    fc.assert(
      fc.property(worldArbitrary, fc.integer({ min: 1, max: 90 }), (drawn, horizonNights) => {
        // The rate itself: `startingPrice` rounds it where a currency has no cents.
        const world = { ...drawn, property: { ...drawn.property, currency: 'EUR' } };
        const bytes = buildLowestRates(world.entries.map(buildCalendar), horizonNights);
        const firstToday = FIRST_DAY - horizonNights - 2;
        let expected = naiveStartingRate({ ...world, horizonNights, today: firstToday });
        let nextChange = nextLowestRateChange(bytes, firstToday);
        for (let today = firstToday; today < FIRST_DAY + 2 * DAY_COUNT + 3; today++) {
          const lowest = naiveStartingRate({ ...world, horizonNights, today });
          assert.equal(lowestRateAt(bytes, today), lowest);
          if (today > firstToday) assert.equal(today === nextChange, lowest !== expected);
          expected = lowest;
          nextChange = nextLowestRateChange(bytes, today);
        }
      }),
      { ...RUN_SEED, numRuns: 200 },
    );
  });
});
