/**
 * All pairs of kinds: a series that starts with a date, or a time in UTC, in a zone or in none, and what names its
 * occurrences, in each of these kinds. The naive reading here knows instants and Intl only.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish } from '../../domain/wrong.ts';
import { DAY_MS, formatLocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { readCalendar } from './read-calendar.ts';

type Kind = 'date' | 'utc' | 'zoned' | 'other zone' | 'floating';

const KINDS: readonly Kind[] = ['date', 'utc', 'zoned', 'other zone', 'floating'];
const NAMES = ['UNTIL', 'EXDATE', 'RDATE', 'RECURRENCE-ID'] as const;
const PROPERTY_ZONES = ['Europe/Rome', 'America/New_York', 'Asia/Tokyo'];
const OTHER_ZONES = ['Australia/Sydney', 'Pacific/Honolulu'];
const TIMES = ['15:00', '00:00', '23:30', '02:30'];
/** Two days before the clocks of Europe and America change, to summer and from it. */
const FIRST_DATES = ['2027-03-26', '2027-03-12', '2026-10-23', '2026-10-30'];
const LENGTH_MS = 19 * 3_600_000;
const MINUTE_MS = 60_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

interface Case {
  readonly property: string;
  readonly other: string;
  readonly start: Kind;
  readonly name: (typeof NAMES)[number];
  readonly by: Kind;
  readonly date: string;
  readonly time: string;
}

/** `2027-03-26 15:00` in a zone at an instant. */
function shown(instantMs: number, timeZone: string): string {
  const known = clocks.get(timeZone);
  const clock =
    known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  clocks.set(timeZone, clock);
  return clock.format(instantMs);
}

/** The first instant that shows so; for a time that is skipped, as if the clock had not changed. */
function instantShown(text: string, timeZone: string): number {
  const asUtcMs = Date.parse(`${text.replace(' ', 'T')}Z`);
  for (let hours = 14; hours >= -12; hours -= 0.5) {
    const instantMs = asUtcMs - hours * 60 * MINUTE_MS;
    if (shown(instantMs, timeZone) === text) return instantMs;
  }
  return instantShown(shown(asUtcMs - DAY_MS, 'UTC'), timeZone) + DAY_MS;
}

function zoneOf(kind: Kind, { property, other }: Case): string {
  if (kind === 'utc') return 'UTC';
  return kind === 'other zone' ? other : property;
}

/** The start of the occurrence after so many days. */
function startAfter(days: number, one: Case): number {
  const zone = zoneOf(one.start, one);
  const time = one.start === 'date' ? '00:00' : one.time;
  // A time in UTC has the hour that the property's clock shows on the first day.
  if (one.start === 'utc') return instantShown(`${one.date} ${time}`, one.property) + days * DAY_MS;
  return instantShown(`${formatLocalDate(parseLocalDate(one.date)! + days)} ${time}`, zone);
}

/** Names the occurrence that starts at an instant. */
function written(instantMs: number, kind: Kind, one: Case): readonly [string, string] {
  const dateZone = one.start === 'other zone' ? one.other : one.property;
  const text = shown(instantMs, kind === 'date' ? dateZone : zoneOf(kind, one));
  const compact = text.replaceAll(/[-:]/g, '').replace(' ', 'T');
  if (kind === 'date') return [';VALUE=DATE', compact.slice(0, 8)];
  if (kind === 'utc') return ['', `${compact}00Z`];
  return [kind === 'floating' ? '' : `;TZID=${zoneOf(kind, one)}`, `${compact}00`];
}

function eventLines(start: number, one: Case): string[] {
  const line = (name: string, at: number): string => `${name}${written(at, one.start, one).join(':')}`;
  return [line('DTSTART', start), line('DTEND', endOf(start, one))];
}

function endOf(start: number, { start: kind, property }: Case): number {
  if (kind !== 'date') return start + LENGTH_MS;
  return instantShown(`${shown(start + 36 * 60 * MINUTE_MS, property).slice(0, 10)} 00:00`, property);
}

function calendarOf(one: Case): string {
  const rule = one.name === 'UNTIL' ? `UNTIL=${written(startAfter(3, one), one.by, one)[1]}` : 'COUNT=5';
  const named = `${one.name}${written(startAfter(one.name === 'RDATE' ? 8 : 2, one), one.by, one).join(':')}`;
  const isList = one.name === 'EXDATE' || one.name === 'RDATE';
  const event = (...lines: readonly string[]): string[] => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];
  return [
    'BEGIN:VCALENDAR',
    ...event(...eventLines(startAfter(0, one), one), `RRULE:FREQ=DAILY;${rule}`, ...(isList ? [named] : [])),
    ...(one.name === 'RECURRENCE-ID' ? event(named, ...eventLines(startAfter(9, one), one)) : []),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

const DAYS: Readonly<Record<Case['name'], readonly number[]>> = {
  UNTIL: [0, 1, 2, 3],
  EXDATE: [0, 1, 3, 4],
  RDATE: [0, 1, 2, 3, 4, 8],
  'RECURRENCE-ID': [0, 1, 3, 4, 9],
};

function naiveNights(one: Case): string[] {
  const nights = new Set<string>();
  for (const days of DAYS[one.name]) {
    const start = startAfter(days, one);
    const last = shown(endOf(start, one), one.property).slice(0, 10);
    let night = shown(start, one.property).slice(0, 10);
    while (night < last) {
      nights.add(night);
      night = formatLocalDate(parseLocalDate(night)! + 1);
    }
  }
  return [...nights].sort();
}

function readNights(text: string, timezone: string): string[] | string {
  const result = readCalendar(Buffer.from(text), { timezone, from: 20_700, until: 21_000 });
  if (!result.ok) return inEnglish(result.problem);
  return result.closed.flatMap(({ from, until }) =>
    Array.from({ length: until - from }, (_, index) => formatLocalDate(from + index)),
  );
}

function* casesOf(start: Kind, name: Case['name'], by: Kind): Generator<Case, void> {
  for (const property of PROPERTY_ZONES)
    for (const other of OTHER_ZONES)
      for (const date of FIRST_DATES)
        for (const time of TIMES) yield { property, other, start, name, by, date, time };
}

/** When the clocks change, a date may name two starts of a series in UTC. */
function isAmbiguous(one: Case): boolean {
  return one.start === 'utc' && one.by === 'date' && one.time === '00:00';
}

describe('Points of a calendar', () => {
  for (const start of KINDS) {
    for (const name of NAMES) {
      // UNTIL has no parameters, so it names no zone.
      for (const by of KINDS.filter((kind) => name !== 'UNTIL' || !kind.includes('zone'))) {
        it(`a series by ${start}: ${name} by ${by} closes the same nights as a naive reading`, () => {
          for (const one of casesOf(start, name, by)) {
            if (isAmbiguous(one)) continue;
            const text = calendarOf(one);
            assert.deepEqual(readNights(text, one.property), naiveNights(one), `${one.property}\n${text}`);
          }
        });
      }
    }
  }
});
