/**
 * Deletes messages and their verdicts after SUPPLY_HISTORY_DAYS, or when there are more than SUPPLY_HISTORY_MESSAGES,
 * and idempotency keys after their 24 hours.
 */
import { DAY_MS } from '../../domain/local-date.ts';
import { IDEMPOTENCY_KEY_MS } from '../../domain/ledger/rows.ts';
import { type Retention, type RetentionDeps, startRetention } from '../../storage/tasks/retention.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';

export interface SupplyRetentionDeps extends RetentionDeps {
  readonly storage: RetentionDeps['storage'] & Pick<SupplyStore, 'deleteSupplyHistory'>;
  /** 0 keeps all messages. */
  readonly retentionDays: number;
  /** The newest ones that are kept at the most; 0 for any number. */
  readonly messagesMax: number;
}

const MESSAGES_PER_SLICE = 500;

export function startSupplyRetention(deps: SupplyRetentionDeps): Retention {
  const { storage, retentionDays, messagesMax } = deps;
  return startRetention(deps, {
    what: 'old supply messages and keys',
    sliceMax: MESSAGES_PER_SLICE,
    deleteSlice: (nowMs) =>
      storage.deleteSupplyHistory({
        messagesMs: retentionDays === 0 ? 0 : nowMs - retentionDays * DAY_MS,
        messagesMax,
        keysMs: nowMs - IDEMPOTENCY_KEY_MS,
        limit: MESSAGES_PER_SLICE,
      }),
  });
}
