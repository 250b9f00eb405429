/** Calendars as platforms publish them, with everything that goes wrong in them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatLocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { readCalendar } from './read-calendar.ts';

const FROM = parseLocalDate('2026-11-01')!;
const WISH = { timezone: 'Europe/Rome', from: FROM, until: FROM + 800 };

function event(...lines: readonly string[]): string {
  return ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'].join('\r\n');
}

function text(...parts: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts, 'END:VCALENDAR', ''].join('\r\n');
}

function read(calendar: string | Uint8Array, wish: Partial<typeof WISH> = {}): string {
  const bytes = typeof calendar === 'string' ? Buffer.from(calendar) : calendar;
  const result = readCalendar(bytes, { ...WISH, ...wish });
  if (!result.ok) return result.problem;
  const day = (night: number): string => formatLocalDate(night).slice(2);
  return result.closed.map(({ from, until }) => `${day(from)}..${day(until - 1)}`).join(' ');
}

const date = (name: string, value: string): string => `${name};VALUE=DATE:${value}`;
const stay = (from: string, to: string): string => event(date('DTSTART', from), date('DTEND', to));

/** What the calendar holds, and the nights that it closes (first and last), or why it is refused. */
const TRAPS: readonly (readonly [string, string, string | RegExp])[] = [
  ['the date of leaving is not a night', text(stay('20261201', '20261204')), '26-12-01..26-12-03'],
  ['a valid calendar without events', text(), ''],
  [
    'two events of one UID',
    text(stay('20261201', '20261202'), stay('20261210', '20261211')),
    '26-12-01..26-12-01 26-12-10..26-12-10',
  ],
  [
    'stays that touch',
    text(stay('20261201', '20261203'), stay('20261203', '20261205')),
    '26-12-01..26-12-04',
  ],
  ['a date that ends where it starts', text(stay('20261201', '20261201')), ''],
  ['a date that ends before it starts', text(stay('20261205', '20261201')), ''],
  ['a date without an end is one day', text(event(date('DTSTART', '20261201'))), '26-12-01..26-12-01'],
  ['a time without an end is none', text(event('DTSTART:20261201T230000')), ''],
  ['a duration in days', text(event(date('DTSTART', '20261201'), 'DURATION:P3D')), '26-12-01..26-12-03'],
  ['a duration in hours', text(event('DTSTART:20261201T150000', 'DURATION:PT20H')), '26-12-01..26-12-01'],
  [
    'arrival, stay and departure as three events (Smoobu)',
    text(
      event('DTSTART:20261201T150000', 'DTEND:20261201T160000'),
      stay('20261201', '20261203'),
      event('DTSTART:20261203T100000', 'DTEND:20261203T110000'),
    ),
    '26-12-01..26-12-02',
  ],
  ['15:00 to 11:00', text(event('DTSTART:20261201T150000', 'DTEND:20261203T110000')), '26-12-01..26-12-02'],
  [
    'midnight to midnight',
    text(event('DTSTART:20261201T000000', 'DTEND:20261202T000000')),
    '26-12-01..26-12-01',
  ],
  ['22:30 UTC is 23:30 in Rome', text(event('DTSTART:20261201T223000Z', 'DTEND:20261201T225000Z')), ''],
  [
    '23:30 UTC is tomorrow in Rome',
    text(event('DTSTART:20261201T223000Z', 'DTEND:20261201T233000Z')),
    '26-12-01..26-12-01',
  ],
  [
    'in summer 22:30 UTC is tomorrow',
    text(event('DTSTART:20270701T213000Z', 'DTEND:20270701T223000Z')),
    '27-07-01..27-07-01',
  ],
  [
    '17:00 in New York is 23:00 in Rome',
    text(
      event('DTSTART;TZID=America/New_York:20261201T170000', 'DTEND;TZID=America/New_York:20261201T190000'),
    ),
    '26-12-01..26-12-01',
  ],
  [
    'a zone with a prefix',
    text(
      event(
        'DTSTART;TZID=/mozilla.org/20050126_1/America/New_York:20261201T170000',
        'DTEND;TZID=America/New_York:20261201T174500',
      ),
    ),
    '',
  ],
  [
    'a zone of the file that names a real one',
    text(
      'BEGIN:VTIMEZONE',
      'TZID:Eastern',
      'X-LIC-LOCATION:America/New_York',
      'END:VTIMEZONE',
      event('DTSTART;TZID=Eastern:20261201T170000', 'DTEND;TZID=Eastern:20261201T190000'),
    ),
    '26-12-01..26-12-01',
  ],
  [
    'a zone that nobody knows is that of the property',
    text(event('DTSTART;TZID=Mars:20261201T170000', 'DTEND;TZID=Mars:20261201T190000')),
    '',
  ],
  ['TRANSPARENT', text(event(date('DTSTART', '20261201'), 'TRANSP:TRANSPARENT')), ''],
  ['OPAQUE', text(event(date('DTSTART', '20261201'), 'TRANSP:OPAQUE')), '26-12-01..26-12-01'],
  ['CANCELLED', text(event(date('DTSTART', '20261201'), 'status:cancelled')), ''],
  ['TENTATIVE', text(event(date('DTSTART', '20261201'), 'STATUS:TENTATIVE')), '26-12-01..26-12-01'],
  [
    'every Friday, three times, without the second',
    text(event(date('DTSTART', '20261204'), 'RRULE:FREQ=WEEKLY;COUNT=3', date('EXDATE', '20261211'))),
    '26-12-04..26-12-04 26-12-18..26-12-18',
  ],
  [
    'an occurrence that moved',
    text(
      event(date('DTSTART', '20261204'), 'RRULE:FREQ=WEEKLY;COUNT=2'),
      event(date('RECURRENCE-ID', '20261211'), date('DTSTART', '20261220'), date('DTEND', '20261222')),
    ),
    '26-12-04..26-12-04 26-12-20..26-12-21',
  ],
  [
    'an occurrence that was cancelled',
    text(
      event(date('DTSTART', '20261204'), 'RRULE:FREQ=WEEKLY;COUNT=2'),
      event(date('RECURRENCE-ID', '20261211'), date('DTSTART', '20261211'), 'STATUS:CANCELLED'),
    ),
    '26-12-04..26-12-04',
  ],
  [
    'more dates',
    text(event(date('DTSTART', '20261201'), date('RDATE', '20261205,20261207'))),
    '26-12-01..26-12-01 26-12-05..26-12-05 26-12-07..26-12-07',
  ],
  [
    'every day since 2005',
    text(event(date('DTSTART', '20050101'), 'RRULE:FREQ=DAILY')),
    '26-11-01..29-01-08',
  ],
  [
    '30 February every day',
    text(event(date('DTSTART', '20200101'), 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')),
    /repeat too often/,
  ],
  ['every second', text(event(date('DTSTART', '20261201'), 'RRULE:FREQ=SECONDLY')), /secondly/],
  ['far more nights than the horizon has', text(stay('00010101', '99991231')), '26-11-01..29-01-08'],
  ['what ended before', text(stay('20200101', '20200105')), ''],
  [
    'an alarm within',
    text(event(date('DTSTART', '20261201'), 'BEGIN:VALARM', 'TRIGGER:-PT1H', 'DURATION:PT15M', 'END:VALARM')),
    '26-12-01..26-12-01',
  ],
  [
    'other components',
    text('BEGIN:VTODO', 'DTSTART:nonsense', 'END:VTODO', stay('20261201', '20261202')),
    '26-12-01..26-12-01',
  ],
  [
    'folded lines, LF and blank lines',
    text(event('DTSTART;VALUE=DA\r\n TE:2026\n\t1201', '', 'SUMMARY:a'))
      .replaceAll('\r\n', '\n\n')
      .replaceAll('\n\n ', '\n '),
    '26-12-01..26-12-01',
  ],
  ['a byte-order mark', `\ufeff${text(stay('20261201', '20261202'))}`, '26-12-01..26-12-01'],
  [
    'a description with line breaks that nobody escaped',
    text(event(date('DTSTART', '20261201'), 'DESCRIPTION:Name: Ada', 'Phone 12', '<b>', ':x')),
    '26-12-01..26-12-01',
  ],
  [
    'a product id as Airbnb wrote it',
    text(
      'PRODID;X-RICAL-TZSOURCE=TZINFO:-//Airbnb Inc//Hosting Calendar 0.8.8//EN',
      stay('20261201', '20261202'),
    ),
    '26-12-01..26-12-01',
  ],
  ['nothing', '', 'it is empty'],
  ['a login page', '\n<!DOCTYPE html><html>', 'it is a web page, not a calendar'],
  ['JSON', '{"error":"gone"}', 'it is not a calendar'],
  ['cut off within an event', text(stay('20261201', '20261202')).slice(0, 80), /cut off: END:VEVENT/],
  [
    'cut off between events',
    text(stay('20261201', '20261202')).replace('END:VCALENDAR', ''),
    /cut off: END:VCALENDAR/,
  ],
  ['cut off in the last line', text(stay('20261201', '20261202')).slice(0, -5), /broken|cut off/],
  ['a page behind it', `${text()}<p>Log in</p>`, /behind the end/],
  ['an event without a start', text(event('SUMMARY:a')), 'event 1: it has no DTSTART'],
  [
    'a start that is not a date',
    text(stay('20261201', '20261202'), event('DTSTART;VALUE=DATE:soon')),
    /^event 2: /,
  ],
  ['the 31st of November', text(event(date('DTSTART', '20261131'))), '26-12-01..26-12-01'],
];

describe('A calendar', () => {
  for (const [what, calendar, closed] of TRAPS) {
    it(what, () => {
      if (typeof closed === 'string') assert.equal(read(calendar), closed);
      else assert.match(read(calendar), closed);
    });
  }

  it('may have letters of another encoding where nobody reads', () => {
    const latin = Buffer.from(text(event(date('DTSTART', '20261201'), 'SUMMARY:caff\u00e8')), 'latin1');
    assert.equal(read(latin), '26-12-01..26-12-01');
  });

  it('has a bound on its bytes and its events', () => {
    assert.match(read(Buffer.alloc(6 * 1024 * 1024, 0x20)), /larger than 5 MB/);
    assert.match(
      read(text(...Array.from({ length: 20_001 }, () => 'BEGIN:VEVENT\r\nEND:VEVENT'))),
      /20000 events/,
    );
    assert.match(read('BEGIN:VCALENDAR\r\n'.repeat(20)), /nested too deeply/);
  });

  it('closes other nights of a property elsewhere', () => {
    const evening = text(event('DTSTART:20261201T223000Z', 'DTEND:20261201T233000Z'));
    assert.equal(read(evening, { timezone: 'America/New_York' }), '');
    assert.equal(read(evening, { timezone: 'Asia/Tokyo' }), '');
    const night = text(event('DTSTART:20261201T120000Z', 'DTEND:20261201T180000Z'));
    assert.equal(read(night, { timezone: 'Asia/Tokyo' }), '26-12-01..26-12-01');
  });
});
