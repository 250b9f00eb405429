import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { naiveValue } from '../../test/kit/naive-model.ts';
import {
  calendarEntriesArbitrary,
  calendarEntryArbitrary,
  DAY_COUNT,
  FIRST_DAY,
} from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { dayOf } from '../../test/kit/property-fixtures.ts';
import {
  buildCalendar,
  calendarRanges,
  EMPTY_CALENDAR,
  type Calendar,
  type CalendarEntry,
} from './calendar.ts';
import { CALENDAR_FIELDS } from './calendar-fields.ts';
import { type NightRuns, someOver, valueAt } from './night-runs.ts';

const anyEntries = fc.oneof(calendarEntriesArbitrary, fc.array(calendarEntryArbitrary, { maxLength: 40 }));
const anyNight = fc.integer({ min: FIRST_DAY - 5, max: FIRST_DAY + 2 * DAY_COUNT + 5 });

function entry(from: string, to: string, set: CalendarEntry['set']): CalendarEntry {
  return { from: dayOf(from), to: dayOf(to), set };
}

describe('buildCalendar', () => {
  it('names nights from the first to the last, both included', () => {
    const { availability } = buildCalendar([entry('2026-12-01', '2026-12-24', { availability: 3 })]);
    assert.equal(valueAt(availability, dayOf('2026-11-30')), undefined);
    assert.equal(valueAt(availability, dayOf('2026-12-01')), 3);
    assert.equal(valueAt(availability, dayOf('2026-12-24')), 3);
    assert.equal(valueAt(availability, dayOf('2026-12-25')), undefined);
  });

  it('lets a later entry overlay an earlier one, only in the fields that it has', () => {
    const calendar = buildCalendar([
      entry('2026-12-01', '2026-12-24', { availability: 3, rate: 12_000 }),
      entry('2026-12-20', '2026-12-31', { minStayArrival: 3, rate: 21_000 }),
    ]);
    assert.equal(valueAt(calendar.rate, dayOf('2026-12-19')), 12_000);
    assert.equal(valueAt(calendar.rate, dayOf('2026-12-20')), 21_000);
    assert.equal(valueAt(calendar.availability, dayOf('2026-12-20')), 3);
    assert.equal(valueAt(calendar.availability, dayOf('2026-12-31')), undefined);
    assert.equal(valueAt(calendar.minStayArrival, dayOf('2026-12-31')), 3);
  });

  it('clears a field with null, and a later entry may set it again', () => {
    const { maxStay } = buildCalendar([
      entry('2026-12-01', '2026-12-31', { maxStay: 7 }),
      entry('2026-12-10', '2026-12-20', { maxStay: null }),
      entry('2026-12-15', '2026-12-15', { maxStay: 2 }),
    ]);
    const values = ['2026-12-09', '2026-12-10', '2026-12-15', '2026-12-16', '2026-12-21'].map((date) =>
      valueAt(maxStay, dayOf(date)),
    );
    assert.deepEqual(values, [7, undefined, 2, undefined, 7]);
  });

  it('joins neighbouring nights of equal value into one run', () => {
    const nights = Array.from({ length: 365 }, (_, index) => ({
      from: index,
      to: index,
      set: { availability: 1 },
    }));
    assert.deepEqual(buildCalendar(nights).availability, [{ from: 0, until: 365, value: 1 }]);
    assert.deepEqual(buildCalendar(nights.toReversed()).availability, [{ from: 0, until: 365, value: 1 }]);
  });

  it('sets nothing without entries', () => {
    for (const field of CALENDAR_FIELDS) assert.deepEqual(EMPTY_CALENDAR[field], []);
  });

  it('throws on an entry that ends before it begins', () => {
    assert.throws(() => buildCalendar([{ from: 2, to: 1, set: {} }]), RangeError);
    assert.throws(() => buildCalendar([{ from: Number.NaN, to: 1, set: {} }]), RangeError);
  });

  it('equals painting night by night', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const calendar = buildCalendar(entries);
        for (const field of CALENDAR_FIELDS) {
          for (let night = FIRST_DAY - 1; night <= FIRST_DAY + 2 * DAY_COUNT + 1; night++) {
            assert.equal(valueAt(calendar[field], night), naiveValue(entries, field, night));
          }
        }
        for (let night = FIRST_DAY - 1; night <= FIRST_DAY + 2 * DAY_COUNT + 1; night++)
          assert.deepEqual(
            valueAt(calendar.ratesByGuests, night),
            naiveValue(entries, 'ratesByGuests', night),
          );
      }),
      { ...RUN_SEED, numRuns: 300 },
    );
  });

  it('is in normal form: runs ascend, none is empty, and neighbours that touch differ', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        assertNormal(buildCalendar(entries));
      }),
      { ...RUN_SEED, numRuns: 300 },
    );
  });
});

describe('calendarRanges', () => {
  it('writes the calendar as few ranges', () => {
    const december = entry('2026-12-01', '2026-12-31', { availability: 3, rate: 12_000 });
    const calendar = buildCalendar([
      december,
      entry('2026-12-24', '2026-12-26', { rate: 21_000, stopSell: 0 }),
    ]);
    assert.deepEqual(calendarRanges(calendar), [
      entry('2026-12-01', '2026-12-23', { availability: 3, rate: 12_000 }),
      entry('2026-12-24', '2026-12-26', { availability: 3, rate: 21_000, stopSell: 0 }),
      entry('2026-12-27', '2026-12-31', { availability: 3, rate: 12_000 }),
    ]);
    assert.deepEqual(calendarRanges(EMPTY_CALENDAR), []);
  });

  it('builds the same calendar again, from ascending ranges that do not overlap', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const calendar = buildCalendar(entries);
        const ranges = calendarRanges(calendar);
        assert.deepEqual(buildCalendar(ranges), calendar);
        for (const [index, range] of ranges.entries()) {
          assert.ok(Object.keys(range.set).length > 0);
          assert.ok(index === 0 || range.from > ranges[index - 1]!.to);
        }
      }),
      { ...RUN_SEED, numRuns: 500 },
    );
  });
});

describe('someOver', () => {
  it('equals a look at every night, those that are not set included', () => {
    fc.assert(
      fc.property(anyEntries, anyNight, fc.integer({ min: 1, max: 60 }), (entries, from, nightCount) => {
        const { availability } = buildCalendar(entries);
        const nights = Array.from({ length: nightCount }, (_, index) => from + index);
        const values = new Set(nights.map((night) => naiveValue(entries, 'availability', night)));
        for (const value of [undefined, 0, 1, 2, 3]) {
          const isThere = someOver(availability, from, from + nightCount, (one) => one === value);
          assert.equal(isThere, values.has(value), String(value));
        }
      }),
      { ...RUN_SEED, numRuns: 500 },
    );
  });
});

function assertNormal({ unknown: _unknown, ...fields }: Calendar): void {
  for (const runs of Object.values<NightRuns<unknown>>(fields)) {
    for (const [index, run] of runs.entries()) {
      assert.ok(run.from < run.until);
      const before = runs[index - 1];
      if (before === undefined) continue;
      assert.ok(
        before.until < run.from || (before.until === run.from && !isDeepStrictEqual(before.value, run.value)),
      );
    }
  }
}
