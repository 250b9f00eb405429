/** Which date it is at a property. The only code that reads the timezone database. */
import { toEpochDay, type EpochDay } from './local-date.ts';

const MS_PER_MINUTE = 60_000;
const IANA_NAME = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/;

/** Intl also takes old abbreviations and families that the IANA database never had ("PST", "SystemV/PST8"). */
const NOT_IANA = /^(?!CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)[A-Z]{3}$|^SystemV\//;

interface ZoneClock {
  readonly formatter: Intl.DateTimeFormat;
  minute: number;
  today: EpochDay;
}

/** One per zone in use; only zones of the timezone database get in, so there are some hundreds at most. */
const zoneClocks = new Map<string, ZoneClock>();

/** Whether `name` is a zone of the IANA database in its own spelling; an offset such as `+01:00` is none. */
export function isTimezone(name: string): boolean {
  return findZoneClock(name) !== undefined;
}

/**
 * The local date in `timezone` at the instant `nowMs` (Unix ms). Throws on a zone that `isTimezone` refuses.
 *
 * Remembered per zone for one minute: since 1972 no zone has changed its date within a minute. The minute itself is
 * the key, so an instant before the last one is answered as correctly as one after it.
 */
export function localToday(timezone: string, nowMs: number): EpochDay {
  const clock = findZoneClock(timezone);
  if (clock === undefined) throw new RangeError(`not a timezone: ${timezone}`);
  const minute = Math.floor(nowMs / MS_PER_MINUTE);
  if (clock.minute !== minute) {
    clock.today = localDay(clock.formatter, nowMs);
    clock.minute = minute;
  }
  return clock.today;
}

function findZoneClock(name: string): ZoneClock | undefined {
  const known = zoneClocks.get(name);
  if (known !== undefined) return known;
  const formatter = findFormatter(name);
  if (formatter === undefined) return undefined;
  const clock: ZoneClock = { formatter, minute: Number.NaN, today: 0 };
  zoneClocks.set(name, clock);
  return clock;
}

function findFormatter(name: string): Intl.DateTimeFormat | undefined {
  if (!IANA_NAME.test(name) || NOT_IANA.test(name)) return undefined;
  try {
    const formatter = makeFormatter(name);
    const resolved = formatter.resolvedOptions().timeZone;
    // An alias may resolve to another name; the same name in other letters ("Europe/ROME") is a misspelling.
    const isMisspelt = resolved !== name && resolved.toLowerCase() === name.toLowerCase();
    return isMisspelt ? undefined : formatter;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function makeFormatter(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
}

function localDay(formatter: Intl.DateTimeFormat, nowMs: number): EpochDay {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatter.formatToParts(nowMs)) parts[type] = value;
  return toEpochDay(Number(parts.year), Number(parts.month), Number(parts.day));
}
