import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatIsoWeek, isoWeekOf } from './iso-week.ts';
import { parseLocalDate } from './local-date.ts';

const DAY_MS = 86_400_000;

/** By the calendar of the platform: the week of a date is that of its Thursday, counted from the year's first. */
function naiveWeek(day: number): string {
  const date = new Date(day * DAY_MS);
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  let number = 0;
  for (let at = thursday; at.getUTCFullYear() === thursday.getUTCFullYear(); number += 1)
    at = new Date(at.getTime() - 7 * DAY_MS);
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}`;
}

describe('The ISO week of a date', () => {
  it('is that of the examples in ISO 8601, around New Year above all', () => {
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

  it('is that of a naive calendar on every day of 40 years', () => {
    const first = parseLocalDate('2000-01-01')!;
    for (let day = first; day < first + 40 * 366; day += 1)
      assert.equal(formatIsoWeek(isoWeekOf(day)), naiveWeek(day));
  });
});
