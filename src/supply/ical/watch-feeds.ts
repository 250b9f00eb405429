/** Counts the feeds by condition every few seconds, for the metrics: each process does, and all get the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { FeedStore, FeedSummary } from '../../storage/feeds/store.ts';

export interface FeedWatch {
  /** As of the last look. */
  state(): FeedSummary;
  stop(): Promise<void>;
}

export interface FeedWatchDeps {
  readonly storage: Pick<FeedStore, 'summarizeFeeds'>;
  /** For tests. */
  readonly lookMs?: number;
}

const LOOK_MS = 5_000;
const NOTHING: FeedSummary = { counts: { new: 0, ok: 0, held: 0, failing: 0 }, confirmationDueMs: null };

export function watchFeeds({ storage, lookMs = LOOK_MS }: FeedWatchDeps): FeedWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let state = NOTHING;
  const look = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        state = await storage.summarizeFeeds();
      } catch (error) {
        // Following the catalogue says in the log that the database is away.
        if (!(error instanceof StorageUnavailable)) throw error;
      }
      // No process waits for this timer to end.
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const underway = look();
  return {
    state: () => state,
    async stop() {
      stopping.abort();
      await underway;
    },
  };
}
