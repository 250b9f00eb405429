/** Calendars as platforms publish them, with the faults that occur in them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish } from '../../domain/wrong.ts';
import { formatLocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { LEFT_OUT_MAX } from './calendar-text.ts';
import { readCalendar } from './read-calendar.ts';
import { CALENDAR_STEPS_MAX, STEPS_MAX } from './recurrences.ts';

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
  if (!result.ok) return inEnglish(result.problem);
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

/** One event that repeats by a rule: the nights it closes (a run of one night is written once), or the problem. */
function repeating(
  start: string,
  rows: readonly (readonly [string, string | RegExp])[],
): readonly (readonly [string, string, string | RegExp])[] {
  const runs = (nights: string): string => nights.replaceAll(/(^| )(\S{8})(?=$| )/g, '$1$2..$2');
  return rows.map(([rule, found]) => [
    rule,
    text(event(date('DTSTART', start), rule)),
    typeof found === 'string' && /^\d/.test(found) ? runs(found) : found,
  ]);
}

/** One event that may say a thing twice. */
function said(
  rows: readonly (readonly [string, readonly string[], string | RegExp])[],
): readonly (readonly [string, string, string | RegExp])[] {
  return rows.map(([what, lines, found]) => [what, text(event(...lines)), found]);
}

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
    text(event(date('DTSTART', '20261201'), 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')),
    DECEMBER_1,
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
  ...repeating('20261130', [
    ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1;COUNT=4', '26-11-30 26-12-04 26-12-07 26-12-11'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=3', '26-11-30 26-12-31 27-01-31'],
    ['RRULE:FREQ=YEARLY;BYMONTH=11,2;UNTIL=20281231', '26-11-30 27-11-30 28-11-30'],
    ['RRULE:FREQ=DAILY;BYMONTHDAY=1,-1;UNTIL=20270101', '26-11-30..26-12-01 26-12-31..27-01-01'],
    ['RRULE:FREQ=MONTHLY;BYMONTH=12,1,2;BYMONTHDAY=5;UNTIL=20270228', '26-11-30 26-12-05 27-01-05 27-02-05'],
    ['RRULE:FREQ=YEARLY;BYDAY=49SA;COUNT=2', '26-11-30 26-12-05 27-12-04'],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=1', '26-11-30 26-12-28'],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=-53;BYDAY=MO,SU;UNTIL=20270401', '26-11-30'],
    [
      'RRULE:FREQ=YEARLY;BYWEEKNO=-52;BYDAY=MO,SU;UNTIL=20280110',
      '26-11-30 27-01-04 27-01-10 28-01-03 28-01-09',
    ],
    ['RRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TU;BYSETPOS=-1;COUNT=3', '26-11-30 27-01-26 27-03-30'],
    ['RRULE:FREQ=MONTHLY;BYDAY=1MO,FR;COUNT=4', '26-11-30 26-12-04 26-12-07 26-12-11 26-12-18'],
    ['RRULE:FREQ=MONTHLY;COUNT=3', '26-11-30 26-12-30 27-01-30'],
    ['RRULE:RSCALE=GREGORIAN;SKIP=OMIT;FREQ=MONTHLY;BYMONTHDAY=31;COUNT=2', '26-11-30 26-12-31 27-01-31'],
    ['RRULE:freq=daily;count=2;', '26-11-30..26-12-01'],
    ['RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=8', /moves days that a month lacks \(SKIP\)/],
    ['RRULE:RSCALE=CHINESE;FREQ=YEARLY', /another calendar than the Gregorian one \(RSCALE\)/],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=20', /BYWEEKNO without BYDAY, which can be read in two ways/],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;INTERVAL=2', /BYWEEKNO with INTERVAL/],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO,TU;BYSETPOS=1', /BYWEEKNO with BYSETPOS/],
    [
      'RRULE:FREQ=MONTHLY;BYWEEKNO=20;BYDAY=MO',
      /BYWEEKNO in a rule that is not yearly, which RFC 5545 forbids/,
    ],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO', /a number in BYDAY beside BYWEEKNO/],
    ['RRULE:FREQ=WEEKLY;BYMONTHDAY=1', /BYMONTHDAY in a weekly rule/],
    ['RRULE:FREQ=WEEKLY;BYDAY=1MO', /a number in BYDAY of a WEEKLY rule/],
    ['RRULE:FREQ=DAILY;BYYEARDAY=1', /BYYEARDAY in a rule that is not yearly/],
    ['RRULE:FREQ=DAILY;BYSETPOS=1', /BYSETPOS alone/],
    ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101', /COUNT beside UNTIL/],
    ['RRULE:FREQ=DAILY;COUNT=2;COUNT=3', 'event 1: its RRULE has COUNT twice'],
    ['RRULE:FREQ=DAILY;X-LEAP=YES', 'event 1: its RRULE has a part that is not read'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=0', 'event 1: its RRULE cannot be read'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=32', 'event 1: its RRULE cannot be read'],
    ['RRULE:FREQ=MONTHLY;BYDAY=0MO', 'event 1: its RRULE cannot be read'],
    ['RRULE:FREQ=FORTNIGHTLY', 'event 1: its RRULE cannot be read'],
    ['RRULE:COUNT=2', 'event 1: its RRULE cannot be read'],
  ]),
  ...said([
    [
      'two starts',
      [date('DTSTART', '20270105'), date('DTEND', '20270107'), date('DTSTART', '20261205')],
      'event 1: it has DTSTART twice, and differently',
    ],
    [
      'two ends',
      [date('DTSTART', '20261205'), date('DTEND', '20261206'), date('DTEND', '20261209')],
      'event 1: it has DTEND twice, and differently',
    ],
    ['two lengths', [date('DTSTART', '20261205'), 'DURATION:P1D', 'DURATION:P3D'], /it has DURATION twice/],
    [
      'two states',
      [date('DTSTART', '20261205'), 'STATUS:CANCELLED', 'STATUS:CONFIRMED'],
      /it has STATUS twice/,
    ],
    [
      'two kinds of time',
      [date('DTSTART', '20261205'), 'TRANSP:TRANSPARENT', 'TRANSP:OPAQUE'],
      /TRANSP twice/,
    ],
    ['two names', [date('DTSTART', '20261205'), 'UID:other'], /it has UID twice/],
    [
      'two dates that it changes',
      [date('DTSTART', '20261205'), date('RECURRENCE-ID', '20261201'), date('RECURRENCE-ID', '20261208')],
      /it has RECURRENCE-ID twice/,
    ],
    [
      'two marks of Exchange',
      ['DTSTART:20261205T000000Z', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE', 'X-MICROSOFT-CDO-ALLDAYEVENT:FALSE'],
      /it has X-MICROSOFT-CDO-ALLDAYEVENT twice/,
    ],
    [
      'an end beside another length',
      [date('DTSTART', '20261201'), date('DTEND', '20261202'), 'DURATION:P5D'],
      'event 1: its DTEND and its DURATION differ',
    ],
    [
      'an end beside the same length',
      [date('DTSTART', '20261201'), date('DTEND', '20261203'), 'DURATION:P2D'],
      DECEMBER_1_2,
    ],
    [
      'everything twice, the same',
      [
        date('DTSTART', '20261201'),
        'DTSTART:20261201',
        date('DTEND', '20261202'),
        date('DTEND', '20261202'),
        'STATUS:CONFIRMED',
        'status:confirmed',
        'UID:1',
      ],
      DECEMBER_1,
    ],
    [
      'the state of a description that nobody escaped',
      [date('DTSTART', '20261201'), 'DESCRIPTION:Booking', 'STATUS:CANCELLED', 'by phone'],
      DECEMBER_1,
    ],
    [
      'the kind of time of a description that nobody escaped',
      [date('DTSTART', '20261201'), 'DESCRIPTION:Booking', 'transp: transparent'],
      DECEMBER_1,
    ],
    [
      'a date of a series that is to repeat itself',
      [date('DTSTART', '20261201'), date('RECURRENCE-ID', '20261201'), 'RRULE:FREQ=DAILY;COUNT=2'],
      'event 1: it changes a date of a series and repeats itself',
    ],
  ]),
  ...said([
    [
      'dates that are excepted by a rule, which nobody reads',
      [date('DTSTART', '20261201'), 'RRULE:FREQ=DAILY;COUNT=9', 'exrule:FREQ=WEEKLY;BYDAY=MO'],
      'event 1: its EXRULE is not read',
    ],
    [
      'two zones of one start',
      ['DTSTART;TZID=Europe/Rome;TZID=Asia/Tokyo:20261201T150000', date('DTEND', '20261203')],
      'event 1: its DTSTART cannot be read',
    ],
    [
      'two types of one end, in any case',
      [date('DTSTART', '20261201'), 'DTEND;VALUE=DATE;value=DATE-TIME:20261203'],
      'event 1: its DTEND cannot be read',
    ],
    [
      'a zone named twice, the same',
      ['DTSTART;TZID=Europe/Rome;TZID=Europe/Rome:20261201T150000', date('DTEND', '20261203')],
      'event 1: its DTSTART cannot be read',
    ],
  ]),
  [
    'events that are taken back',
    text('METHOD:CANCEL', stay('20261201', '20261202')),
    'it takes events back (METHOD:CANCEL), which is not read',
  ],
  ['events that are taken back, in any case', text('method: cancel', stay('20261201', '20261202')), /CANCEL/],
  ['events that are published', text('METHOD:PUBLISH', stay('20261201', '20261202')), DECEMBER_1],
  [
    'another calendar than the Gregorian one',
    text('CALSCALE:HEBREW', stay('20261201', '20261202')),
    'its CALSCALE is not GREGORIAN',
  ],
  ['its own calendar named', text('calscale:gregorian', stay('20261201', '20261202')), DECEMBER_1],
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

  it('names what may mean something and is not read, and says nothing of what describes', () => {
    const start = date('DTSTART', '20261201');
    const alarm = ['BEGIN:VALARM', 'TRIGGER:-PT15M', 'END:VALARM'];
    const named: readonly (readonly [string, readonly string[]])[] = [
      [text('X-WR-CALNAME:Ponte', 'METHOD:PUBLISH', event(start, 'SUMMARY:Ada', 'DTSTAMP:x', ...alarm)), []],
      [
        text(
          'X-WR-TIMEZONE:Asia/Tokyo',
          event(start, 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
          event(start, 'due:1'),
        ),
        ['X-WR-TIMEZONE', 'X-MICROSOFT-CDO-BUSYSTATUS', 'DUE'],
      ],
      [text('BEGIN:VTODO', 'DUE:20261201', 'END:VTODO', event(start)), ['VTODO']],
      // A description that was not escaped holds words, not lines; what it would have opened is named.
      [text(event(start, 'DESCRIPTION:Booking', 'STATUS:CANCELLED', 'Ada:phone', 'by phone')), ['STATUS']],
      [text(event(start, 'transp: transparent', 'Ada: phone')), ['TRANSP']],
      [
        text(event(start), 'BEGIN:VFREEBUSY', 'DTSTART:1', 'ORGANIZER:a', 'BUSYTYPE:FREE', 'END:VFREEBUSY'),
        ['BUSYTYPE'],
      ],
      [text(event(start, `X-${'A'.repeat(50)}:1`)), []],
      [
        text(event(start, ...Array.from({ length: 30 }, (_, index) => `X-${index}:1`))),
        Array.from({ length: LEFT_OUT_MAX }, (_, index) => `X-${index}`),
      ],
    ];
    for (const [calendar, leftOut] of named) {
      const result = readCalendar(Buffer.from(calendar), OPTIONS);
      assert.deepEqual(result.ok && result.leftOut, leftOut, calendar);
      assert.equal(read(calendar).startsWith(DECEMBER_1), true);
    }
  });

  it('has a bound on its bytes and its events', () => {
    assert.match(read(Buffer.alloc(6 * 1024 * 1024, 0x20)), /larger than 5 MB/);
    assert.match(
      read(text(...Array.from({ length: 20_001 }, () => 'BEGIN:VEVENT\r\nEND:VEVENT'))),
      /20000 events/,
    );
    assert.match(read('BEGIN:VCALENDAR\r\n'.repeat(20)), /nested too deeply/);
  });

  it('has a bound on the days that its rules look at, for one and for all', () => {
    const lookingAt = (days: number): string =>
      event(
        date('DTSTART', formatLocalDate(FROM + 802 - days).replaceAll('-', '')),
        'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=1',
      );
    const most = lookingAt(STEPS_MAX);
    const all = Array.from({ length: CALENDAR_STEPS_MAX / STEPS_MAX }, () => most);
    assert.equal(read(text(...all)), '');
    assert.match(read(text(lookingAt(STEPS_MAX + 1))), /^event 1: its events repeat too often/);
    assert.match(read(text(...all, lookingAt(1))), /^event 51: its events repeat too often/);
    const everySecond = [24, 60, 60].map((count) =>
      Array.from({ length: count }, (_, index) => index).join(),
    );
    const [hours, minutes, seconds] = everySecond;
    const rule = `RRULE:FREQ=DAILY;BYHOUR=${hours};BYMINUTE=${minutes};BYSECOND=${seconds}`;
    assert.match(read(text(event('DTSTART:20261201T150000', rule))), /repeat/);
  });

  it('closes other nights of a property elsewhere', () => {
    const evening = text(event('DTSTART:20261201T223000Z', 'DTEND:20261201T233000Z'));
    assert.equal(read(evening, { timezone: 'America/New_York' }), '');
    assert.equal(read(evening, { timezone: 'Asia/Tokyo' }), '');
    const night = text(event('DTSTART:20261201T120000Z', 'DTEND:20261201T180000Z'));
    assert.equal(read(night, { timezone: 'Asia/Tokyo' }), '26-12-01..26-12-01');
  });
});
