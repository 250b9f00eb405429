/** `?from=&to=`: the days of a report, UTC, both included. */
import { type EpochDay, parseLocalDate, utcDay } from '../domain/local-date.ts';

export interface AskedDays {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

/** As the commands show unless other days are asked for. */
const DAYS_SHOWN = 30;
/** Of more, the last are shown. */
export const DAYS_SHOWN_MAX = 92;

/** A date that can't be read is taken as absent. */
export function readDays(query: URLSearchParams, nowMs: number): AskedDays {
  const from = parseLocalDate(query.get('from') ?? '');
  const asked = parseLocalDate(query.get('to') ?? '');
  const to = Math.max(asked ?? Math.max(utcDay(nowMs), from ?? 0), from ?? 0);
  return { from: Math.max(from ?? to - DAYS_SHOWN + 1, to - DAYS_SHOWN_MAX + 1), to };
}

/** A longer text is taken as absent. */
export const NAME_LENGTH_MAX = 200;

/** Undefined where it is absent, or no name. */
export function readName(query: URLSearchParams, name: string): string | undefined {
  const text = (query.get(name) ?? '').trim();
  return text === '' || text.length > NAME_LENGTH_MAX || text.includes('\0') ? undefined : text;
}
