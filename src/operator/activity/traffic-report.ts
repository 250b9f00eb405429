/** Answers to partners by minute, later by day: their number and durations. */
import { formatLocalDate } from '../../domain/local-date.ts';
import type { ActivityStore, TrafficName } from '../../storage/activity/store.ts';
import type { PartnerDays } from '../../storage/portable-sql/days-by-parts.ts';
import { FIRST_BOUND_US } from './traffic-table.ts';

export interface TrafficEntry extends Answers {
  /** Start of the minute or day, ISO 8601 in UTC. */
  readonly from: string;
  readonly partnerId: string;
  readonly credentialId: string;
  readonly operation: string;
  /** Null for a success. */
  readonly code: string | null;
}

type Answers = {
  readonly count: number;
  /** Half of the answers took no longer; true within a factor of two. */
  readonly p50Us: number;
  readonly p99Us: number;
};

const ANSWERS_COLUMNS = ['count', 'p50Us', 'p99Us'] as const;
export const TRAFFIC_COLUMNS = [
  'from',
  'partnerId',
  'credentialId',
  'operation',
  'code',
  ...ANSWERS_COLUMNS,
] as readonly (keyof TrafficEntry)[];

/** Ascending by time, then by names. */
export async function reportTraffic(
  storage: Pick<ActivityStore, 'readTraffic'>,
  question: PartnerDays,
): Promise<readonly TrafficEntry[]> {
  const rows = await storage.readTraffic(question);
  return rows.map(({ fromMs, partnerId, credentialId, operation, code, durations }) => ({
    from: new Date(fromMs).toISOString(),
    partnerId,
    credentialId,
    operation,
    code: code === '' ? null : code,
    ...presentDurations(durations),
  }));
}

/** The same rows, a day at a time. */
export async function* reportTrafficByDay(
  storage: Pick<ActivityStore, 'readTraffic' | 'readActiveDays'>,
  question: PartnerDays,
): AsyncGenerator<readonly TrafficEntry[]> {
  const days = await storage.readActiveDays('traffic', question);
  if (days === undefined) return;
  for (let day = days.from; day <= days.to; day += 1)
    yield await reportTraffic(storage, { ...question, from: day, to: day });
}

/** Names of rows of traffic, with their sums. */
export type TrafficSumEntry = Answers &
  Partial<Omit<TrafficEntry, 'from' | keyof Answers>> & {
    /** `YYYY-MM-DD`, UTC */
    readonly day?: string;
  };

export const TRAFFIC_SUM_COLUMNS = ANSWERS_COLUMNS;

/** Most answers first, then by names. */
export async function reportTrafficSums(
  storage: Pick<ActivityStore, 'sumTraffic'>,
  by: readonly TrafficName[],
  question: PartnerDays,
): Promise<readonly TrafficSumEntry[]> {
  const sums = await storage.sumTraffic(by, question);
  return sums
    .map(({ day, code, durations, ...names }) => ({
      key: by.map((name) => ({ ...names, day, code })[name]).join(' '),
      entry: {
        ...(day === undefined ? {} : { day: formatLocalDate(day) }),
        ...names,
        ...(code === undefined ? {} : { code: code === '' ? null : code }),
        ...presentDurations(durations),
      },
    }))
    .toSorted((one, other) => other.entry.count - one.entry.count || (one.key < other.key ? -1 : 1))
    .map(({ entry }) => entry);
}

function presentDurations(durations: readonly number[]): Answers {
  return {
    count: durations.reduce((sum, count) => sum + count, 0),
    p50Us: estimateUs(durations, 0.5),
    p99Us: estimateUs(durations, 0.99),
  };
}

/** Interpolates within its bucket; of the last, unbounded bucket it returns the start. */
export function estimateUs(durations: readonly number[], quantile: number): number {
  const wanted = durations.reduce((sum, count) => sum + count, 0) * quantile;
  let before = 0;
  for (const [bucket, count] of durations.entries()) {
    if (count > 0 && before + count >= wanted) {
      const start = bucket === 0 ? 0 : FIRST_BOUND_US * 2 ** (bucket - 1);
      const end = bucket === durations.length - 1 ? start : FIRST_BOUND_US * 2 ** bucket;
      return Math.round(start + ((wanted - before) / count) * (end - start));
    }
    before += count;
  }
  return 0;
}
