/** Answers to partners by minute, later by day: how many, and how long they took. */
import type { EpochDay } from '../domain/local-date.ts';
import type { ActivityStore } from '../storage/activity/store.ts';
import { FIRST_BOUND_US } from './traffic-table.ts';

export interface TrafficEntry {
  /** Start of the minute or day, ISO 8601 in UTC. */
  readonly from: string;
  readonly partnerId: string;
  readonly credentialId: string;
  readonly operation: string;
  /** Null for a success. */
  readonly code: string | null;
  readonly count: number;
  /** Half of the answers took no longer; estimated within a factor of two. */
  readonly p50Us: number;
  readonly p99Us: number;
}

export const TRAFFIC_COLUMNS = [
  ...['from', 'partnerId', 'credentialId', 'operation', 'code', 'count', 'p50Us', 'p99Us'],
] as readonly (keyof TrafficEntry)[];

export interface TrafficQuestion {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
  readonly partnerId?: string | undefined;
  readonly rowsMax: number;
}

/** Ascending by time, then by names. */
export async function reportTraffic(
  storage: Pick<ActivityStore, 'readTraffic'>,
  question: TrafficQuestion,
): Promise<readonly TrafficEntry[]> {
  const rows = await storage.readTraffic(question);
  return rows.map(({ fromMs, partnerId, credentialId, operation, code, durations }) => ({
    ...{ from: new Date(fromMs).toISOString(), partnerId, credentialId, operation },
    code: code === '' ? null : code,
    count: durations.reduce((sum, count) => sum + count, 0),
    p50Us: estimateUs(durations, 0.5),
    p99Us: estimateUs(durations, 0.99),
  }));
}

/** Within its bucket as if answers were spread evenly; of the last bucket, which has no end, its start. */
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
