/** The numbers of the last seven whole days and the seven before, day by day. UTC. */
import { estimateUs } from '../../../operator/activity/traffic-report.ts';
import { reportAttribution } from '../../../traveller/attribution/attribution-report.ts';
import { formatLocalDate, utcDay } from '../../../domain/local-date.ts';
import type { PagePorts } from '../../reading/console-page.ts';
import { readPartnerDemand } from '../../reading/partner-demand.ts';
import { sumMoney } from '../../reading/money-sums.ts';

const WEEK = 7;

export type WeekNumberName =
  | 'requests'
  | 'searches'
  | 'quotes'
  | 'opened'
  | 'converted'
  | 'value'
  | 'p99'
  | 'refused';

export interface WeekNumber {
  readonly name: WeekNumberName;
  /** For `value` only. */
  readonly currency?: string;
  /** Microseconds for `p99`; null without answers. */
  readonly now: number | null;
  readonly before: number | null;
  /** Days of both weeks, ascending; null where there is nothing to measure. */
  readonly days: readonly (number | null)[];
}

/** The days end yesterday: today is not over, and would seem worse than it is. */
export async function readNumbers(ports: PagePorts): Promise<readonly WeekNumber[]> {
  const { storage, clock, dayCache } = ports;
  const to = utcDay(clock()) - 1;
  const days = { from: to - 2 * WEEK + 1, to };
  const names = Array.from({ length: 2 * WEEK }, (_none, index) => formatLocalDate(days.from + index));
  const attribution = await reportAttribution(storage, days);
  const demand = await readPartnerDemand(ports, days);
  const traffic = await dayCache.read('today', days, (some) => storage.sumTraffic(['day', 'code'], some));
  const durationsOf = (rows: typeof traffic): number[] =>
    rows.reduce<number[]>((sums, { durations }) => durations.map((count, at) => count + (sums[at] ?? 0)), []);
  const countOf = (rows: typeof traffic): number => durationsOf(rows).reduce((sum, count) => sum + count, 0);
  const p99Of = (rows: typeof traffic): number => estimateUs(durationsOf(rows), 0.99);
  const trafficOn = Map.groupBy(traffic, ({ day }) => formatLocalDate(day));
  const perDay = (count: (rows: typeof traffic) => number): number[] =>
    names.map((name) => count(trafficOn.get(name) ?? []));
  const isRefused = ({ code }: (typeof traffic)[number]): boolean => code !== '';
  const summed = (name: WeekNumberName, counts: readonly number[]): WeekNumber => ({
    name,
    days: counts,
    before: counts.slice(0, WEEK).reduce((sum, count) => sum + count, 0),
    now: counts.slice(WEEK).reduce((sum, count) => sum + count, 0),
  });
  const funnel = (name: 'quotes' | 'opened' | 'converted'): WeekNumber =>
    summed(
      name,
      sumDays(names, attribution, (row) => row[name]),
    );
  const lastWeek = traffic.filter(({ day }) => day > to - WEEK);
  const weekBefore = traffic.filter(({ day }) => day <= to - WEEK);
  const p99 = (rows: typeof traffic): number | null => (rows.length === 0 ? null : p99Of(rows));
  return [
    summed('requests', perDay(countOf)),
    summed(
      'searches',
      sumDays(names, demand, ({ searches }) => searches),
    ),
    funnel('quotes'),
    funnel('opened'),
    funnel('converted'),
    ...Object.keys(sumMoney(attribution.map((row) => row.convertedTotals))).map((currency) => ({
      ...summed(
        'value',
        sumDays(names, attribution, (row) => Number(row.convertedTotals[currency] ?? 0)),
      ),
      currency,
    })),
    {
      name: 'p99',
      days: names.map((name) => p99(trafficOn.get(name) ?? [])),
      now: p99(lastWeek),
      before: p99(weekBefore),
    },
    summed(
      'refused',
      perDay((rows) => countOf(rows.filter(isRefused))),
    ),
  ];
}

function sumDays<Row extends { readonly day: string }>(
  names: readonly string[],
  rows: readonly Row[],
  count: (row: Row) => number,
): number[] {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return names.map((name) => (byDay.get(name) ?? []).reduce((sum, row) => sum + count(row), 0));
}
