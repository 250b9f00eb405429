/** Retention of activity. Minutes become days after two days; the rest is deleted at its age. */
import { DAY_MS, type EpochDay, utcDay, HOUR_MS } from '../../domain/local-date.ts';
import type { ActivityStore } from '../../storage/activity/store.ts';
import {
  type Retention,
  type RetentionDeps,
  type RetentionSlice,
  startRetention,
} from '../../storage/tasks/retention.ts';

/** Slices are short, because other writers wait. */
export const ROWS_PER_SLICE = 200;
/** Unmet stays of all days and cities; the least searched are dropped. */
export const UNMET_STAYS_MAX = 20_000;
export const MINUTES_KEPT_MS = 48 * HOUR_MS;
/** A day is added up once its last minute has become part of it, and one more day has passed for late rows. */
const SUMS_AFTER_MS = DAY_MS + MINUTES_KEPT_MS + DAY_MS;
export const TRAFFIC_DAYS_KEPT = 400;
/** A writer that wrote nothing for so long can't send a slice a second time. */
const WRITERS_KEPT_MS = 48 * HOUR_MS;

export interface ActivityRetentionDeps extends Omit<RetentionDeps, 'storage' | 'retentionDays'> {
  readonly storage: RetentionDeps['storage'] & ActivityStore;
  /** 0 keeps none. */
  readonly requestLogDays: number;
  /** 0 keeps none. */
  readonly demandDays: number;
}

/** One task for everything: each round takes one claim, which needs the lock of quotes. */
export function startActivityRetention(deps: ActivityRetentionDeps): Retention {
  let isFailing = false;
  /** A failure of its tables stops nothing: the log reports it once, and the next round tries again. */
  async function deleteSlice(nowMs: number): Promise<number | RetentionSlice> {
    try {
      const slice = await deleteOld(deps, nowMs);
      isFailing = false;
      return slice;
    } catch (err) {
      if (!isFailing) deps.logger.warn({ err }, 'old counts of requests could not be deleted');
      isFailing = true;
      return 0;
    }
  }
  const what = 'old counts of requests';
  return startRetention(
    { ...deps, retentionDays: deps.demandDays },
    { what, sliceMax: ROWS_PER_SLICE, deleteSlice },
  );
}

/** The date at UTC-12, where the day begins last: nobody can arrive on an earlier date. */
export function firstCheckInAt(nowMs: number): EpochDay {
  return utcDay(nowMs - 12 * HOUR_MS);
}

async function deleteOld(
  { storage, requestLogDays, demandDays }: ActivityRetentionDeps,
  nowMs: number,
): Promise<RetentionSlice> {
  const firstDay = utcDay(nowMs) - demandDays + 1;
  const rolledUp = await storage.rollUpTraffic(nowMs - MINUTES_KEPT_MS, ROWS_PER_SLICE);
  const summed = await storage.keepTrafficSums(nowMs - SUMS_AFTER_MS);
  const deleted = [
    await storage.deleteTraffic(nowMs - TRAFFIC_DAYS_KEPT * DAY_MS, ROWS_PER_SLICE),
    await storage.deleteRequests(nowMs - requestLogDays * DAY_MS, ROWS_PER_SLICE),
    await storage.deleteDemand(firstDay, ROWS_PER_SLICE),
    await storage.deleteUnknownPlaces(firstDay, ROWS_PER_SLICE),
    await storage.deletePassedUnmet(firstCheckInAt(nowMs), ROWS_PER_SLICE),
    await storage.deleteOldUnmet(firstDay, ROWS_PER_SLICE),
    await storage.trimUnmet(UNMET_STAYS_MAX, ROWS_PER_SLICE),
    await storage.deleteWriters(nowMs - WRITERS_KEPT_MS, ROWS_PER_SLICE),
  ];
  return {
    // One day is added up at a time; there may be more.
    looked: summed > 0 ? ROWS_PER_SLICE : Math.max(rolledUp, ...deleted),
    deleted: deleted.reduce((sum, count) => sum + count, 0),
  };
}
