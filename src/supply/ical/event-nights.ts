/**
 * The nights that an event closes. It closes night d if it covers the local midnight between d and d+1: from the night
 * of its first date to the one before its last date. So an event within one day closes none.
 */
import ICAL from 'ical.js';
import { DAY_MS, EPOCH_DAY_MAX, EPOCH_DAY_MIN, type EpochDay, toEpochDay } from '../../domain/local-date.ts';
import { CalendarProblem } from './calendar-text.ts';
import { keysOf, type Occurrence, occurrencesOf, repeats, type StepBudget } from './recurrences.ts';
import { localDateOf, type ZoneRules } from './zone-dates.ts';

const DAY_SECONDS = DAY_MS / 1000;

export interface EventNights extends ZoneRules {
  readonly from: EpochDay;
  readonly until: EpochDay;
  /** `overriddenBy` of all events. */
  readonly overridden: ReadonlySet<string>;
  readonly budget: StepBudget;
}

export interface Nights {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

/** For an event that replaces an occurrence of another with its UID: that occurrence, by UID and time. */
export function overriddenBy(event: ICAL.Component): string[] {
  if (!event.hasProperty('recurrence-id')) return [];
  const time = valueOf(event, 'recurrence-id');
  if (!(time instanceof ICAL.Time)) throw new CalendarProblem('its RECURRENCE-ID cannot be read');
  return keysOf(time).map((key) => overrideKey(event, key));
}

/** An event that we published, by its UID: it only repeats our own closings. */
export function isOwn(event: ICAL.Component, ownMark: string | undefined): boolean {
  return ownMark !== undefined && textOf(event, 'uid').toLowerCase().includes(ownMark);
}

/** Ascending for an event that does not repeat; in any order otherwise. */
export function nightsOfEvent(event: ICAL.Component, rules: EventNights): Nights[] {
  if (textOf(event, 'status') === 'CANCELLED' || textOf(event, 'transp') === 'TRANSPARENT') return [];
  const start = timeOf(event, 'dtstart');
  if (start === undefined) throw new CalendarProblem('it has no DTSTART');
  const end = endOf(event, start);
  const startZone = zoneOf(event, 'dtstart');
  const endZone = event.hasProperty('dtend') ? zoneOf(event, 'dtend') : startZone;
  const first = localDateOf(start, startZone, rules);
  const nightCount = localDateOf(end, endZone, rules) - first;
  // RDATE periods may have their own length.
  if (nightCount <= 0 && !event.hasProperty('rdate')) return [];
  if (!repeats(event) || event.hasProperty('recurrence-id')) {
    return [{ from: first, until: first + nightCount }];
  }
  const lastDayOf = ({ time, end: ownEnd }: Occurrence): EpochDay =>
    ownEnd === undefined ? dayOf(time) + nightCount : dayOf(ownEnd);
  const isWanted = (occurrence: Occurrence): boolean =>
    lastDayOf(occurrence) + 1 >= rules.from &&
    !keysOf(occurrence.time).some((key) => rules.overridden.has(overrideKey(event, key)));
  // One day more: in another zone the event may start on the day before.
  const options = { until: rules.until + 1, isWanted, budget: rules.budget };
  return Array.from(occurrencesOf(event, start, options), ({ time, end: ownEnd }) => {
    const from = localDateOf(time, startZone, rules);
    return { from, until: ownEnd === undefined ? from + nightCount : localDateOf(ownEnd, startZone, rules) };
  });
}

function overrideKey(event: ICAL.Component, key: string): string {
  return `${textOf(event, 'uid')}\n${key}`;
}

/** DTEND, else DTSTART and DURATION, else a day for a date and nothing for a time (RFC 5545 3.6.1). */
function endOf(event: ICAL.Component, start: ICAL.Time): ICAL.Time {
  const end = timeOf(event, 'dtend');
  if (end !== undefined) return end;
  const duration = valueOf(event, 'duration');
  if (event.hasProperty('duration') && !(duration instanceof ICAL.Duration)) {
    throw new CalendarProblem('its DURATION cannot be read');
  }
  const later = start.clone();
  // For a date, the library counts only the days of a duration: PT24H would be no time at all.
  if (duration instanceof ICAL.Duration && start.isDate) later.addDuration(inWholeDays(duration));
  else if (duration instanceof ICAL.Duration) later.addDuration(duration);
  else if (start.isDate) later.addDuration(ICAL.Duration.fromString('P1D'));
  return assertYears(later, 'DURATION');
}

function inWholeDays(duration: ICAL.Duration): ICAL.Duration {
  const days = Math.trunc(duration.toSeconds() / DAY_SECONDS);
  return ICAL.Duration.fromData({ isNegative: days < 0, days: Math.abs(days) });
}

function dayOf({ year, month, day }: ICAL.Time): EpochDay {
  return toEpochDay(year, month, day);
}

function timeOf(event: ICAL.Component, name: 'dtstart' | 'dtend'): ICAL.Time | undefined {
  if (!event.hasProperty(name)) return undefined;
  const time = valueOf(event, name);
  if (!(time instanceof ICAL.Time)) throw new CalendarProblem(`its ${name.toUpperCase()} cannot be read`);
  return assertYears(time, name.toUpperCase());
}

/** Undefined if the library throws, which it does on reading: it parses values lazily. */
function valueOf(event: ICAL.Component, name: 'dtstart' | 'dtend' | 'duration' | 'recurrence-id'): unknown {
  try {
    return event.getFirstPropertyValue(name);
  } catch {
    return undefined;
  }
}

function assertYears(time: ICAL.Time, name: string): ICAL.Time {
  const day = dayOf(time);
  if (day >= EPOCH_DAY_MIN && day <= EPOCH_DAY_MAX) return time;
  throw new CalendarProblem(`its ${name} cannot be read`);
}

function zoneOf(event: ICAL.Component, name: 'dtstart' | 'dtend'): string | undefined {
  const tzid: unknown = event.getFirstProperty(name)?.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : undefined;
}

function textOf(event: ICAL.Component, name: 'status' | 'transp' | 'uid'): string {
  const value: unknown = event.getFirstPropertyValue(name);
  return typeof value === 'string' ? (name === 'uid' ? value : value.trim().toUpperCase()) : '';
}
