/** Recurrence rules beside those of python-dateutil: `test/fixtures/recurrences/README.md`. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { inEnglish } from '../../domain/wrong.ts';
import { DAY_MS, formatIsoWeek, formatLocalDate, getLocalDate, isoWeekOf } from '../../domain/local-date.ts';
import { CalendarProblem } from './calendar-text.ts';
import { expandRule, type FirstStart } from './expand-rule.ts';
import { readCalendar } from './read-calendar.ts';
import { readRecurrenceRule, type RecurrenceRule } from './recurrence-rule.ts';

const FIXTURE = new URL('../../../test/fixtures/recurrences/rules.txt.gz', import.meta.url);
const WINDOW_DAYS = 1_200;
const STARTS_MAX = 400;
const OPEN = /^its RRULE has BYWEEKNO with.*, which can be read in two ways$/;

interface Row {
  readonly dtstart: string;
  readonly rule: string;
  readonly count: number;
  readonly digest: string;
}

function readRows(): readonly Row[] {
  const lines = gunzipSync(readFileSync(FIXTURE)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [dtstart = '', rule = '', count, digest = ''] = line.split(' ');
    return { dtstart, rule, count: Number(count), digest };
  });
}

function wallMsOf(text: string): number {
  const [, date, hour = '00', minute = '00', second = '00'] =
    /^(\d{8})(?:T(\d\d)(\d\d)(\d\d))?$/.exec(text) ?? [];
  const day = getLocalDate(date!.replace(/^(....)(..)(..)$/, '$1-$2-$3'));
  return day * DAY_MS + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
}

/** Starts as the fixture has them, in seconds, found from the day `from` on. */
function startsOf(rule: RecurrenceRule, dtstart: string, from?: number): number[] {
  const firstMs = wallMsOf(dtstart);
  const day = Math.floor(firstMs / DAY_MS);
  const second = dtstart.includes('T') ? (firstMs % DAY_MS) / 1_000 : undefined;
  const first: FirstStart = { day, second };
  const untilMs = rule.until === undefined ? Number.POSITIVE_INFINITY : wallMsOf(rule.until);
  const endMs = Math.min(firstMs + WINDOW_DAYS * DAY_MS - 1, untilMs);
  const starts: number[] = [];
  const window = { from: from ?? day, until: day + WINDOW_DAYS + 1, spend: () => {} };
  for (const startMs of expandRule(rule, first, window)) {
    if (startMs > endMs) break;
    starts.push(startMs / 1_000);
  }
  return starts;
}

/** The rule, or why it is refused. */
function tryRule(text: string): RecurrenceRule | string {
  try {
    return readRecurrenceRule(text);
  } catch (error) {
    if (error instanceof CalendarProblem) return inEnglish(error.wrong);
    throw error;
  }
}

/** The nights that an event of a day closes, or why its calendar is refused. */
function nightsOf({ dtstart, rule }: Row): readonly number[] | string {
  const day = Math.floor(wallMsOf(dtstart) / DAY_MS);
  const start = dtstart.includes('T') ? `DTSTART;TZID=Europe/Rome:${dtstart}` : `DTSTART:${dtstart}`;
  const event = ['BEGIN:VEVENT', start, 'DURATION:P1D', `RRULE:${rule}`, 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n');
  const options = { timezone: 'Europe/Rome', from: day, until: day + WINDOW_DAYS };
  const read = readCalendar(Buffer.from(text), options);
  if (!read.ok) return inEnglish(read.problem);
  return read.closed.flatMap(({ from, until }) => Array.from({ length: until - from }, (_, at) => from + at));
}

const formatDays = (days: readonly number[]): string => days.map((day) => formatLocalDate(day)).join(' ');

describe('10,000 random rules', () => {
  let rows: readonly Row[];
  before(() => {
    rows = readRows();
  });

  it('give the starts that python-dateutil gives, or are refused where RFC 5545 leaves them open', () => {
    const counts = { equal: 0, refused: 0 };
    for (const { dtstart, rule: text, count, digest } of rows) {
      const rule = tryRule(text);
      if (typeof rule === 'string') {
        assert.match(rule, OPEN, text);
        counts.refused += 1;
        continue;
      }
      const starts = startsOf(rule, dtstart).slice(0, STARTS_MAX);
      assert.equal(starts.length, count, `${dtstart} ${text}`);
      assert.equal(hash('sha256', starts.join(','), 'hex').slice(0, 8), digest, `${dtstart} ${text}`);
      counts.equal += 1;
    }
    assert.deepEqual(counts, { equal: 9_434, refused: 566 });
  });

  it('give the same starts where the search begins later', () => {
    for (const [index, { dtstart, rule: text }] of rows.entries()) {
      const rule = tryRule(text);
      if (typeof rule === 'string' || index % 5 > 0) continue;
      const from = Math.floor(wallMsOf(dtstart) / DAY_MS) + (index % 900);
      const isIn = (second: number): boolean => second * 1_000 >= from * DAY_MS;
      assert.deepEqual(
        startsOf(rule, dtstart, from).filter(isIn),
        startsOf(rule, dtstart).filter(isIn),
        text,
      );
    }
  });

  it('close the nights of their starts in a calendar', () => {
    let closedCount = 0;
    for (const row of rows.slice(0, 2_000)) {
      const rule = tryRule(row.rule);
      const nights = nightsOf(row);
      if (typeof rule === 'string') assert.equal(nights, `event 1: ${rule}`);
      else if (typeof nights === 'string') assert.match(nights, /repeats more than 1000 times/, row.rule);
      else {
        const starts = [wallMsOf(row.dtstart) / 1_000, ...startsOf(rule, row.dtstart)];
        const days = [...new Set(starts.map((second) => Math.floor((second * 1_000) / DAY_MS)))];
        const wanted = days.filter((day) => day < days[0]! + WINDOW_DAYS);
        assert.equal(formatDays(nights), formatDays(wanted), `${row.dtstart} ${row.rule}`);
        closedCount += 1;
      }
    }
    assert.equal(closedCount, 1_858);
  });
});

describe('A rule of weeks', () => {
  it('names the weeks of ISO 8601, from the first and from the last', () => {
    const [from, until] = [getLocalDate('2000-01-03'), getLocalDate('2029-01-01')];
    const weeks = Array.from({ length: (until - from) / 7 }, (_, index) =>
      formatIsoWeek(isoWeekOf(from) + index),
    );
    for (let number = 1; number <= 53; number += 1) {
      const named = weeks.filter((week) => week.endsWith(`-W${String(number).padStart(2, '0')}`));
      assert.deepEqual(weeksOf(number, from, until), named);
      const fromLast = weeks.filter(
        (week, index) => index + number - 1 in weeks && isLast(weeks, index + number - 1, week),
      );
      const known = weeksOf(-number, from, until).filter((week) => week < '2028');
      assert.deepEqual(
        known,
        fromLast.filter((week) => week < '2028'),
      );
    }
  });
});

/** Whether the last week of the year of `week` is at `index`. */
function isLast(weeks: readonly string[], index: number, week: string): boolean {
  return weeks[index]!.slice(0, 4) === week.slice(0, 4) && weeks[index + 1]?.slice(0, 4) !== week.slice(0, 4);
}

/** Weeks of which the rule closes each of the seven days. */
function weeksOf(number: number, from: number, until: number): readonly string[] {
  const rule = readRecurrenceRule(`FREQ=YEARLY;BYWEEKNO=${number};BYDAY=MO,TU,WE,TH,FR,SA,SU`);
  const starts = [...expandRule(rule, { day: from, second: undefined }, { from, until, spend: () => {} })];
  const days = Map.groupBy(starts, (startMs) => formatIsoWeek(isoWeekOf(startMs / DAY_MS)));
  for (const ofWeek of days.values()) assert.equal(ofWeek.length, 7);
  return [...days.keys()];
}
