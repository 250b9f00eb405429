/**
 * Sums over many days, some days at a time. SQLite sorts the rows of a sum on the thread that asks: those of a few days
 * stay in the processor's cache, and others get their turn before the next ones.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DayRange, DemandName, DemandSum, TrafficName, TrafficSum } from './store.ts';

type Days = Pick<DayRange, 'from' | 'to'>;

/** Sums of each part of the days, those of one name from each part where there are any. */
export async function sumByParts<Range extends Days, Sum>(
  range: Range,
  daysAtOnce: number,
  sum: (part: Range) => Promise<readonly Sum[]>,
): Promise<readonly (readonly Sum[])[]> {
  const parts: (readonly Sum[])[] = [];
  for (let from = range.from; from <= range.to; from += daysAtOnce) {
    if (from > range.from) await nextTurn();
    parts.push(await sum({ ...range, from, to: Math.min(range.to, from + daysAtOnce - 1) }));
  }
  return parts;
}

/** Parts as one list: one row for each combination of names. Rows of the parts are changed and handed out. */
export function addUpDemand<Name extends DemandName>(
  by: readonly Name[],
  parts: readonly (readonly DemandSum<Name>[])[],
): readonly DemandSum<Name>[] {
  return addUp(by, parts, (sum: Changeable<DemandSum<Name>>, { searches, empty, looks }) => {
    sum.searches += searches;
    sum.empty += empty;
    sum.looks += looks;
  });
}

/** The same. */
export function addUpTraffic<Name extends TrafficName>(
  by: readonly Name[],
  parts: readonly (readonly TrafficSum<Name>[])[],
): readonly TrafficSum<Name>[] {
  return addUp(by, parts, ({ durations }: { readonly durations: number[] }, more) => {
    for (let bucket = 0; bucket < durations.length; bucket += 1)
      durations[bucket]! += more.durations[bucket]!;
  });
}

type Changeable<Row> = { -readonly [Column in keyof Row]: Row[Column] };

function addUp<Row extends object, Sum>(
  by: readonly string[],
  parts: readonly (readonly Row[])[],
  add: (sum: Sum, more: Row) => void,
): readonly Row[] {
  // No two parts have a day in common.
  if (parts.length <= 1 || by.includes('day')) return parts.flat();
  const sums = new Map<string, Row>();
  for (const row of parts.flat()) {
    // No name has this character: PostgreSQL could not store it.
    const key = by.map((name) => String(row[name as keyof Row])).join('\0');
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, row);
    else add(sum as unknown as Sum, row);
  }
  return [...sums.values()];
}
