/** Parses times that an operator types: durations such as `24h`, and RFC 3339 instants. */
import { parseLocalDate } from '../domain/local-date.ts';

/** The last instant that RFC 3339 can write in UTC. */
export const INSTANT_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,6})([smhd])$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds of `90s`, `30m`, `24h` or `7d`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

/**
 * Unix milliseconds of an RFC 3339 date-time (section 5.6), with `Z` or an offset; undefined for anything else. A
 * fraction is cut to milliseconds. Leap seconds are refused: Unix time lacks them.
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const day = parseLocalDate(match[1] ?? '');
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4])];
  const [offsetHour, offsetMinute] = [Number(match[7] ?? 0), Number(match[8] ?? 0)];
  if (day === undefined || hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) {
    return undefined;
  }
  const localMs = day * UNIT_MS.d + hour * UNIT_MS.h + minute * UNIT_MS.m + second * UNIT_MS.s;
  const offsetMs = (offsetHour * UNIT_MS.h + offsetMinute * UNIT_MS.m) * (match[6] === '-' ? -1 : 1);
  return localMs + Math.floor(Number(match[5] ?? 0) * 1000) - offsetMs;
}

/** `2026-12-01T00:00:00.000Z`, or null for null. */
export function formatInstant(instantMs: number): string;
export function formatInstant(instantMs: number | null): string | null;
export function formatInstant(instantMs: number | null): string | null {
  return instantMs === null ? null : new Date(instantMs).toISOString();
}
