/** How long what happened is kept. Minutes become days after two days; each of the rest is deleted after its time. */
import { DAY_MS, utcDay } from '../domain/local-date.ts';
import type { ActivityStore } from '../storage/activity/store.ts';
import {
  allDeleted,
  type Retention,
  type RetentionDeps,
  startRetention,
} from '../storage/tasks/retention.ts';

/** Slices are short, because other writers wait behind them. */
export const ROWS_PER_SLICE = 200;
const HOUR_MS = 3_600_000;
export const MINUTES_KEPT_MS = 48 * HOUR_MS;
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

export function startActivityRetention(deps: ActivityRetentionDeps): Retention[] {
  const { storage, requestLogDays, demandDays } = deps;
  const start = (
    what: string,
    retentionDays: number,
    deleteRows: (nowMs: number) => Promise<number>,
  ): Retention =>
    startRetention(
      { ...deps, retentionDays },
      {
        what,
        sliceMax: ROWS_PER_SLICE,
        deleteSlice: async (nowMs) => allDeleted(await deleteRows(nowMs)),
      },
    );
  const firstDay = (nowMs: number): number => utcDay(nowMs) - demandDays + 1;
  return [
    start('traffic by minute that became days', MINUTES_KEPT_MS / DAY_MS, (nowMs) =>
      storage.rollUpTraffic(nowMs - MINUTES_KEPT_MS, ROWS_PER_SLICE),
    ),
    start('traffic by day', TRAFFIC_DAYS_KEPT, (nowMs) =>
      storage.deleteTraffic(nowMs - TRAFFIC_DAYS_KEPT * DAY_MS, ROWS_PER_SLICE),
    ),
    start('logged requests', requestLogDays, (nowMs) =>
      storage.deleteRequests(nowMs - requestLogDays * DAY_MS, ROWS_PER_SLICE),
    ),
    start('counts of searches', demandDays, (nowMs) => storage.deleteDemand(firstDay(nowMs), ROWS_PER_SLICE)),
    start('counts of unknown places', demandDays, (nowMs) =>
      storage.deleteUnknownPlaces(firstDay(nowMs), ROWS_PER_SLICE),
    ),
    start('records of writers', WRITERS_KEPT_MS / DAY_MS, (nowMs) =>
      storage.deleteWriters(nowMs - WRITERS_KEPT_MS, ROWS_PER_SLICE),
    ),
  ];
}
