/**
 * Deletes quotes that expired long ago, a few at a time, beside the traffic. Of all processes on a database one does
 * it: it holds a claim, which ends by itself when the process dies.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../runtime/clock.ts';
import { type QuoteStore, StorageUnavailable, type TaskStore } from '../storage/storage.ts';

export interface QuoteRetentionDeps {
  readonly storage: Pick<QuoteStore, 'deleteExpiredQuotes'> & Pick<TaskStore, 'claimTask'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Quotes that expired so long ago are deleted; 0 keeps all. */
  readonly retentionDays: number;
  /** This process, among all that share the database. */
  readonly holder: string;
  /** Tests have no minute. */
  readonly pauses?: { readonly roundMs: number; readonly sliceMs: number };
}

export interface QuoteRetention {
  /** Resolves when no slice is under way any more. */
  stop(): Promise<void>;
}

const TASK = 'delete expired quotes';
const DAY_MS = 86_400_000;
/** A slice touches about one page for each of its quotes: a few milliseconds of the one writer. */
export const QUOTES_PER_SLICE = 200;
/** Between slices, so that 2,000 quotes a second are deleted at most. */
const PAUSES = { roundMs: 60_000, sliceMs: 100 };
/** Much longer than a slice takes, renewed with each. */
const CLAIM_MS = 5 * 60_000;

export function startQuoteRetention(deps: QuoteRetentionDeps): QuoteRetention {
  const stopping = new AbortController();
  const underway = deps.retentionDays === 0 ? Promise.resolve() : runRounds(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await underway;
    },
  };
}

async function runRounds(deps: QuoteRetentionDeps, signal: AbortSignal): Promise<void> {
  const { roundMs } = deps.pauses ?? PAUSES;
  for (;;) {
    // No process waits for this timer to end.
    await sleep(roundMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await deleteAll(deps, signal);
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      deps.logger.warn(
        { reason: error.message },
        'expired quotes could not be deleted; the next try is soon',
      );
    }
  }
}

/** One round: slices until none is full. */
async function deleteAll(deps: QuoteRetentionDeps, signal: AbortSignal): Promise<void> {
  const { storage, clock, holder, retentionDays, logger } = deps;
  const { sliceMs } = deps.pauses ?? PAUSES;
  let deletedCount = 0;
  for (;;) {
    const nowMs = clock();
    if (!(await storage.claimTask(TASK, holder, { nowMs, untilMs: nowMs + CLAIM_MS }))) break;
    const count = await storage.deleteExpiredQuotes(nowMs - retentionDays * DAY_MS, QUOTES_PER_SLICE);
    deletedCount += count;
    if (count < QUOTES_PER_SLICE || signal.aborted) break;
    await sleep(sliceMs, undefined, { ref: false });
  }
  if (deletedCount > 0) logger.info({ deletedCount, retentionDays }, 'deleted expired quotes');
}
