/**
 * A calendar for other systems: what can not be booked here. Written by hand: it is a dozen lines, and its bytes have to
 * be the same as long as nothing changes, so that an ETag is worth something.
 */
import { hash } from 'node:crypto';
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
const LINE_BYTES_MAX = 75;

/** Nights from `today` (included) to `until` (excluded) that are not open, as events of whole days. */
export function writeCalendar(
  subject: CalendarSubject,
  calendar: Calendar,
  { today, until }: { readonly today: EpochDay; readonly until: EpochDay },
): WrittenCalendar {
  const events = closedStretches(calendar, today, until).flatMap((stretch) =>
    writeEvent(subject, stretch, today),
  );
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Stayport//Stayport//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(subject.title)}`,
    ...events,
    'END:VCALENDAR',
  ];
  const body = lines.map((line) => `${foldLine(line)}\r\n`).join('');
  return { body, etag: `"${hash('sha256', body, 'base64url')}"` };
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
function writeEvent(subject: CalendarSubject, { from, until }: Stretch, today: EpochDay): string[] {
  const first = Math.max(from, today);
  if (first >= until) return [];
  const beginning = Number.isFinite(from) ? formatLocalDate(from) : 'always';
  const { changedAtMs } = subject;
  return [
    'BEGIN:VEVENT',
    `UID:${beginning}-${ownEventMark(subject)}@stayport`,
    `DTSTAMP:${new Date(changedAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
    `DTSTART;VALUE=DATE:${dateOf(first)}`,
    `DTEND;VALUE=DATE:${dateOf(until)}`,
    'SUMMARY:Not available',
    'TRANSP:OPAQUE',
    'END:VEVENT',
  ];
}

function dateOf(day: EpochDay): string {
  return formatLocalDate(day).replaceAll('-', '');
}

/** RFC 5545 3.3.11; a line break in a name becomes `\n`, any other control character a blank. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** Never within a character. */
function foldLine(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES_MAX) {
      folded += '\r\n ';
      // The blank counts.
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
