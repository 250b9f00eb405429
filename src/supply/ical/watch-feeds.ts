/** Counts the feeds by condition every few seconds, for the metrics: each process does, and all get the same. */
import type { FeedStore, FeedSummary } from '../../storage/feeds/store.ts';
import { repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';

export interface FeedWatch {
  /** As of the last look. */
  state(): FeedSummary;
  stop(): Promise<void>;
}

export interface FeedWatchDeps {
  readonly storage: Pick<FeedStore, 'summarizeFeeds'>;
  readonly logger: RepeatLogger;
  /** For tests. */
  readonly lookMs?: number;
}

const LOOK_MS = 5_000;
const NOTHING: FeedSummary = { counts: { new: 0, ok: 0, held: 0, failing: 0 }, confirmationDueMs: null };

export function watchFeeds({ storage, logger, lookMs = LOOK_MS }: FeedWatchDeps): FeedWatch {
  let state = NOTHING;
  const looks = repeat({
    name: 'count feeds',
    everyMs: lookMs,
    firstMs: 0,
    logger,
    async round() {
      state = await storage.summarizeFeeds();
    },
  });
  return { state: () => state, stop: looks.stop };
}
