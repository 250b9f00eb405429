/**
 * Points in time of a calendar, and the only code that converts or compares them. A date is a date everywhere; a time
 * is in UTC, in a zone that it names, or floating: then, and in a zone that nobody knows, it is the property's.
 */
import type ICAL from 'ical.js';
import { DAY_MS, type EpochDay, localToday, toEpochDay } from '../../domain/local-date.ts';
import { type CalendarZones, UTC, type Zone } from './calendar-zones.ts';

export type CalendarPoint = CalendarDate | CalendarTime;

export interface CalendarDate {
  readonly kind: 'date';
  readonly day: EpochDay;
}

export interface CalendarTime {
  readonly kind: 'utc' | 'zoned' | 'floating';
  /** Local time in `zone`. */
  readonly wallMs: number;
  readonly zone: Zone;
}

/** A day or an instant: occurrences of a series differ by the one or the other. */
export interface SeriesPoint {
  readonly unit: 'day' | 'instant';
  readonly value: number;
}

export class CalendarPoints {
  readonly #timezone: string;
  readonly #zones: CalendarZones;

  constructor(timezone: string, zones: CalendarZones) {
    this.#timezone = timezone;
    this.#zones = zones;
  }

  read(time: ICAL.Time, tzid: string | undefined): CalendarPoint {
    if (time.isDate) return { kind: 'date', day: dayOf(time) };
    const wallMs = wallMsOf(time);
    if (time.zone.tzid === 'UTC') return { kind: 'utc', wallMs, zone: UTC };
    const zone = tzid === undefined ? undefined : this.#zones.find(tzid);
    if (zone !== undefined) return { kind: 'zoned', wallMs, zone };
    return { kind: 'floating', wallMs, zone: this.#zones.property };
  }

  /** The date at the property. */
  localDay(point: CalendarPoint): EpochDay {
    if (point.kind === 'date') return point.day;
    return point.zone === this.#zones.property
      ? wallDay(point)
      : localToday(this.#timezone, instantOf(point));
  }

  /** The date that a time stands for where a date is due: many systems write midnight, often that of UTC. */
  dateNamedBy(point: CalendarPoint): EpochDay {
    return isMidnight(point) ? wallDay(point) : this.localDay(point);
  }

  /** Where one is a date, dates are compared. */
  isBefore(one: CalendarPoint, other: CalendarPoint): boolean {
    if (one.kind !== 'date' && other.kind !== 'date') return instantOf(one) < instantOf(other);
    return this.dateNamedBy(one) < this.dateNamedBy(other);
  }

  /** The place of an occurrence of the series that begins with `first`, as EXDATE, RECURRENCE-ID or UNTIL name it. */
  placeIn(first: CalendarPoint, point: CalendarPoint): SeriesPoint {
    if (first.kind === 'date') return { unit: 'day', value: this.dateNamedBy(point) };
    if (point.kind === 'date') return { unit: 'day', value: point.day };
    return { unit: 'instant', value: instantOf(point) };
  }

  /** Where an occurrence starts. Its date is that of its own zone, in a series in UTC that of the property. */
  positionOf(start: CalendarPoint, unit: SeriesPoint['unit']): number {
    if (unit === 'instant' && start.kind !== 'date') return instantOf(start);
    return start.kind === 'utc' ? this.dateNamedBy(start) : wallDay(start);
  }

  /** The last place of a rule. A local time in it may be the event's or the property's: no booked night may open. */
  lastPlace(first: CalendarPoint, until: CalendarPoint): SeriesPoint {
    if (first.kind === 'date' || until.kind !== 'floating') return this.placeIn(first, until);
    return {
      unit: 'instant',
      value: Math.max(instantOf(until), first.zone.instantOf(until.wallMs)),
    };
  }

  /** The same point in the form of the series that begins with `first`: a date, or a time in its zone. */
  inFormOf(first: CalendarPoint, point: CalendarPoint): CalendarPoint {
    if (first.kind === 'date') return { kind: 'date', day: this.dateNamedBy(point) };
    if (point.kind === 'date') {
      return onDay(first, wallDay(first) + point.day - this.positionOf(first, 'day'));
    }
    return { ...first, wallMs: first.zone.wallOf(instantOf(point)) };
  }
}

export function instantOf({ wallMs, zone }: CalendarTime): number {
  return zone.instantOf(wallMs);
}

/** The date that is written, in whatever zone. */
export function wallDay(point: CalendarPoint): EpochDay {
  return point.kind === 'date' ? point.day : Math.floor(point.wallMs / DAY_MS);
}

/** An occurrence of the series that begins with `first`, by the clock of `first`. */
export function pointLike(first: CalendarPoint, wallMs: number): CalendarPoint {
  return first.kind === 'date' ? { kind: 'date', day: Math.floor(wallMs / DAY_MS) } : { ...first, wallMs };
}

/** The same time of day on another date. */
export function onDay(point: CalendarPoint, day: EpochDay): CalendarPoint {
  if (point.kind === 'date') return { kind: 'date', day };
  return { ...point, wallMs: point.wallMs + (day - wallDay(point)) * DAY_MS };
}

export function isMidnight(point: CalendarPoint): boolean {
  return point.kind === 'date' || point.wallMs % DAY_MS === 0;
}

function dayOf({ year, month, day }: ICAL.Time): EpochDay {
  return toEpochDay(year, month, day);
}

function wallMsOf(time: ICAL.Time): number {
  return dayOf(time) * DAY_MS + ((time.hour * 60 + time.minute) * 60 + time.second) * 1000;
}
