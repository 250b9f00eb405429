/**
 * Deletes rows older than the operator keeps, a few at a time, beside the traffic. Of all processes on a database, the
 * holder of a claim does it; the claim expires if that process dies.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../runtime/clock.ts';
import { CLAIM_MS_LONGEST, type TaskStore } from './store.ts';
import { repeat, type RepeatLogger } from './repeat.ts';

type Log = (fields: object, message: string) => void;

export interface RetentionDeps {
  readonly storage: Pick<TaskStore, 'claimTask'>;
  readonly clock: Clock;
  readonly logger: RepeatLogger & { readonly info: Log; readonly warn: Log };
  /** For the log only. */
  readonly retentionDays: number;
  /** This process, among all that share the database. */
  readonly holder: string;
  /** Shorter in tests. */
  readonly pauses?: { readonly roundMs: number; readonly sliceMs: number } | undefined;
}

export interface RetainedRows {
  /** Its name in the log. */
  readonly what: string;
  /** Rows of a slice: each holds the one writer for a few milliseconds. */
  readonly sliceMax: number;
  /** Reads the oldest rows, `sliceMax` at most, and deletes those that are due; a number: all that were read. */
  readonly deleteSlice: (nowMs: number) => Promise<number | RetentionSlice>;
}

export interface RetentionSlice {
  /** Rows read; `sliceMax` of them mean that more may follow. */
  readonly looked: number;
  readonly deleted: number;
}

export interface Retention {
  /** Resolves when no slice is running. */
  stop(): Promise<void>;
}

/** Pauses between slices allow ten slices a second at most. */
const PAUSES = { roundMs: 60_000, sliceMs: 100 };
/** Much longer than a slice takes, renewed with each. */
const CLAIM_MS = 5 * 60_000;

export function startRetention(deps: RetentionDeps, rows: RetainedRows): Retention {
  const { logger } = deps;
  return repeat({
    name: `delete ${rows.what}`,
    everyMs: (deps.pauses ?? PAUSES).roundMs,
    logger,
    round: (signal) => deleteAll(deps, rows, signal),
    onAway({ message: reason }) {
      logger.warn({ reason }, `${rows.what} could not be deleted; trying again soon`);
    },
  });
}

/** One round: slices until one is not full. */
async function deleteAll(deps: RetentionDeps, rows: RetainedRows, signal: AbortSignal): Promise<void> {
  const { storage, clock, holder, retentionDays, logger } = deps;
  const { what, sliceMax, deleteSlice } = rows;
  const { sliceMs } = deps.pauses ?? PAUSES;
  let deletedCount = 0;
  for (;;) {
    const nowMs = clock();
    const term = { nowMs, untilMs: nowMs + CLAIM_MS, longestMs: CLAIM_MS_LONGEST };
    if (!(await storage.claimTask(`delete ${what}`, holder, term))) break;
    const slice = await deleteSlice(nowMs);
    const { looked, deleted } = typeof slice === 'number' ? { looked: slice, deleted: slice } : slice;
    deletedCount += deleted;
    if (looked < sliceMax || signal.aborted) break;
    await sleep(sliceMs, undefined, { ref: false });
  }
  if (deletedCount > 0) logger.info({ deletedCount, retentionDays }, `deleted ${what}`);
}
