/**
 * Timezones that a calendar names. A name of the IANA database comes first, then a Windows name, then the name beside
 * the file's own rules, and these rules last: they are wrong more often than the names are.
 */
import ICAL from 'ical.js';
import { findIana } from 'windows-iana';
import { DAY_MS, isTimezone, MINUTE_MS } from '../../domain/local-date.ts';
import { offsetMsOf } from '../../domain/local-instant.ts';
import type { FileZone } from './calendar-text.ts';
import { checkTimes, readPoint } from './calendar-times.ts';

/** Rules as real files have them. Rarer ones could make the library search for ever. */
const ZONE_RULE =
  /^(FREQ=YEARLY|BYMONTH=\d{1,2}|BYDAY=[+-]?[1-5]?(SU|MO|TU|WE|TH|FR|SA)|UNTIL=[0-9TZ]+|INTERVAL=1|WKST=[A-Z]{2})$/;
const ZONE_LINES_MAX = 1_000;

/** Local time is a number: the Unix ms at which UTC shows the same date and time. */
export interface Zone {
  /** The first of two where an hour repeats; as before the change where an hour is skipped (RFC 5545 3.3.5). */
  instantOf(wallMs: number): number;
  wallOf(instantMs: number): number;
}

export const UTC: Zone = { instantOf: (wallMs) => wallMs, wallOf: (instantMs) => instantMs };

/** The zones of one calendar, for a property in `timezone`. */
export class CalendarZones {
  readonly property: Zone;
  readonly #fileZones: ReadonlyMap<string, FileZone>;
  readonly #zones = new Map<string, Zone | undefined>();

  constructor(timezone: string, fileZones: ReadonlyMap<string, FileZone>) {
    this.property = namedZone(timezone);
    this.#zones.set(timezone, this.property);
    this.#fileZones = fileZones;
  }

  /** Undefined for a name that neither the databases nor the file know. */
  find(tzid: string): Zone | undefined {
    if (!this.#zones.has(tzid)) this.#zones.set(tzid, this.#read(tzid));
    return this.#zones.get(tzid);
  }

  #read(tzid: string): Zone | undefined {
    const fileZone = this.#fileZones.get(tzid);
    const name = nameOf(tzid) ?? nameOf(fileZone?.location ?? '');
    // One object for each zone: two times of one zone differ by what their clocks show.
    if (name !== undefined) return name === tzid ? namedZone(name) : this.find(name);
    return fileZone === undefined ? undefined : readFileZone(fileZone.lines);
  }
}

/** `/mozilla.org/20050126_1/Europe/Paris` is Europe/Paris. */
function nameOf(tzid: string): string | undefined {
  const tail = tzid.split('/').slice(-2).join('/');
  return [tzid, tail, ...findIana(tzid).slice(0, 1)].find((name) => isTimezone(name));
}

function namedZone(name: string): Zone {
  return zoneOf((wallMs) => {
    const before = wallMs - offsetMs(wallMs - DAY_MS, name);
    if (before + offsetMs(before, name) === wallMs) return before;
    const after = wallMs - offsetMs(wallMs + DAY_MS, name);
    return after + offsetMs(after, name) === wallMs ? after : before;
  });
}

/** Undefined if the rules are not of the ordinary kind. */
function readFileZone(lines: readonly string[]): Zone | undefined {
  if (lines.length > ZONE_LINES_MAX || !lines.every(isOrdinary)) return undefined;
  try {
    const text = lines.map((line) => (ruleOf(line) === undefined ? checkTimes(line) : line)).join('\r\n');
    const rules = new ICAL.Timezone(new ICAL.Component(ICAL.parse(text) as unknown[]));
    const zone = zoneOf((wallMs) => {
      const wall = ICAL.Time.fromDateTimeString(new Date(wallMs).toISOString().slice(0, 19));
      return wallMs - rules.utcOffset(wall) * 1000;
    });
    zone.instantOf(0);
    return zone;
  } catch {
    return undefined;
  }
}

function isOrdinary(line: string): boolean {
  const rule = ruleOf(line);
  if (rule === undefined) return true;
  const parts = rule.toUpperCase().split(';');
  const names = parts.map((part) => part.split('=')[0]);
  return new Set(names).size === names.length && parts.every((part) => isOrdinaryPart(part));
}

function isOrdinaryPart(part: string): boolean {
  const until = /^UNTIL=(.*)$/.exec(part)?.[1];
  return ZONE_RULE.test(part) && (until === undefined || readPoint(until, false) !== undefined);
}

function ruleOf(line: string): string | undefined {
  return /^RRULE:(.*)$/i.exec(line)?.[1];
}

function zoneOf(instantOf: (wallMs: number) => number): Zone {
  return {
    instantOf,
    wallOf(instantMs) {
      const nearlyMs = instantMs + (instantMs - instantOf(instantMs));
      return instantMs + (nearlyMs - instantOf(nearlyMs));
    },
  };
}

/** In whole minutes, as calendars write offsets. */
function offsetMs(instantMs: number, zone: string): number {
  return Math.floor(offsetMsOf(zone, instantMs) / MINUTE_MS) * MINUTE_MS;
}
