/** Deletes quotes that expired long ago. */
import { DAY_MS } from '../domain/local-date.ts';
import type { QuoteStore } from '../storage/port/quote-store.ts';
import { type Retention, type RetentionDeps, startRetention } from '../storage/retention.ts';

export interface QuoteRetentionDeps extends RetentionDeps {
  readonly storage: RetentionDeps['storage'] & Pick<QuoteStore, 'deleteExpiredQuotes'>;
  /** Quotes that expired so long ago are deleted; 0 keeps all. */
  readonly retentionDays: number;
}

/** A slice touches about one page for each of its quotes: a few milliseconds of the one writer. */
export const QUOTES_PER_SLICE = 200;

export function startQuoteRetention(deps: QuoteRetentionDeps): Retention {
  const { storage, retentionDays } = deps;
  if (retentionDays === 0) return { stop: async () => undefined };
  return startRetention(deps, {
    what: 'expired quotes',
    sliceMax: QUOTES_PER_SLICE,
    deleteSlice: (nowMs) => storage.deleteExpiredQuotes(nowMs - retentionDays * DAY_MS, QUOTES_PER_SLICE),
  });
}
