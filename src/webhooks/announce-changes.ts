/** Tells endpoints that there are changes for their partners: never which, and not too often. */
import type { Clock } from '../runtime/clock.ts';
import { type Random, randomBase62 } from '../runtime/random.ts';
import type { Revision } from '../storage/history/revision.ts';
import { formatEvent } from '../storage/webhooks/outbox.ts';
import type { ChangeListener, WebhookStore } from '../storage/webhooks/store.ts';

/** Between two of one endpoint; while the last one waits for its next try, a longer time. */
export const CHANGES_PAUSE_MS = 10_000;
export const CHANGES_PAUSE_FAILING_MS = 5 * 60_000;

/** What the feed of changes answers. */
export interface VisibleChanges {
  /**
   * Whether this partner could be told of a change behind this revision, of those that are committed. It looks at a
   * bounded number of changes: ask again from `newest`.
   */
  readonly hasChanges: (
    partnerId: string,
    afterRevision: Revision,
  ) => Promise<{ readonly newest: Revision; readonly changed: boolean }>;
}

export interface AnnounceDeps {
  readonly storage: Pick<WebhookStore, 'listChangeListeners' | 'beginChanges' | 'announceChanges'> & {
    /** The newest that is committed. */
    readonly readRevision: () => Promise<Revision>;
  };
  readonly changes: VisibleChanges;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ChangeAnnouncer {
  /** Looks once at each endpoint that may be told something. */
  round(signal: AbortSignal): Promise<void>;
}

/** How far this process has looked without finding anything; the database knows what was said. */
interface Looked {
  readonly from: Revision;
  /** There was nothing more to look at while this was the newest revision. */
  readonly committed: Revision | undefined;
}

export function createChangeAnnouncer(deps: AnnounceDeps): ChangeAnnouncer {
  const looked = new Map<string, Looked>();
  return {
    async round(signal) {
      const listeners = await deps.storage.listChangeListeners();
      if (listeners.length === 0) return looked.clear();
      const newest = await deps.storage.readRevision();
      for (const listener of listeners) {
        if (signal.aborted) return;
        await look(deps, looked, listener, newest);
      }
    },
  };
}

async function look(
  deps: AnnounceDeps,
  looked: Map<string, Looked>,
  listener: ChangeListener,
  committed: Revision,
): Promise<void> {
  const { storage, clock, changes } = deps;
  const { webhookId, partnerId, changesRevision, changesAtMs } = listener;
  if (changesRevision === null) return storage.beginChanges(webhookId, committed);
  const nowMs = clock();
  // A clock that went back must not silence an endpoint.
  if (changesAtMs !== null && changesAtMs <= nowMs && nowMs - changesAtMs < CHANGES_PAUSE_MS) return;
  const known = looked.get(webhookId);
  if (committed === changesRevision || committed === known?.committed) return;
  // A database that was restored is behind what was looked at.
  const isAhead = known !== undefined && known.from > changesRevision && known.from <= committed;
  const from = isAhead ? known.from : changesRevision;
  const { newest, changed } = await changes.hasChanges(partnerId, from);
  if (!changed) {
    const isDone = newest >= committed || newest === from;
    return void looked.set(webhookId, { from: newest, committed: isDone ? committed : undefined });
  }
  looked.delete(webhookId);
  const delivery = {
    deliveryId: `msg_${randomBase62(24, deps.random)}`,
    webhookId,
    event: 'changes.available',
    body: formatEvent('changes.available', nowMs, {}),
    createdAtMs: nowMs,
  } as const;
  await storage.announceChanges(listener, newest, delivery, CHANGES_PAUSE_FAILING_MS);
}
