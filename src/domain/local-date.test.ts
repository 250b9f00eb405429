import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import {
  addMonths,
  DAY_MS,
  EPOCH_DAY_MAX,
  EPOCH_DAY_MIN,
  formatIsoWeek,
  formatLocalDate,
  isoWeekOf,
  mondayOf,
  parseLocalDate,
  toEpochDay,
} from './local-date.ts';

const MS_PER_DAY = 86_400_000;

/** Steps through the calendar by its rules alone: 400 years and some more. */
function* calendarDates(firstYear: number, lastYear: number) {
  for (let year = firstYear; year <= lastYear; year += 1) {
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (const [index, length] of lengths.entries()) {
      for (let dayOfMonth = 1; dayOfMonth <= 31; dayOfMonth += 1) {
        yield {
          text: `${pad(year, 4)}-${pad(index + 1, 2)}-${pad(dayOfMonth, 2)}`,
          exists: dayOfMonth <= length,
        };
      }
    }
  }
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

describe('parseLocalDate', () => {
  it('counts the days of 800 years one by one from 0001-01-01 and refuses those that do not exist', () => {
    let day = -719_162;
    for (const { text, exists } of calendarDates(1, 800)) {
      assert.equal(parseLocalDate(text), exists ? day : undefined, text);
      if (exists) day += 1;
    }
  });

  it('counts days from 1970-01-01', () => {
    assert.equal(parseLocalDate('1970-01-01'), 0);
    assert.equal(parseLocalDate('1969-12-31'), -1);
    assert.equal(parseLocalDate('2000-03-01'), 11_017);
  });

  it('takes the years 0001 to 9999 and no others', () => {
    assert.equal(parseLocalDate('0001-01-01'), EPOCH_DAY_MIN);
    assert.equal(parseLocalDate('9999-12-31'), EPOCH_DAY_MAX);
    assert.equal(parseLocalDate('0000-12-31'), undefined);
    assert.equal(parseLocalDate('10000-01-01'), undefined);
  });

  it('knows the leap years', () => {
    for (const year of ['2024', '2000', '0004', '9996'])
      assert.notEqual(parseLocalDate(`${year}-02-29`), undefined);
    for (const year of ['2023', '1900', '2100', '0001'])
      assert.equal(parseLocalDate(`${year}-02-29`), undefined);
  });

  it('refuses dates that do not exist', () => {
    for (const text of [
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '2026-01-32',
      '2026-04-31',
      '2026-06-31',
      '0000-02-29',
    ]) {
      assert.equal(parseLocalDate(text), undefined, text);
    }
  });

  it('refuses every other way to write a date', () => {
    const others = ['', '2026-1-01', '20260101', '2026/01/01', ' 2026-01-01', '2026-01-01 ', '2026-01-01\n'];
    const stranger = ['2026-01-01T00:00', '+2026-01-01', '-001-01-01', '２０２６-01-01', '2026-01-0１'];
    for (const text of [...others, ...stranger]) assert.equal(parseLocalDate(text), undefined, text);
  });
});

describe('formatLocalDate', () => {
  it('throws on what is not a day of those years', () => {
    for (const day of [EPOCH_DAY_MIN - 1, EPOCH_DAY_MAX + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => formatLocalDate(day), RangeError);
    }
  });
});

describe('dates against JS Date, over the full range', () => {
  const anyDay = fc.integer({ min: EPOCH_DAY_MIN, max: EPOCH_DAY_MAX });

  it('format writes what Date writes, and parse reads it back', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const text = formatLocalDate(day);
        assert.equal(text, new Date(day * MS_PER_DAY).toISOString().slice(0, 10));
        assert.equal(parseLocalDate(text), day);
      }),
      { ...RUN_SEED, numRuns: 5000, examples: [[EPOCH_DAY_MIN], [EPOCH_DAY_MAX]] },
    );
  });

  it('every day follows the day before it', () => {
    const date = new Date(EPOCH_DAY_MIN * MS_PER_DAY);
    for (let day = EPOCH_DAY_MIN; day <= EPOCH_DAY_MAX; day++) {
      const counted = toEpochDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
      if (counted !== day) assert.fail(`${date.toISOString()} is day ${day}, counted as ${counted}`);
      date.setTime(date.getTime() + MS_PER_DAY);
    }
  });

  it('accepts a day of a month exactly when Date does not roll it over', () => {
    const year = fc.integer({ min: 1, max: 9999 });
    fc.assert(
      fc.property(
        year,
        fc.integer({ min: 0, max: 14 }),
        fc.integer({ min: 0, max: 33 }),
        (y, month, dayOfMonth) => {
          const date = new Date(0);
          date.setUTCFullYear(y, month - 1, dayOfMonth);
          const isReal =
            date.getUTCFullYear() === y &&
            date.getUTCMonth() === month - 1 &&
            date.getUTCDate() === dayOfMonth;
          const text = [
            String(y).padStart(4, '0'),
            ...[month, dayOfMonth].map((n) => String(n).padStart(2, '0')),
          ].join('-');
          assert.equal(parseLocalDate(text) !== undefined, isReal, text);
        },
      ),
      { ...RUN_SEED, numRuns: 5000 },
    );
  });
});

/** Weeks by the platform's calendar: the week of a date is that of its Thursday, counted from the year's first. */
function naiveWeek(day: number): string {
  const date = new Date(day * DAY_MS);
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  let number = 0;
  for (let at = thursday; at.getUTCFullYear() === thursday.getUTCFullYear(); number += 1)
    at = new Date(at.getTime() - 7 * DAY_MS);
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}`;
}

describe('The ISO week of a date', () => {
  it('ISO weeks equal the examples of ISO 8601, most of them around New Year', () => {
    for (const [date, week] of [
      ['2026-12-31', '2026-W53'],
      ['2027-01-03', '2026-W53'],
      ['2027-01-04', '2027-W01'],
      ['2024-12-29', '2024-W52'],
      ['2024-12-30', '2025-W01'],
      ['2016-01-01', '2015-W53'],
      ['2026-12-10', '2026-W50'],
    ] as const)
      assert.equal(formatIsoWeek(isoWeekOf(parseLocalDate(date)!)), week);
  });

  it('ISO weeks equal a naive calendar on every day of 40 years', () => {
    const first = parseLocalDate('2000-01-01')!;
    for (let day = first; day < first + 40 * 366; day += 1)
      assert.equal(formatIsoWeek(isoWeekOf(day)), naiveWeek(day));
  });

  it('begins on a Monday, found by its name', () => {
    assert.equal(formatLocalDate(mondayOf('2026-W53')), '2026-12-28');
    const first = parseLocalDate('1999-12-27')!;
    for (let monday = first; monday < first + 40 * 366; monday += 7)
      assert.equal(mondayOf(naiveWeek(monday)), monday);
  });
});

describe('Months from a day', () => {
  it('end with the last day of a month that is shorter', () => {
    for (const [day, months, later] of [
      ['2026-12-31', 14, '2028-02-29'],
      ['2026-12-30', 14, '2028-02-29'],
      ['2025-12-31', 14, '2027-02-28'],
      ['2026-11-20', 14, '2028-01-20'],
      ['2026-10-31', 1, '2026-11-30'],
    ] as const)
      assert.equal(formatLocalDate(addMonths(parseLocalDate(day)!, months)), later);
  });
});
