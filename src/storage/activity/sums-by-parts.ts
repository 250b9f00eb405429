/** Sums of parts of the days as sums of all days. */
import type { DemandName, DemandSum, PlaceSum, TrafficName, TrafficSum } from './store.ts';

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

/** The same. */
export function addUpPlaces(parts: readonly (readonly PlaceSum[])[]): readonly PlaceSum[] {
  return addUp(['place'], parts, (sum: Changeable<PlaceSum>, { searches }) => {
    sum.searches += searches;
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
