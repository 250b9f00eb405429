/** Deletes quotes long after their expiry, unopened ones sooner. */
import { DAY_MS } from '../../domain/local-date.ts';
import type { QuoteCursor, QuoteStore } from '../../storage/quotes/store.ts';
import { type Retention, type RetentionDeps, startRetention } from '../../storage/tasks/retention.ts';

export interface QuoteRetentionDeps extends RetentionDeps {
  readonly storage: RetentionDeps['storage'] & Pick<QuoteStore, 'deleteExpiredQuotes'>;
  /** Days after expiry when a quote is deleted; 0 keeps all. */
  readonly retentionDays: number;
}

export interface UnopenedRetentionDeps extends RetentionDeps {
  readonly storage: RetentionDeps['storage'] & Pick<QuoteStore, 'deleteUnopenedQuotes'>;
  /** Days after expiry when an unopened quote is deleted; 0 keeps it as long as the others. */
  readonly retentionDays: number;
}

/** A slice touches about one page for each of its quotes: a few milliseconds of the one writer. */
export const QUOTES_PER_SLICE = 200;

const NOTHING: Retention = { stop: async () => undefined };
const FIRST_PLACE: QuoteCursor = { expiresAtMs: Number.MIN_SAFE_INTEGER, quoteId: '' };

export function startQuoteRetention(deps: QuoteRetentionDeps): Retention {
  const { storage, retentionDays } = deps;
  if (retentionDays === 0) return NOTHING;
  return startRetention(deps, {
    what: 'expired quotes',
    sliceMax: QUOTES_PER_SLICE,
    deleteSlice: (nowMs) => storage.deleteExpiredQuotes(nowMs - retentionDays * DAY_MS, QUOTES_PER_SLICE),
  });
}

/**
 * Walks the quotes by expiry and remembers its position, so opened quotes are not visited every minute until they are
 * old enough. A new process begins at the oldest.
 */
export function startUnopenedRetention(deps: UnopenedRetentionDeps): Retention {
  const { storage, retentionDays } = deps;
  if (retentionDays === 0) return NOTHING;
  let after = FIRST_PLACE;
  return startRetention(deps, {
    what: 'quotes that nobody opened',
    sliceMax: QUOTES_PER_SLICE,
    async deleteSlice(nowMs) {
      const expiredBeforeMs = nowMs - retentionDays * DAY_MS;
      const slice = await storage.deleteUnopenedQuotes({ after, expiredBeforeMs, limit: QUOTES_PER_SLICE });
      after = slice.last;
      return slice;
    },
  });
}
