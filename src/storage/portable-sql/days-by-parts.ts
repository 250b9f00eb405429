/**
 * Reads over many days, a few days at a time. SQLite adds up on the calling thread: the rows of a few days fit in the
 * processor's cache, and other work runs between the parts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EpochDay } from '../../domain/local-date.ts';
import { type Program, type ProgramRunner, rows } from './program.ts';

export interface Days {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
}

/** Days of one partner, or of all. */
export interface PartnerDays extends Days {
  readonly partnerId?: string | undefined;
}

/** A table of days, and the length of a day in its time column; the column has an index. */
export interface DayTable {
  readonly name: string;
  readonly time: string;
  readonly unit: number;
  /** The condition of a partial index: limits the read to the rows that the index holds. */
  readonly condition?: string;
}

export interface PartsOptions {
  readonly read: ProgramRunner['read'];
  /** Days per statement; Infinity: all. */
  readonly daysAtOnce: number;
  /** Tables to read. Days before their first and after their last row are skipped, however wide the range. */
  readonly tables: readonly DayTable[];
}

/** The results of each part of the days, in order. */
export async function readByParts<Range extends Days, Part>(
  range: Range,
  { read, daysAtOnce, tables }: PartsOptions,
  readPart: (part: Range) => Program<Part>,
): Promise<readonly Part[]> {
  if (range.to - range.from < daysAtOnce) return [await read(readPart(range))];
  const parts: Part[] = [];
  const days = await read(readActiveDays(tables, range));
  if (days === undefined) return parts;
  for (let { from } = days; from <= days.to; from += daysAtOnce) {
    if (from > days.from) await nextTurn();
    parts.push(await read(readPart({ ...range, from, to: Math.min(days.to, from + daysAtOnce - 1) })));
  }
  return parts;
}

/** From the first to the last of these days that has rows. */
export function* readActiveDays(tables: readonly DayTable[], { from, to }: Days): Program<Days | undefined> {
  // One query for the first day and one for the last: a single query for both would read every row.
  const ends = tables.flatMap(({ name, time, unit, condition = 'TRUE' }) =>
    ['min', 'max'].map((end) => ({
      sql: `SELECT ${end}(${time}) / ${unit} AS day FROM ${name} WHERE ${condition} AND ${time} >= ? AND ${time} < ?`,
      values: [from * unit, (to + 1) * unit],
    })),
  );
  const found = yield* rows<{ readonly day: number | null }>(
    ends.map(({ sql }) => sql).join(' UNION ALL '),
    ends.flatMap(({ values }) => values),
  );
  const days = found.flatMap(({ day }) => day ?? []);
  return days.length === 0 ? undefined : { from: Math.min(...days), to: Math.max(...days) };
}
