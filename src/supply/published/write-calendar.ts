/**
 * A calendar for other systems: what cannot be booked here. ical.js writes it; its bytes are the same as long as
 * nothing changes, so that an ETag is worth something.
 */
import { hash } from 'node:crypto';
import ICAL from 'ical.js';
import type { Calendar } from '../../domain/calendar.ts';
import { type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { visitStretches } from '../../domain/night-runs.ts';
import { ownEventMark, type PublishedType } from './own-events.ts';

export interface CalendarSubject extends PublishedType {
  /** Shown by calendar programs. */
  readonly title: string;
  /** DTSTAMP of all events: the same until something changes. */
  readonly changedAtMs: number;
}

export interface WrittenCalendar {
  readonly body: string;
  /** With its quotation marks. */
  readonly etag: string;
}

/** RFC 5545 3.1: bytes of a line without its break. */
export const LINE_BYTES_MAX = 75;
/** The library does not count the blank that begins a continued line. */
ICAL.foldLength = LINE_BYTES_MAX - 1;

/** The library takes the name of a calendar, which calendar programs show, for a property that nobody knows. */
const DESIGN = {
  ...ICAL.design.icalendar,
  property: { ...ICAL.design.icalendar.property, 'x-wr-calname': { defaultType: 'text' } },
};

/** RFC 7265: name, parameters, type, value. */
type JCalProperty = readonly [string, Readonly<Record<string, string>>, string, string];
type JCalComponent = readonly [string, readonly JCalProperty[], readonly JCalComponent[]];

/** Nights from `today` (included) to `until` (excluded) that are not open, as events of whole days. */
export function writeCalendar(
  subject: CalendarSubject,
  calendar: Calendar,
  { today, until }: { readonly today: EpochDay; readonly until: EpochDay },
): WrittenCalendar {
  const document: JCalComponent = [
    'vcalendar',
    [
      text('version', '2.0'),
      text('prodid', '-//Stayport//Stayport//EN'),
      text('calscale', 'GREGORIAN'),
      text('method', 'PUBLISH'),
      text('x-wr-calname', printable(subject.title)),
    ],
    closedStretches(calendar, today, until).flatMap((stretch) => eventOf(subject, stretch, today)),
  ];
  const body = `${ICAL.stringify.component(document as unknown as unknown[], DESIGN)}\r\n`;
  return { body, etag: `"${hash('sha256', body, 'base64url')}"` };
}

function text(name: string, value: string): JCalProperty {
  return [name, {}, 'text', value];
}

interface Stretch {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

/** The complement of the open nights; only the first one may begin before `today`. */
function closedStretches(calendar: Calendar, today: EpochDay, until: EpochDay): Stretch[] {
  const closed: Stretch[] = [];
  let from = firstClosedBefore(calendar, today);
  visitStretches([calendar.availability, calendar.stopSell], (start, end, [units = 0, stopSell = 0]) => {
    if (units < 1 || stopSell !== 0 || end <= today || start >= until) return;
    if (from < start) closed.push({ from, until: start });
    from = Math.min(end, until);
  });
  if (from < until) closed.push({ from, until });
  return closed;
}

/** The night behind the last open one before `today`: where a stretch that goes on today began. */
function firstClosedBefore(calendar: Calendar, today: EpochDay): EpochDay {
  let from = Number.NEGATIVE_INFINITY;
  visitStretches([calendar.availability, calendar.stopSell], (start, end, [units = 0, stopSell = 0]) => {
    if (units >= 1 && stopSell === 0 && start < today) from = Math.min(end, today);
  });
  return from;
}

/**
 * The UID is made of the night that the stretch begins with, even when that is past: the same event keeps its UID from
 * day to day, and when it becomes longer or shorter at its end.
 */
function eventOf(subject: CalendarSubject, { from, until }: Stretch, today: EpochDay): JCalComponent[] {
  const first = Math.max(from, today);
  if (first >= until) return [];
  const beginning = Number.isFinite(from) ? formatLocalDate(from) : 'always';
  const stamp = `${new Date(subject.changedAtMs).toISOString().slice(0, 19)}Z`;
  const properties: JCalProperty[] = [
    text('uid', `${beginning}-${ownEventMark(subject)}@stayport`),
    ['dtstamp', {}, 'date-time', stamp],
    ['dtstart', {}, 'date', formatLocalDate(first)],
    ['dtend', {}, 'date', formatLocalDate(until)],
    text('summary', 'Not available'),
    text('transp', 'OPAQUE'),
  ];
  return [['vevent', properties, []]];
}

/** The library escapes what RFC 5545 3.3.11 names; a control character other than a line break becomes a blank. */
function printable(title: string): string {
  return title
    .toWellFormed()
    .replaceAll(/\r\n|\r/g, '\n')
    .replaceAll(/(?!\n)\p{Cc}/gu, ' ');
}
