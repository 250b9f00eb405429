/** Demand and traffic over days, added up by the database: a million rows return as a few hundred. */
import { DAY_MS } from '../../domain/local-date.ts';
import { type Program, rows, type Value } from '../portable-sql/program.ts';
import { columnOf } from '../portable-sql/stored-row.ts';
import {
  type DayRange,
  type DemandName,
  type DemandRange,
  type DemandSum,
  DURATION_BUCKETS,
  type PlaceSum,
  type TrafficName,
  type TrafficRow,
  type TrafficSum,
} from './store.ts';

export const DURATION_COLUMNS = Array.from({ length: DURATION_BUCKETS }, (_, bucket) => `d${bucket}`);

/** A table whose rows can be grouped and added up. */
interface Summed<Name extends string> {
  /** Columns of the primary key in its order, without the leading time. */
  readonly names: readonly Name[];
  readonly sums: readonly string[];
}

const DEMAND: Summed<Exclude<DemandName, 'day'>> = {
  names: ['city', 'country', 'arrivalWeek', 'nights', 'guests', 'partnerId'],
  sums: ['searches', 'empty', 'looks'],
};

const TRAFFIC: Summed<Exclude<TrafficName, 'day'>> = {
  names: ['partnerId', 'credentialId', 'operation', 'code'],
  sums: DURATION_COLUMNS,
};

/** Whether rows come in the order of these names within a day, so that only sums of days are sorted. */
function isInKeyOrder(names: readonly string[], by: readonly string[]): boolean {
  return names.slice(0, by.length).join() === by.join();
}

interface Part {
  readonly table: string;
  /** The column that begins the key, and how it becomes a day. */
  readonly time: string;
  readonly day: string;
  /** With a place for each of `values`. */
  readonly where: string;
  readonly values: readonly Value[];
}

export function* sumDemand<Name extends DemandName>(
  by: readonly Name[],
  range: Omit<DemandRange, 'rowsMax'>,
): Program<DemandSum<Name>[]> {
  const { where, values } = demandCondition(range);
  const part: Part = { table: 'demand_days', time: 'day', day: 'day', where, values };
  const found = yield* rows<DemandSum<Name>>(sumText(DEMAND, by, [part]), values);
  return found.map((row) => ({ ...row }));
}

/** Which rows of `demand_days`: text that follows `WHERE`. */
export function demandCondition({ from, to, partnerId, country, cities }: Omit<DemandRange, 'rowsMax'>): {
  readonly where: string;
  readonly values: readonly Value[];
} {
  const filters: readonly (readonly [string, readonly Value[] | undefined])[] = [
    ['partner_id', partnerId === undefined ? undefined : [partnerId]],
    ['country', country === undefined ? undefined : [country]],
    ['city', cities],
  ];
  const asked = filters.flatMap(([name, values]) => (values === undefined ? [] : [{ name, values }]));
  const conditions = asked.map(({ name, values }) => ` AND ${name} IN (${values.map(() => '?').join(', ')})`);
  return {
    where: `day BETWEEN ? AND ?${conditions.join('')}`,
    values: [from, to, ...asked.flatMap(({ values }) => values)],
  };
}

/** Names that `traffic_sums` can be grouped by. */
const KEPT_NAMES: ReadonlySet<TrafficName> = new Set(['day', 'operation', 'code']);

/** Every day up to this one is in `traffic_sums`; -1: none is. */
export function* readLastKeptDay(): Program<number> {
  const [last] = yield* rows<{ readonly at: number | null }>('SELECT max(from_ms) AS at FROM traffic_sums');
  return last?.at == null ? -1 : Math.floor(last.at / DAY_MS);
}

export function* sumTraffic<Name extends TrafficName>(
  by: readonly Name[],
  { from, to, partnerId }: Omit<DayRange, 'rowsMax'>,
): Program<TrafficSum<Name>[]> {
  const ofPartner = partnerId === undefined ? '' : ' AND partner_id = ?';
  const partOf = (table: string, first: number, last: number): Part => ({
    table,
    time: 'from_ms',
    day: `from_ms / ${DAY_MS}`,
    where: `from_ms >= ? AND from_ms < ?${ofPartner}`,
    values: [first * DAY_MS, (last + 1) * DAY_MS, ...(partnerId === undefined ? [] : [partnerId])],
  });
  const isKept = partnerId === undefined && by.every((name) => KEPT_NAMES.has(name));
  const lastKept = isKept ? yield* readLastKeptDay() : -1;
  const parts: readonly Part[] = [
    ...(isKept ? [partOf('traffic_sums', from, Math.min(to, lastKept))] : []),
    partOf('traffic_days', Math.max(from, lastKept + 1), to),
    partOf('traffic_minutes', from, to),
  ];
  type Names = Pick<TrafficRow & { readonly day: number }, Name>;
  const found = yield* rows<Names & Readonly<Record<string, number>>>(
    sumText(TRAFFIC, by, parts),
    parts.flatMap(({ values }) => values),
  );
  return found.map((row) => {
    const names = Object.fromEntries(by.map((name): [string, unknown] => [name, row[name]])) as Names;
    return { ...names, durations: DURATION_COLUMNS.map((column) => row[column]!) };
  });
}

/** Sums are cast, because PostgreSQL makes them of a type that it writes as text. */
function sumText<Name extends string>(
  { names, sums }: Summed<Name>,
  by: readonly (Name | 'day')[],
  parts: readonly Part[],
): string {
  const quoted = by.map((name) => `"${name}"`).join(', ');
  const summed = sums.map((column) => `CAST(sum(${column}) AS bigint) AS ${column}`).join(', ');
  const isInOrder = isInKeyOrder(names, by);
  const one = ({ table, time, day, where }: Part): string => {
    const columns = by.map((name) => `${name === 'day' ? day : columnOf(name)} AS "${name}"`);
    // In the order of the key by day first: SQLite then sorts the sums of days, not a million rows.
    const groups = isInOrder ? `${time}, ${quoted}` : quoted;
    return `SELECT ${columns.join(', ')}, ${summed} FROM ${table} WHERE ${where} GROUP BY ${groups}`;
  };
  return `SELECT ${quoted}, ${summed} FROM (${parts.map(one).join(' UNION ALL ')}) AS parts GROUP BY ${quoted}`;
}

// Sums of parts of the days as sums of all days.

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
