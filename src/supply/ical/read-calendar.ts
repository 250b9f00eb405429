/**
 * Reads a calendar as other platforms publish it: which nights it closes. Nights are all that counts: platforms cut the
 * same stays into other events from one fetch to the next, keep a UID when dates change, and forget what is past.
 */
import ICAL from 'ical.js';
import type { EpochDay } from '../../domain/local-date.ts';
import { type NightRuns, overlayRuns, type Overlay } from '../../domain/night-runs.ts';
import { CALENDAR_BYTES_MAX, CalendarProblem, cutCalendar, propertyOf } from './calendar-text.ts';
import { checkTimes } from './calendar-times.ts';
import { type EventNights, isOwn, nightsOfEvent, overriddenBy } from './event-nights.ts';
import { CALENDAR_STEPS_MAX } from './recurrences.ts';

export interface CalendarReadOptions {
  /** Of the property. */
  readonly timezone: string;
  /** Nights before `from` and from `until` on are left out. */
  readonly from: EpochDay;
  readonly until: EpochDay;
  /** `ownEventMark`: events with it in their UID close nothing. */
  readonly ownMark?: string;
}

export type ReadCalendar =
  | {
      readonly ok: true;
      /** Runs of the value 1. */
      readonly closed: NightRuns;
      readonly eventCount: number;
      /** Events of them that are our own. */
      readonly ownCount: number;
    }
  /** Why the bytes are not a calendar that can be used, after "the calendar can't be used: ". */
  | { readonly ok: false; readonly problem: string };

/** Never throws, whatever the bytes are; a calendar that can't be read as a whole is not read at all. */
export function readCalendar(bytes: Uint8Array, options: CalendarReadOptions): ReadCalendar {
  try {
    return read(bytes, options);
  } catch (error) {
    if (error instanceof CalendarProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

function read(bytes: Uint8Array, options: CalendarReadOptions): ReadCalendar {
  if (bytes.byteLength > CALENDAR_BYTES_MAX) throw new CalendarProblem('it is larger than 5 MB');
  // Bytes that are not UTF-8 are in names and descriptions, which are not used.
  const { events, zoneAliases } = cutCalendar(new TextDecoder().decode(bytes));
  const components = events.map(parseEvent);
  const rules: EventNights = {
    ...options,
    zoneAliases,
    overridden: new Set(
      components.flatMap((component, index) => named(index, () => overriddenBy(component))),
    ),
    budget: { left: CALENDAR_STEPS_MAX },
  };
  const closed: Overlay[] = [];
  let ownCount = 0;
  for (const [index, component] of components.entries()) {
    if (isOwn(component, options.ownMark)) {
      ownCount += 1;
      continue;
    }
    for (const { from, until } of named(index, () => nightsOfEvent(component, rules))) {
      const clipped = { from: Math.max(from, options.from), until: Math.min(until, options.until), value: 1 };
      if (clipped.from < clipped.until) closed.push(clipped);
    }
  }
  return { ok: true, closed: overlayRuns(closed), eventCount: events.length, ownCount };
}

function parseEvent(event: string, index: number): ICAL.Component {
  return named(index, () => {
    const text = event.split('\r\n').map(checkTimes).join('\r\n');
    try {
      return new ICAL.Component(ICAL.parse(text) as unknown[]);
    } catch {
      throw new CalendarProblem(whatIsWrong(text));
    }
  });
}

/** The property of an event that can't be parsed; never its value, which may say who comes. */
function whatIsWrong(event: string): string {
  const [begin, ...lines] = event.split('\r\n');
  const end = lines.pop();
  const wrong = lines.find((line) => !canParse([begin, line, end].join('\r\n')));
  return wrong === undefined ? 'it cannot be read' : `its ${propertyOf(wrong)} cannot be read`;
}

function canParse(event: string): boolean {
  try {
    ICAL.parse(event);
    return true;
  } catch {
    return false;
  }
}

/** What the library throws is about the bytes, and quotes them: they come from anywhere, and go to lists and logs. */
function named<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof CalendarProblem ? error.message : 'it cannot be read';
    throw new CalendarProblem(`event ${index + 1}: ${reason}`);
  }
}
