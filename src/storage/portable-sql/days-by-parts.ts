/**
 * Reads over many days, some days at a time. SQLite adds up on the thread that asks: the rows of a few days stay in the
 * processor's cache, and others get their turn before the next ones.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EpochDay } from '../../domain/local-date.ts';
import { type Program, type ProgramRunner, rows } from './program.ts';

export interface Days {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
}

/** A table of days, and how long one is in its column; with an index by that column. */
export interface DayTable {
  readonly name: string;
  readonly time: string;
  readonly unit: number;
  /** Of the rows that its index holds. */
  readonly condition?: string;
}

export interface PartsOptions {
  readonly read: ProgramRunner['read'];
  /** Of one statement; Infinity: all. */
  readonly daysAtOnce: number;
  /** What is read: days before and after all their rows are left out, however many are asked for. */
  readonly tables: readonly DayTable[];
}

/** What is read of each part of the days, in their order. */
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

/** From the first to the last of the days that has rows. */
export function* readActiveDays(tables: readonly DayTable[], { from, to }: Days): Program<Days | undefined> {
  // The first and the last each by themselves: both at once would look at every row.
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
