import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN } from './local-date.ts';
import { WEEKDAYS, weekdayRanges } from './weekdays.ts';

const NAMES_BY_JAVASCRIPT_DAY = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

describe('weekdayRanges', () => {
  it('names exactly the nights of these days, in ranges that do not touch', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: EPOCH_DAY_MIN, max: EPOCH_DAY_MAX - 100 }),
        fc.integer({ min: 0, max: 40 }),
        fc.subarray([...WEEKDAYS]),
        (from, extraNights, weekdays) => {
          const to = from + extraNights;
          const ranges = [...weekdayRanges(from, to, weekdays)];
          const named = ranges.flatMap((range) =>
            Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index),
          );
          const expected: number[] = [];
          for (let night = from; night <= to; night++) {
            const day = NAMES_BY_JAVASCRIPT_DAY[new Date(night * 86_400_000).getUTCDay()];
            if (weekdays.some((weekday) => weekday === day)) expected.push(night);
          }
          assert.deepEqual(named, expected);
          for (const [index, range] of ranges.entries())
            assert.ok(index === 0 || range.from > ranges[index - 1]!.to + 1);
        },
      ),
      { ...RUN_SEED, numRuns: 500 },
    );
  });

  it('all seven weekdays give one range, however long', () => {
    const all = [...weekdayRanges(EPOCH_DAY_MIN, EPOCH_DAY_MAX, WEEKDAYS)];
    assert.deepEqual(all, [{ from: EPOCH_DAY_MIN, to: EPOCH_DAY_MAX }]);
  });
});
