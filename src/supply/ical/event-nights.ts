/**
 * The nights that an event closes. It closes night d if it covers the local midnight between d and d+1: from the night
 * of its first date to the one before its last date. So a time within one day closes none, but a date always its own.
 */
import ICAL from 'ical.js';
import { Wrong } from '../../domain/wrong.ts';
import { DAY_MS, type EpochDay } from '../../domain/local-date.ts';
import {
  type CalendarPoint,
  type CalendarPoints,
  type CalendarTime,
  instantOf,
  isMidnight,
  onDay,
  wallDay,
} from './calendar-points.ts';
import { CalendarProblem } from './calendar-text.ts';
import { readListed, tzidOf } from './recurrences.ts';

const DAY_SECONDS = DAY_MS / 1000;

export interface Nights {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

/** When an event is, the first time if it repeats. */
export interface EventTimes {
  readonly start: CalendarPoint;
  /** The end of an occurrence with this start. */
  readonly endOf: (start: CalendarPoint) => CalendarPoint;
}

export function closesNothing(event: ICAL.Component): boolean {
  return textOf(event, 'status') === 'CANCELLED' || textOf(event, 'transp') === 'TRANSPARENT';
}

/** An event that we published, by its UID: it only repeats our own closings. */
export function isOwn(event: ICAL.Component, ownMark: string | undefined): boolean {
  return ownMark !== undefined && uidOf(event).toLowerCase().includes(ownMark);
}

export function uidOf(event: ICAL.Component): string {
  return stringOf(event, 'uid');
}

/** Throws `CalendarProblem` for an event that ends before it starts. */
export function readTimes(event: ICAL.Component, points: CalendarPoints): EventTimes {
  const dtstart = timeOf(event, 'dtstart');
  if (dtstart === undefined) throw new CalendarProblem(new Wrong('noStart'));
  const start = pointOf(event, 'dtstart', dtstart, points);
  const dtend = timeOf(event, 'dtend');
  if (dtend === undefined) return { start, endOf: readDuration(event) };
  const endOf = endsAt(start, pointOf(event, 'dtend', dtend, points), points);
  if (event.hasProperty('duration') && differ(endOf(start), readDuration(event)(start), points)) {
    throw new CalendarProblem(new Wrong('endsDiffer'));
  }
  return { start, endOf };
}

export function nightsBetween(start: CalendarPoint, end: CalendarPoint, points: CalendarPoints): Nights {
  const from = points.localDay(start);
  const until = start.kind === 'date' ? points.dateNamedBy(end) : points.localDay(end);
  const hasDate = start.kind === 'date' || end.kind === 'date';
  return { from, until: hasDate ? Math.max(until, from + 1) : until };
}

/** Nights of the busy times of a VFREEBUSY. */
export function busyNights(component: ICAL.Component, points: CalendarPoints): Nights[] {
  return component
    .getAllProperties('freebusy')
    .filter((property) => String(property.getParameter('fbtype') ?? 'BUSY').toUpperCase() !== 'FREE')
    .flatMap((property) =>
      property.getValues().map((period) => {
        const { start, end } = readListed(period, property, points);
        if (end === undefined) throw new CalendarProblem(new Wrong('lineUnreadable', { name: 'FREEBUSY' }));
        return nightsBetween(start, end, points);
      }),
    );
}

/** Each occurrence has the same length on the clock: a day of 23 hours does not lose its night. */
function endsAt(start: CalendarPoint, end: CalendarPoint, points: CalendarPoints): EventTimes['endOf'] {
  if (points.isBefore(end, start)) throw new CalendarProblem(new Wrong('endsBefore'));
  if (start.kind === 'date' || end.kind === 'date') {
    const days = points.dateNamedBy(end) - points.localDay(start);
    return (from) => ({ kind: 'date', day: points.localDay(from) + days });
  }
  const isSameZone = start.zone === end.zone;
  const lengthMs = isSameZone ? end.wallMs - start.wallMs : instantOf(end) - instantOf(start);
  return (from) => ({ ...(from as CalendarTime), wallMs: (from as CalendarTime).wallMs + lengthMs });
}

function differ(one: CalendarPoint, other: CalendarPoint, points: CalendarPoints): boolean {
  return points.isBefore(one, other) || points.isBefore(other, one);
}

/** DURATION, else a day for a date and nothing for a time (RFC 5545 3.6.1). */
function readDuration(event: ICAL.Component): EventTimes['endOf'] {
  const duration = event.hasProperty('duration') ? valueOf(event, 'duration') : new ICAL.Duration({});
  if (!(duration instanceof ICAL.Duration))
    throw new CalendarProblem(new Wrong('lineUnreadable', { name: 'DURATION' }));
  if (duration.toSeconds() < 0) throw new CalendarProblem(new Wrong('durationNegative'));
  const days = duration.weeks * 7 + duration.days;
  const seconds = duration.toSeconds() - days * DAY_SECONDS;
  return (start) => {
    if (start.kind === 'date') return onDay(start, start.day + days + Math.trunc(seconds / DAY_SECONDS));
    const later = onDay(start, wallDay(start) + days) as CalendarTime;
    // Days are by the clock, hours are exact (RFC 5545 3.3.6).
    return { ...later, wallMs: later.zone.wallOf(instantOf(later) + seconds * 1000) };
  };
}

/** Exchange writes a whole day as two midnights and this mark. */
function pointOf(
  event: ICAL.Component,
  name: 'dtstart' | 'dtend',
  time: ICAL.Time,
  points: CalendarPoints,
): CalendarPoint {
  const point = points.read(time, tzidOf(event.getFirstProperty(name)));
  const isWholeDay = stringOf(event, 'x-microsoft-cdo-alldayevent').trim().toUpperCase() === 'TRUE';
  return isWholeDay && isMidnight(point) ? { kind: 'date', day: wallDay(point) } : point;
}

function timeOf(event: ICAL.Component, name: 'dtstart' | 'dtend'): ICAL.Time | undefined {
  if (!event.hasProperty(name)) return undefined;
  const time = valueOf(event, name);
  if (!(time instanceof ICAL.Time))
    throw new CalendarProblem(new Wrong('lineUnreadable', { name: name.toUpperCase() }));
  return time;
}

/** Undefined if the library throws, which it does on reading: it parses values lazily. */
export function valueOf(
  event: ICAL.Component,
  name: 'dtstart' | 'dtend' | 'duration' | 'recurrence-id',
): unknown {
  try {
    return event.getFirstPropertyValue(name);
  } catch {
    return undefined;
  }
}

function textOf(event: ICAL.Component, name: 'status' | 'transp'): string {
  return stringOf(event, name).trim().toUpperCase();
}

function stringOf(event: ICAL.Component, name: string): string {
  const value: unknown = event.getFirstPropertyValue(name);
  return typeof value === 'string' ? value : '';
}
