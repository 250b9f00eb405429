import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDateText } from './date-text.ts';

/** Steps through the calendar by its rules alone: 400 years and what is around them. */
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

describe('parseDateText', () => {
  it('counts the days of 800 years one by one from 0001-01-01 and refuses those that do not exist', () => {
    let day = -719_162;
    for (const { text, exists } of calendarDates(1, 800)) {
      assert.equal(parseDateText(text), exists ? day : 'DATE_INVALID', text);
      if (exists) day += 1;
    }
  });

  it('knows the anchors of the calendar', () => {
    assert.equal(parseDateText('1970-01-01'), 0);
    assert.equal(parseDateText('2000-02-29'), 11_016);
    assert.equal(parseDateText('9999-12-31'), 2_932_896);
  });

  for (const text of [
    '2026-02-29',
    '2026-02-30',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '0000-02-29',
  ]) {
    it(`${text} has the form of a date and is none`, () => assert.equal(parseDateText(text), 'DATE_INVALID'));
  }

  for (const text of [
    '',
    '2026-2-3',
    '2026-02-3',
    '26-02-03',
    '12026-02-03',
    '-2026-02-03',
    '2026/02/03',
    '20260203',
    ' 2026-02-03',
    '2026-02-03 ',
    '2026-02-03\n',
    '2026-02-03T00:00:00Z',
    '２０２６-02-03',
    'tomorrow',
  ]) {
    it(`${JSON.stringify(text)} does not have the form of a date`, () => {
      assert.equal(parseDateText(text), 'FORMAT_INVALID');
    });
  }
});
