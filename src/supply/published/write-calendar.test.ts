import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCalendar } from '../../domain/calendar.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { readCalendar } from '../ical/read-calendar.ts';
import { ownEventMark } from './own-events.ts';
import ICAL from 'ical.js';
import fc from 'fast-check';
import { entryArbitrary } from '../../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { LINE_BYTES_MAX, writeCalendar } from './write-calendar.ts';

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

  it('is read again by the library as what was written, whatever the name and the nights are', () =>
    fc.assert(
      fc.property(anyTitle, anyEntries, fc.nat(20), fc.nat(60), (title, entries, start, length) => {
        const span = { today: FIRST + start, until: FIRST + start + length };
        const { body } = writeCalendar({ ...SUBJECT, title }, buildCalendar(entries), span);
        const root = new ICAL.Component(ICAL.parse(body) as unknown[]);
        assert.equal(textOf(root, 'x-wr-calname'), printable(title));
        assert.deepEqual(nightsOf(root), closedNights(entries, span));
        assertIsWire(body);
      }),
      { ...RUN_SEED, numRuns: 300 },
    ));

  it('a published calendar has the same bytes as before the library wrote it', () => {
    const { body } = writeCalendar({ ...SUBJECT, title: 'A; b, c\\d\r\ne\x07f' }, CALENDAR, {
      today: FIRST,
      until: FIRST + 7,
    });
    assert.equal(
      body,
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Stayport//Stayport//EN',
        'CALSCALE:GREGORIAN',
        'METHOD:PUBLISH',
        String.raw`X-WR-CALNAME:A\; b\, c\\d\ne f`,
        'BEGIN:VEVENT',
        `UID:2026-12-06-${ownEventMark(SUBJECT)}@stayport`,
        'DTSTAMP:19700101T000000Z',
        'DTSTART;VALUE=DATE:20261206',
        'DTEND;VALUE=DATE:20261208',
        'SUMMARY:Not available',
        'TRANSP:OPAQUE',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });
});

const anyTitle = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(';', ',', '\\', '\n', '\r', ':', '"', 'è', '🏠', ' ', 'n'),
    maxLength: 200,
  }),
);
const anyEntries = fc.array(
  entryArbitrary(
    { first: FIRST, last: FIRST + 60, extraNights: fc.nat(20) },
    fc.record({ availability: fc.nat(2), stopSell: fc.constantFrom(0, 1, null) }),
  ),
  { maxLength: 6 },
);

function printable(title: string): string {
  return title.replaceAll(/\r\n|\r/g, '\n').replaceAll(/(?!\n)\p{Cc}/gu, ' ');
}

function textOf(component: ICAL.Component, name: string): string {
  const value: unknown = component.getFirstProperty(name)?.getFirstValue();
  // The library reads an unknown name unchanged.
  const text = typeof value === 'string' ? value : '';
  return text.replaceAll(/\\(.)/g, (_all, letter: string) => (letter === 'n' ? '\n' : letter));
}

function nightsOf(root: ICAL.Component): number[] {
  return root.getAllSubcomponents('vevent').flatMap((event) => {
    const dayOf = (name: string): number => parseLocalDate(String(event.getFirstPropertyValue(name)))!;
    const from = dayOf('dtstart');
    return Array.from({ length: dayOf('dtend') - from }, (_, index) => from + index);
  });
}

/** Night by night. */
function closedNights(
  entries: readonly { from: number; to: number; set: { availability: number; stopSell: number | null } }[],
  { today, until }: { today: number; until: number },
): number[] {
  return Array.from({ length: until - today }, (_, index) => today + index).filter((night) => {
    let units = 0;
    let stopSell: number | null = 0;
    for (const { from, to, set } of entries) {
      if (night < from || night > to) continue;
      units = set.availability;
      stopSell = set.stopSell;
    }
    return units < 1 || stopSell === 1;
  });
}

/** RFC 5545 3.1: lines end in CRLF and have at most 75 octets; no character is cut. */
function assertIsWire(body: string): void {
  assert.ok(body.endsWith('END:VCALENDAR\r\n'));
  const lines = body.slice(0, -2).split('\r\n');
  for (const line of lines) {
    assert.ok(Buffer.byteLength(line) <= LINE_BYTES_MAX, line);
    assert.doesNotMatch(line, /\p{Cc}/u);
    assert.ok(line.isWellFormed());
  }
}
