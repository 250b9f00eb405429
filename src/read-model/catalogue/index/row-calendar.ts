/** Reads one row of bits back as what it was written from: for reasons, where a search needs only a yes or no. */
import { type Calendar, makeCalendar } from '../../../domain/calendar.ts';
import type { CalendarField } from '../../../domain/calendar-fields.ts';
import type { HostingType } from '../../../domain/eligibility.ts';
import type { EpochDay } from '../../../domain/local-date.ts';
import type { NightRun } from '../../../domain/night-runs.ts';
import { STAY_GUESTS_MAX } from '../../../domain/stay-limits.ts';
import type { StayLines } from './block-search.ts';
import type { Block } from './block.ts';
import { LIMIT_FIELDS, type LimitField, limitOfNumber } from './night-limits.ts';
import { openLine } from './open-nights.ts';

const IS_LIMIT: ReadonlySet<string> = new Set(LIMIT_FIELDS);

/**
 * The calendar of the nights of these lines, without rates. Open nights have one unit, all others none; a night that the
 * block does not hold has nothing. Minimum stays above 60 nights are 61.
 */
export function readRowCalendar(block: Block, row: number, lines: StayLines): Calendar {
  const { open, limits } = block.lines;
  return makeCalendar((field) => {
    if (field === 'availability')
      return readRuns(block, lines, (line) => (open.has(openLine(line), row) ? 1 : undefined));
    if (!IS_LIMIT.has(field)) return [];
    const limit = field as LimitField & CalendarField;
    const numbers = limits[limit];
    if (!numbers.canExceed(0)) return [];
    return readRuns(block, lines, (line) => limitOfNumber(limit, numbers.numberAt(line, row)));
  });
}

function readRuns(
  block: Block,
  { checkIn, checkOut, nights }: StayLines,
  valueOf: (line: number) => number | undefined,
): NightRun[] {
  const runs: { from: EpochDay; until: EpochDay; value: number }[] = [];
  const until = Math.min(checkOut, block.nightsUntil);
  let last: (typeof runs)[number] | undefined;
  for (let night = Math.max(checkIn, block.nightsFrom); night < until; night++) {
    const value = valueOf(nights[night - checkIn]!);
    if (value === undefined) continue;
    if (last?.until === night && last.value === value) last.until = night + 1;
    else runs.push((last = { from: night, until: night + 1, value }));
  }
  return runs;
}

/** Above 30 guests no type differs from another. */
export function readRowType(block: Block, row: number, timezone: string): HostingType {
  const { guests, advance } = block.lines;
  let guestsMax = 1;
  while (guestsMax < STAY_GUESTS_MAX && guests.has(guestsMax, row)) guestsMax++;
  return { guestsMax, ...advance.windowOf(timezone, row) };
}
