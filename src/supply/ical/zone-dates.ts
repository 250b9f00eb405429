/**
 * The local date of a calendar's time, in the timezone of a property. Zones are those of the IANA database. The rules
 * in a file are not evaluated: they are wrong more often than its zone name is.
 */
import { DAY_MS, type EpochDay, isTimezone, localToday, toEpochDay } from '../../domain/local-date.ts';
import type ICAL from 'ical.js';

const MINUTE_MS = 60_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

export interface ZoneRules {
  /** IANA timezone of the property. */
  readonly timezone: string;
  readonly zoneAliases: ReadonlyMap<string, string>;
}

/**
 * A date needs no conversion. A local time is in the zone that it names, or in the property's if it names none or an
 * unknown one.
 */
export function localDateOf(time: ICAL.Time, tzid: string | undefined, rules: ZoneRules): EpochDay {
  const day = toEpochDay(time.year, time.month, time.day);
  if (time.isDate) return day;
  const zone = time.zone.tzid === 'UTC' ? 'UTC' : findZone(tzid, rules.zoneAliases);
  if (zone === undefined || zone === rules.timezone) return day;
  const wallMs = day * DAY_MS + ((time.hour * 60 + time.minute) * 60 + time.second) * 1000;
  return localToday(rules.timezone, zone === 'UTC' ? wallMs : instantOf(wallMs, zone));
}

/** `/mozilla.org/20050126_1/Europe/Paris` is Europe/Paris. */
function findZone(tzid: string | undefined, aliases: ReadonlyMap<string, string>): string | undefined {
  if (tzid === undefined) return undefined;
  const tail = tzid.split('/').slice(-2).join('/');
  return [tzid, tail, aliases.get(tzid)].find((name) => name !== undefined && isTimezone(name));
}

/** The instant of local time in the zone; within an hour that the clock skips or repeats, one of the two. */
function instantOf(wallMs: number, zone: string): number {
  const guessMs = wallMs - offsetMs(wallMs, zone);
  return wallMs - offsetMs(guessMs, zone);
}

function offsetMs(instantMs: number, zone: string): number {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatter.formatToParts(instantMs)) parts[type] = value;
  const day = toEpochDay(Number(parts.year), Number(parts.month), Number(parts.day));
  const shownMs = day * DAY_MS + (Number(parts.hour) * 60 + Number(parts.minute)) * MINUTE_MS;
  return shownMs - Math.floor(instantMs / MINUTE_MS) * MINUTE_MS;
}
