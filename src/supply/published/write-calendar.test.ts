import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCalendar } from '../../domain/calendar.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { readCalendar } from '../ical/read-calendar.ts';
import { writeCalendar } from './write-calendar.ts';

const FIRST = parseLocalDate('2026-12-01')!;
const SUBJECT = {
  publicUrl: 'https://stay.example',
  propertyId: 'ponte',
  inventoryTypeId: 'double',
  title: 'Ponte',
  changedAtMs: 0,
};
const CALENDAR = buildCalendar([
  { from: FIRST, to: FIRST + 30, set: { availability: 2 } },
  { from: FIRST + 5, to: FIRST + 6, set: { stopSell: 1 } },
  { from: FIRST + 10, to: FIRST + 14, set: { availability: 0 } },
]);

function write(today: number, until: number) {
  const { body, etag } = writeCalendar(SUBJECT, CALENDAR, { today, until });
  const read = readCalendar(Buffer.from(body), {
    timezone: 'Europe/Rome',
    from: FIRST - 100,
    until: FIRST + 100,
  });
  assert.ok(read.ok, body);
  const closed = read.closed.map((run) => [run.from - FIRST, run.until - FIRST]);
  return { closed, etag, uids: body.match(/^UID:.*/gm) ?? [] };
}

describe('A written calendar', () => {
  it('is read as the nights from today to the horizon that are not open', () => {
    const { closed } = write(FIRST - 3, FIRST + 40);
    assert.deepEqual(closed, [
      [-3, 0],
      [5, 7],
      [10, 15],
      [31, 40],
    ]);
    assert.deepEqual(write(FIRST + 6, FIRST + 12).closed, [
      [6, 7],
      [10, 12],
    ]);
    assert.deepEqual(write(FIRST + 7, FIRST + 9).closed, []);
  });

  it('keeps the UIDs of its events from day to day, also of one that goes on', () => {
    const before = write(FIRST - 3, FIRST + 40).uids;
    assert.equal(new Set(before).size, 4);
    assert.deepEqual(write(FIRST - 2, FIRST + 41).uids, before);
    assert.deepEqual(write(FIRST + 11, FIRST + 50).uids, before.slice(2));
    assert.notEqual(write(FIRST - 2, FIRST + 41).etag, write(FIRST - 3, FIRST + 40).etag);
    assert.equal(write(FIRST, FIRST + 9).etag, write(FIRST, FIRST + 9).etag);
  });
});
