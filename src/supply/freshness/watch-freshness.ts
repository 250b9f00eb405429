/**
 * Looks through all properties again and again, a slice at a time: closes those whose sources are silent, and sums up
 * when each source last confirmed, for the metrics. Of all processes on a database one does it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { repeat } from '../../storage/tasks/repeat.ts';
import { CLAIM_MS_LONGEST, type TaskStore } from '../../storage/tasks/store.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import type { RetentionDeps } from '../../storage/tasks/retention.ts';
import { type CloseSilentDeps, closeSilentSlice } from './close-silent.ts';
import { FreshnessSummary, readConfirmations, type SourceFreshness } from './read-freshness.ts';

export interface FreshnessWatchDeps
  extends CloseSilentDeps, Pick<RetentionDeps, 'logger' | 'holder' | 'pauses'> {
  readonly storage: CloseSilentDeps['storage'] &
    Pick<TaskStore, 'claimTask'> &
    Pick<SupplyStore, 'listConfirmations'>;
}

/** As of the last round; empty in a process that leaves the work to another. */
export interface FreshnessState {
  readonly closedProperties: number;
  readonly sources: ReadonlyMap<string, SourceFreshness>;
}

export interface FreshnessWatch {
  state(): FreshnessState;
  /** Resolves when no slice is under way any more. */
  stop(): Promise<void>;
}

/** A catalogue of a million properties takes two minutes a round. */
const PAUSES = { roundMs: 10_000, sliceMs: 50 };
/** Much longer than a slice takes, renewed with each. */
const CLAIM_MS = 60_000;
const NOTHING: FreshnessState = { closedProperties: 0, sources: new Map() };

export function watchFreshness(deps: FreshnessWatchDeps): FreshnessWatch {
  let state = NOTHING;
  const rounds = repeat({
    name: 'check the age of supply',
    everyMs: (deps.pauses ?? PAUSES).roundMs,
    logger: deps.logger,
    async round(signal) {
      const read = await runRound(deps, signal);
      if (!signal.aborted) state = read;
    },
    onAway({ message: reason }) {
      deps.logger.warn({ reason }, 'could not check the age of supply; trying again soon');
    },
  });
  return { state: () => state, stop: rounds.stop };
}

async function runRound(deps: FreshnessWatchDeps, signal: AbortSignal): Promise<FreshnessState> {
  let closedProperties = 0;
  for (let afterId: string | undefined = ''; afterId !== undefined && !signal.aborted;) {
    if (!(await claim(deps))) return NOTHING;
    const slice = await closeSilentSlice(deps, afterId);
    const { closedIds, openedIds } = slice;
    if (closedIds.length > 0)
      deps.logger.warn({ closedIds }, 'closed: no source has confirmed these properties');
    if (openedIds.length > 0) deps.logger.info({ openedIds }, 'opened: their supply is confirmed again');
    closedProperties += slice.closedCount;
    afterId = slice.lastId;
    await pause(deps);
  }
  const summary = new FreshnessSummary();
  for await (const rows of readConfirmations(deps.storage)) {
    for (const row of rows) summary.add(row);
    if (signal.aborted) break;
    await pause(deps);
  }
  return { closedProperties, sources: summary.sources };
}

function claim({ storage, clock, holder }: FreshnessWatchDeps): Promise<boolean> {
  const nowMs = clock();
  const term = { nowMs, untilMs: nowMs + CLAIM_MS, longestMs: CLAIM_MS_LONGEST };
  return storage.claimTask('check the age of supply', holder, term);
}

async function pause({ pauses = PAUSES }: FreshnessWatchDeps): Promise<void> {
  await sleep(pauses.sliceMs, undefined, { ref: false });
}
