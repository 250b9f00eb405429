/** Calendars as platforms publish them, with the faults that occur in them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatLocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { readCalendar } from './read-calendar.ts';

const FROM = parseLocalDate('2026-11-01')!;
const OPTIONS = { timezone: 'Europe/Rome', from: FROM, until: FROM + 800 };

function event(...lines: readonly string[]): string {
  return ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'].join('\r\n');
}

function text(...parts: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts, 'END:VCALENDAR', ''].join('\r\n');
}

function read(calendar: string | Uint8Array, options: Partial<typeof OPTIONS> = {}): string {
  const bytes = typeof calendar === 'string' ? Buffer.from(calendar) : calendar;
  const result = readCalendar(bytes, { ...OPTIONS, ...options });
  if (!result.ok) return result.problem;
  const day = (night: number): string => formatLocalDate(night).slice(2);
  return result.closed.map(({ from, until }) => `${day(from)}..${day(until - 1)}`).join(' ');
}

const date = (name: string, value: string): string => `${name};VALUE=DATE:${value}`;
const stay = (from: string, to: string): string => event(date('DTSTART', from), date('DTEND', to));

const DECEMBER_1 = '26-12-01..26-12-01';
const DECEMBER_1_2 = '26-12-01..26-12-02';

/** Content of a calendar, and either the nights that it closes (first and last) or why it is refused. */
const WEEKLY = [date('DTSTART', '20261204'), 'RRULE:FREQ=WEEKLY;COUNT=4'];
const fromThe11th = (...lines: readonly string[]): string =>
  event('RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261211', ...lines);

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
  ['a date that ends where it starts', text(stay('20261201', '20261201')), DECEMBER_1],
  ['a date without length', text(event(date('DTSTART', '20261201'), 'DURATION:PT0S')), DECEMBER_1],
  [
    'a date that ends within its day',
    text(event(date('DTSTART', '20261201'), 'DTEND:20261201T110000')),
    DECEMBER_1,
  ],
  [
    'a time that ends on the date of its start',
    text(event('DTSTART:20261201T150000', date('DTEND', '20261201'))),
    DECEMBER_1,
  ],
  ['a time that ends where it starts', text(event('DTSTART:20261201T150000', 'DTEND:20261201T150000')), ''],
  ['a date that ends before it starts', text(stay('20261205', '20261201')), /event 1: its DTEND is before/],
  [
    'a time that ends before it starts, in another zone',
    text(event('DTSTART:20261205T150000', 'DTEND;TZID=Asia/Tokyo:20261205T220000')),
    /its DTEND is before its DTSTART/,
  ],
  [
    'a negative duration',
    text(event(date('DTSTART', '20261205'), 'DURATION:-P2D')),
    'event 1: its DURATION is negative',
  ],
  [
    'a cancelled event that ends before it starts',
    text(event(date('DTSTART', '20261205'), 'DURATION:-P2D', 'STATUS:CANCELLED')),
    '',
  ],
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
    'the rest of a series that moved, and is longer',
    text(event(...WEEKLY), fromThe11th(date('DTSTART', '20261212'), date('DTEND', '20261214'))),
    '26-12-04..26-12-04 26-12-12..26-12-13 26-12-19..26-12-20 26-12-26..26-12-27',
  ],
  [
    'the rest of a series that moved twice, and one more of it',
    text(
      event(...WEEKLY),
      event('RECURRENCE-ID;RANGE="thisandfuture";VALUE=DATE:20261218', date('DTSTART', '20261217')),
      fromThe11th(date('DTSTART', '20261212')),
      event(date('RECURRENCE-ID', '20261225'), date('DTSTART', '20261230')),
    ),
    '26-12-04..26-12-04 26-12-12..26-12-12 26-12-17..26-12-17 26-12-30..26-12-30',
  ],
  [
    'the rest of a series that was cancelled',
    text(event(...WEEKLY), fromThe11th(date('DTSTART', '20261211'), 'STATUS:CANCELLED')),
    '26-12-04..26-12-04',
  ],
  [
    'the rest of a series that moved from after the horizon',
    text(
      event(date('DTSTART', '20261101'), 'RRULE:FREQ=DAILY;INTERVAL=790;COUNT=3'),
      event('RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20281230', date('DTSTART', '20261110')),
    ),
    '26-11-01..26-11-01 26-11-10..26-11-10 29-01-08..29-01-08',
  ],
  [
    'the rest of a series of times that moved to another zone',
    text(
      event('DTSTART:20261204T150000', 'DTEND:20261205T100000', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      event(
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20261211T140000Z',
        'DTSTART;TZID=America/New_York:20261211T190000',
        'DTEND;TZID=America/New_York:20261212T190000',
      ),
    ),
    '26-12-04..26-12-04 26-12-12..26-12-12 26-12-19..26-12-19',
  ],
  [
    'a series of which all before one moved',
    text(
      event(...WEEKLY),
      event('RECURRENCE-ID;RANGE=THISANDPRIOR;VALUE=DATE:20261211', date('DTSTART', '20261212')),
    ),
    'event 2: the RANGE of its RECURRENCE-ID is not read',
  ],
  [
    'the rest of a series that repeats differently',
    text(event(...WEEKLY), fromThe11th(date('DTSTART', '20261212'), 'RRULE:FREQ=DAILY')),
    /event 2: it changes the rest of a series and repeats itself/,
  ],
  [
    'the rest of a series that is not there',
    text(fromThe11th(date('DTSTART', '20261212'))),
    /event 1: it changes the rest of a series that is not in the calendar/,
  ],
  [
    'a series that ends before it starts',
    text(event(date('DTSTART', '20261201'), 'RRULE:FREQ=DAILY;UNTIL=20261130')),
    DECEMBER_1,
  ],
  [
    'a start that its rule leaves out',
    text(event(date('DTSTART', '20261201'), 'RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=1')),
    '26-12-01..26-12-01 26-12-04..26-12-04',
  ],
  [
    'an exception that names no start',
    text(
      event(
        'DTSTART:20261201T150000',
        'DTEND:20261202T110000',
        'RRULE:FREQ=DAILY;COUNT=2',
        'EXDATE:20261202T140000,20261207T150000',
      ),
    ),
    DECEMBER_1_2,
  ],
  [
    'two occurrences a day, without one of them',
    text(
      event(
        'DTSTART:20261201T090000',
        'DTEND:20261202T080000',
        'RRULE:FREQ=DAILY;BYHOUR=9,21;COUNT=4',
        'EXDATE:20261202T090000',
      ),
    ),
    DECEMBER_1_2,
  ],
  [
    'exceptions, which count',
    text(event(date('DTSTART', '20261201'), 'RRULE:FREQ=DAILY;COUNT=3', date('EXDATE', '20261203'))),
    DECEMBER_1_2,
  ],
  [
    'a period in a third zone',
    text(
      event(
        date('DTSTART', '20261201'),
        'RDATE;VALUE=PERIOD;TZID=America/New_York:20261205T190000/20261206T190000,20261209T190000/PT24H',
      ),
    ),
    '26-12-01..26-12-01 26-12-06..26-12-06 26-12-10..26-12-10',
  ],
  [
    'hours over a change of clocks, which are exact',
    text(
      event('DTSTART:20270328T010000', 'DURATION:PT22H30M'),
      event('DTSTART:20281029T010000', 'DURATION:PT23H30M'),
    ),
    '27-03-28..27-03-28',
  ],
  [
    'whole days as midnights over a change of clocks',
    text(
      event(
        'DTSTART;TZID=Europe/Rome:20270327T000000',
        'DTEND;TZID=Europe/Rome:20270328T000000',
        'RRULE:FREQ=DAILY;COUNT=3',
      ),
      event(
        'DTSTART;TZID=Europe/Rome:20271030T000000',
        'DTEND;TZID=Europe/Rome:20271031T000000',
        'RRULE:FREQ=DAILY;COUNT=3',
      ),
    ),
    '27-03-27..27-03-29 27-10-30..27-11-01',
  ],
  [
    'whole days of Exchange',
    text(
      event(
        'DTSTART;TZID="W. Europe Standard Time":20261205T000000',
        'DTEND;TZID="W. Europe Standard Time":20261206T000000',
        'RRULE:FREQ=DAILY;UNTIL=20261208T230000Z',
        'EXDATE;TZID="W. Europe Standard Time":20261207T000000',
      ),
      event('DTSTART:20261211T000000Z', 'DTEND:20261212T000000Z', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'),
    ),
    '26-12-05..26-12-06 26-12-08..26-12-09 26-12-11..26-12-11',
  ],
  [
    'a Windows zone elsewhere',
    text(
      event(
        'DTSTART;TZID=Eastern Standard Time:20261201T170000',
        'DTEND;TZID=Eastern Standard Time:20261201T190000',
      ),
    ),
    DECEMBER_1,
  ],
  ...(['RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11', 'RRULE:FREQ=SECONDLY'] as const).map(
    (rule): [string, string, string] => [
      `a zone that the file alone defines, with ${rule}`,
      text(
        'BEGIN:VTIMEZONE',
        'TZID:Hotel time',
        'BEGIN:STANDARD',
        'DTSTART:16010101T020000',
        'TZOFFSETFROM:-0400',
        'TZOFFSETTO:-0500',
        rule,
        'END:STANDARD',
        'BEGIN:DAYLIGHT',
        'DTSTART:16010101T020000',
        'TZOFFSETFROM:-0500',
        'TZOFFSETTO:-0400',
        'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3',
        'END:DAYLIGHT',
        'END:VTIMEZONE',
        event('DTSTART;TZID=Hotel time:20261201T173000', 'DTEND;TZID=Hotel time:20261201T190000'),
        event('DTSTART;TZID=Hotel time:20270701T173000', 'DTEND;TZID=Hotel time:20270701T190000'),
      ),
      rule.includes('YEARLY') ? '26-12-01..26-12-01 27-07-01..27-07-01' : '',
    ],
  ),
  [
    'busy times',
    text(
      'BEGIN:VFREEBUSY',
      'DTSTART:20261101T000000Z',
      'DTEND:20270301T000000Z',
      'FREEBUSY;FBTYPE=BUSY:20261205T140000Z/20261208T090000Z,20261210T140000Z/P1D',
      'FREEBUSY:20261212T140000Z/20261213T090000Z',
      'FREEBUSY;FBTYPE=FREE:20261220T140000Z/20261223T090000Z',
      'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261225T140000Z/20261226T090000Z',
      'END:VFREEBUSY',
    ),
    '26-12-05..26-12-07 26-12-10..26-12-10 26-12-12..26-12-12 26-12-25..26-12-25',
  ],
  [
    'busy times that are not periods',
    text('BEGIN:VFREEBUSY', 'FREEBUSY:20261205', 'END:VFREEBUSY'),
    'event 1: its FREEBUSY cannot be read',
  ],
  [
    'busy times that end before they start',
    text('BEGIN:VFREEBUSY', 'FREEBUSY:20261205T140000Z/-P1D', 'END:VFREEBUSY'),
    'event 1: a period of its FREEBUSY ends before it starts',
  ],
  ...['VTODO', 'VJOURNAL', 'VPOLL', 'X-STAYS'].map((name): [string, string, string] => [
    `${name} alone`,
    text(`BEGIN:${name}`, 'DTSTART:20261201T150000Z', `END:${name}`),
    `it has no events, only ${name}`,
  ]),
  [
    'availability beside events',
    text(stay('20261201', '20261202'), 'BEGIN:VAVAILABILITY', 'END:VAVAILABILITY'),
    'its VAVAILABILITY is not read',
  ],
  ['a timezone alone', text('BEGIN:VTIMEZONE', 'TZID:Europe/Rome', 'END:VTIMEZONE'), ''],
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
  ['lines of an event behind it', `${text()}DTSTART:20261201\r\n`, /after the end/],
  ['an end behind it', `${text()}END:VEVENT\r\n`, /after the end/],
  ['an event without a start', text(event('SUMMARY:a')), 'event 1: it has no DTSTART'],
  [
    'a start that is not a date',
    text(stay('20261201', '20261202'), event('DTSTART;VALUE=DATE:soon')),
    /^event 2: /,
  ],
  ['eight digits without a type are a date', text(event('DTSTART:20261201', 'DTEND:20261203')), DECEMBER_1_2],
  ['eight digits that say to be a time', text(event('DTSTART;VALUE=DATE-TIME:20261201')), DECEMBER_1],
  [
    'a time that says to be a date',
    text(event(date('DTSTART', '20261201T230000Z'), date('DTEND', '20261203T230000Z'))),
    DECEMBER_1_2,
  ],
  [
    'offsets, which nobody should write',
    text(event('DTSTART:20261201T233000+0100', 'DTEND:20261202T003000+0100')),
    DECEMBER_1,
  ],
  ['a leap second', text(event('DTSTART:20261201T235960', 'DTEND:20261202T000000')), DECEMBER_1],
  [
    'a last moment of the years',
    text(event('DTSTART:99991231T235959-0100', 'DTEND:20261202T000000')),
    /^event 1: its DTSTART/,
  ],
  [
    'lists without a type',
    text(event('DTSTART:20261201', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20261202', 'RDATE:20261205')),
    '26-12-01..26-12-01 26-12-05..26-12-05',
  ],
  [
    'a period, which has a length of its own',
    text(
      event('DTSTART:20261201T150000', 'DTEND:20261202T110000', 'RDATE;VALUE=PERIOD:20261205T150000/P3D'),
      event('DTSTART:20261220T150000', 'DTEND:20261221T110000', 'RDATE:20261210T150000/20261212T110000'),
    ),
    '26-12-01..26-12-01 26-12-05..26-12-07 26-12-10..26-12-11 26-12-20..26-12-20',
  ],
  [
    'a period of an event that has no length',
    text(event('DTSTART:20261201T150000', 'RDATE;VALUE=PERIOD:20261205T150000/P3D')),
    '26-12-05..26-12-07',
  ],
  [
    'a period that began long before',
    text(
      event('DTSTART:20260101T150000', 'DTEND:20260102T110000', 'RDATE;VALUE=PERIOD:20261001T150000/P40D'),
    ),
    '26-11-01..26-11-09',
  ],
  ['a date and hours', text(event(date('DTSTART', '20261201'), 'DURATION:PT48H')), DECEMBER_1_2],
  ['a week and a day', text(event(date('DTSTART', '20261201'), 'DURATION:P1W1D')), '26-12-01..26-12-08'],
];

/** Lines that no calendar may have, in an event with a valid start and end. */
const UNREADABLE: readonly string[] = [
  ...[
    '2026-12-01',
    '20261301',
    '20261232',
    '20260231',
    '20261131',
    '20270229',
    '00000101',
    '202612',
    '',
  ].flatMap((day) => ['DTSTART', 'DTEND', 'RDATE', 'EXDATE', 'RECURRENCE-ID'].map((name) => date(name, day))),
  ...['T250000', 'T240000', 'T106000', 'T100061', 'T1000', 'T', 'T100000+2500', 'T10:00:00'].flatMap((time) =>
    ['DTSTART', 'DTEND', 'RDATE', 'EXDATE', 'RECURRENCE-ID'].map((name) => `${name}:20261201${time}`),
  ),
  ...['DTSTART', 'DTEND'].map((name) => date(name, '20261201,20261202')),

  'DTSTART;VALUE=TEXT:20261201',
  'DTSTART;VALUE=DATE',
  'RDATE;VALUE=DATE:20261201,',
  'EXDATE:20261201,soon',
  ...['20261210T100000/foo', '20261310T100000/P1D', '20261210/P1D', '20261210T100000/20261211'].map(
    (period) => `RDATE;VALUE=PERIOD:${period}`,
  ),
  ...['P', 'P1', '1D', 'P1DT', 'P1D1D', 'P1.5D', 'PT', ''].map((duration) => `DURATION:${duration}`),
  ...[
    'UNTIL=20261301',
    'UNTIL=2026-12-31',
    'UNTIL=20261231T250000',
    'UNTIL=',
    'COUNT=0',
    'COUNT=-1',
    'COUNT=x',
  ].map((end) => `RRULE:FREQ=WEEKLY;${end}`),
  ...['INTERVAL=0', 'INTERVAL=-1', 'BYDAY=XX'].map((part) => `RRULE:FREQ=WEEKLY;COUNT=2;${part}`),
];

describe('A calendar with a point in time that cannot be read', () => {
  for (const line of UNREADABLE) {
    it(`is refused: ${line}`, () => {
      const good = [date('DTSTART', '20261201'), date('DTEND', '20261205')];
      const name = /^[A-Z-]+/.exec(line)![0];
      const others = good.filter((one) => !one.startsWith(name) && name !== 'DURATION');
      const start = name === 'DURATION' ? [good[0]!] : [];
      const problem = read(text(stay('20261210', '20261212'), event(...start, ...others, line)));
      assert.equal(problem, `event 2: its ${name} cannot be read`);
    });
  }
});

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
