/** Instants of a timezone: when a local date ends, and an instant as the zone's clocks show it, with its offset. */
import { DAY_MS, type EpochDay, HOUR_MS, MINUTE_MS, toEpochDay, utcDay } from './local-date.ts';

const SECOND_MS = 1_000;
/** No zone is further from UTC. */
const OFFSET_MS_MAX = 16 * HOUR_MS;

/** One per zone in use. Only zones of the timezone database get in: some hundreds at most. */
const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** The ends of so many dates are remembered: most offers are about the same few hundred. */
const ENDS_KEPT_MAX = 10_000;
const ends = new Map<string, string>();

/** The end of a local date, as `2026-11-27T23:59:59+01:00`. */
export function formatEndOfLocalDay(timezone: string, day: EpochDay): string {
  const key = `${timezone} ${day}`;
  let text = ends.get(key);
  if (text === undefined) {
    text = formatLocalInstant(timezone, endOfLocalDay(timezone, day));
    if (ends.size >= ENDS_KEPT_MAX) ends.clear();
    ends.set(key, text);
  }
  return text;
}

/**
 * The last second of a local date, Unix ms: one second before the next date begins. Clocks that are put back past
 * midnight make the date longer, a skipped midnight ends it all the same, and a date that a zone skips ends with the
 * one before it.
 */
export function endOfLocalDay(timezone: string, day: EpochDay): number {
  const isOver = (ms: number): boolean => utcDay(ms + offsetMsOf(timezone, ms)) > day;
  const midnight = (day + 1) * DAY_MS;
  const guessed = midnight - offsetMsOf(timezone, midnight);
  if (isOver(guessed) && !isOver(guessed - SECOND_MS)) return guessed - SECOND_MS;
  let last = midnight - OFFSET_MS_MAX;
  let next = midnight + OFFSET_MS_MAX;
  // Clocks change at whole minutes.
  while (next - last > MINUTE_MS) {
    const middle = last + Math.floor((next - last) / (2 * MINUTE_MS)) * MINUTE_MS;
    if (isOver(middle)) next = middle;
    else last = middle;
  }
  return next - SECOND_MS;
}

/** `2026-11-27T23:59:59+01:00`: the clock of the zone at an instant (Unix ms), and the offset then in force. */
export function formatLocalInstant(timezone: string, ms: number): string {
  const offsetMs = offsetMsOf(timezone, ms);
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const sign = offsetMs < 0 ? '-' : '+';
  const clock = new Date(ms + offsetMs).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  return `${clock}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Milliseconds by which the clocks of the zone are ahead of UTC at an instant. */
export function offsetMsOf(timezone: string, ms: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of wallClockOf(timezone).formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  const shownMs =
    toEpochDay(year, month, day) * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
  return shownMs - Math.floor(ms / SECOND_MS) * SECOND_MS;
}

function wallClockOf(timezone: string): Intl.DateTimeFormat {
  let wallClock = wallClocks.get(timezone);
  if (wallClock === undefined) {
    wallClock = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: timezone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
    wallClocks.set(timezone, wallClock);
  }
  return wallClock;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
