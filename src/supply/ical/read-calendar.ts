/**
 * Reads which nights a calendar closes, as other platforms publish it. Only nights matter: between fetches, platforms
 * divide the same stays into other events, keep a UID when dates change, and drop past stays.
 */
import ICAL from 'ical.js';
import type { EpochDay } from '../../domain/local-date.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';
import { type NightRuns, overlayRuns, type Overlay } from '../../domain/night-runs.ts';
import {
  CALENDAR_BYTES_MAX,
  CALENDAR_MB_MAX,
  CalendarProblem,
  cutCalendar,
  propertyOf,
} from './calendar-text.ts';
import { contradictionIn } from './event-lines.ts';
import { checkTimes } from './calendar-times.ts';
import { CalendarPoints } from './calendar-points.ts';
import { CalendarZones } from './calendar-zones.ts';
import {
  busyNights,
  closesNothing,
  isOwn,
  type Nights,
  nightsBetween,
  readTimes,
  uidOf,
} from './event-nights.ts';
import { CALENDAR_STEPS_MAX } from './recurrences.ts';
import { changeOf, isSeries, nightsOfSeries, type SeriesChange, type SeriesRules } from './series-nights.ts';

export interface CalendarReadOptions {
  /** IANA timezone of the property. */
  readonly timezone: string;
  /** Nights before `from` and from `until` on are left out. */
  readonly from: EpochDay;
  readonly until: EpochDay;
  /** `ownEventMark`: events with it in their UID are ignored. */
  readonly ownMark?: string;
}

export type ReadCalendar =
  | {
      readonly ok: true;
      /** Runs of the value 1. */
      readonly closed: NightRuns;
      readonly eventCount: number;
      /** Our own events among them. */
      readonly ownCount: number;
      /** Names of components and lines that may mean something and are not read. */
      readonly leftOut: readonly string[];
    }
  /** Why the bytes are not a usable calendar: the value of `calendarUnusable`. */
  | { readonly ok: false; readonly problem: Told };

/** Never throws, whatever the bytes are; a calendar is read in full or not at all. */
export function readCalendar(bytes: Uint8Array, options: CalendarReadOptions): ReadCalendar {
  try {
    return read(bytes, options);
  } catch (error) {
    if (error instanceof CalendarProblem) return { ok: false, problem: error.wrong };
    throw error;
  }
}

function read(bytes: Uint8Array, options: CalendarReadOptions): ReadCalendar {
  if (bytes.byteLength > CALENDAR_BYTES_MAX)
    throw new CalendarProblem(new Wrong('calendarLarge', { max: CALENDAR_MB_MAX }));
  // Invalid UTF-8 occurs in names and descriptions, which are not used.
  const { events, zones, leftOut } = cutCalendar(new TextDecoder().decode(bytes));
  const components = events.map(parseEvent);
  const points = new CalendarPoints(options.timezone, new CalendarZones(options.timezone, zones));
  const rules: SeriesRules = {
    ...options,
    points,
    changes: readChanges(components, points),
    budget: { left: CALENDAR_STEPS_MAX },
  };
  const closed: Overlay[] = [];
  let ownCount = 0;
  for (const [index, component] of components.entries()) {
    if (isOwn(component, options.ownMark)) {
      ownCount += 1;
      continue;
    }
    for (const { from, until } of named(index, () => nightsOf(component, rules))) {
      const clipped = { from: Math.max(from, options.from), until: Math.min(until, options.until), value: 1 };
      if (clipped.from < clipped.until) closed.push(clipped);
    }
  }
  return { ok: true, closed: overlayRuns(closed), eventCount: events.length, ownCount, leftOut };
}

function nightsOf(event: ICAL.Component, rules: SeriesRules): readonly Nights[] {
  if (event.name === 'vfreebusy') return busyNights(event, rules.points);
  if (closesNothing(event)) return [];
  if (isSeries(event)) return nightsOfSeries(event, rules);
  const { start, endOf } = readTimes(event, rules.points);
  return [nightsBetween(start, endOf(start), rules.points)];
}

function readChanges(
  events: readonly ICAL.Component[],
  points: CalendarPoints,
): Map<string, readonly SeriesChange[]> {
  const series = new Set(events.filter((event) => isSeries(event)).map((event) => uidOf(event)));
  const changes = events.flatMap((event, index) => named(index, () => changeOf(event, series, points)) ?? []);
  return Map.groupBy(changes, ({ uid }) => uid);
}

function parseEvent(event: string, index: number): ICAL.Component {
  return named(index, () => {
    const lines = event.split('\r\n').map(checkTimes);
    const wrong = contradictionIn(lines.map((line) => [propertyOf(line), line]));
    if (wrong !== undefined) throw new CalendarProblem(wrong);
    const text = lines.join('\r\n');
    try {
      return new ICAL.Component(ICAL.parse(text) as unknown[]);
    } catch {
      throw whatIsWrong(text);
    }
  });
}

/** Names the property of an event that can't be parsed, never its value, which may name a guest. */
function whatIsWrong(event: string): CalendarProblem {
  const [begin, ...lines] = event.split('\r\n');
  const end = lines.pop();
  const wrong = lines.find((line) => !canParse([begin, line, end].join('\r\n')));
  return wrong === undefined
    ? new CalendarProblem(new Wrong('unreadable'))
    : new CalendarProblem(new Wrong('lineUnreadable', { name: propertyOf(wrong) }));
}

function canParse(event: string): boolean {
  try {
    ICAL.parse(event);
    return true;
  } catch {
    return false;
  }
}

/** Errors of the library quote the bytes, which can be anything. This keeps them out of lists and logs. */
function named<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = error instanceof CalendarProblem ? error.wrong : new Wrong('unreadable');
    throw new CalendarProblem(new Wrong('ofEvent', { number: index + 1, why }));
  }
}
