/** How long what happened is kept. Minutes become days after two days; each of the rest is deleted after its time. */
import { DAY_MS, type EpochDay, utcDay } from '../domain/local-date.ts';
import type { ActivityStore } from '../storage/activity/store.ts';
import {
  allDeleted,
  type Retention,
  type RetentionDeps,
  type RetentionSlice,
  startRetention,
} from '../storage/tasks/retention.ts';

/** Slices are short, because other writers wait behind them. */
export const ROWS_PER_SLICE = 200;
/** Stays that found nothing, of all days and cities; the least asked go. */
export const UNMET_STAYS_MAX = 20_000;
const HOUR_MS = 3_600_000;
export const MINUTES_KEPT_MS = 48 * HOUR_MS;
/** A day is added up when its last minute has become part of it, and a day more has passed for what comes late. */
const SUMS_AFTER_MS = DAY_MS + MINUTES_KEPT_MS + DAY_MS;
/** Traffic by day. */
export const TRAFFIC_DAYS_KEPT = 400;
/** A writer that wrote nothing for so long has no slice under way that it could send a second time. */
const WRITERS_KEPT_MS = 48 * HOUR_MS;

export interface ActivityRetentionDeps extends Omit<RetentionDeps, 'storage' | 'retentionDays'> {
  readonly storage: RetentionDeps['storage'] & ActivityStore;
  /** 0 keeps none. */
  readonly requestLogDays: number;
  /** 0 keeps none. */
  readonly demandDays: number;
}

/** One task for all of it: each round asks for one claim, and that takes the lock that quotes need. */
export function startActivityRetention(deps: ActivityRetentionDeps): Retention {
  let isFailing = false;
  /** When its tables fail, nothing stops: the log says so once, and the next round tries again. */
  async function deleteSlice(nowMs: number): Promise<RetentionSlice> {
    try {
      const slice = await deleteOld(deps, nowMs);
      isFailing = false;
      return slice;
    } catch (err) {
      if (!isFailing) deps.logger.warn({ err }, 'old counts of requests could not be deleted');
      isFailing = true;
      return allDeleted(0);
    }
  }
  const what = 'old counts of requests';
  return startRetention(
    { ...deps, retentionDays: deps.demandDays },
    { what, sliceMax: ROWS_PER_SLICE, deleteSlice },
  );
}

/** The date where the day begins last, twelve hours behind UTC: nobody can arrive before it any more. */
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
