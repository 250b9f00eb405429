/** Tells endpoints that there are changes for their partners: never which, and not too often. */
import type { LookFrom, VisibleChanges } from '../changes/visible-changes.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Random, randomBase62 } from '../../runtime/random.ts';
import type { ChangeStore } from '../../storage/catalogue/change-store.ts';
import type { HistoryMark, Revision } from '../../storage/history/revision.ts';
import { formatEvent } from '../../storage/webhooks/outbox.ts';
import type { ChangeListener, WebhookStore } from '../../storage/webhooks/store.ts';

/** Between two of one endpoint; while the last one waits for its next try, a longer time. */
export const CHANGES_PAUSE_MS = 10_000;
export const CHANGES_PAUSE_FAILING_MS = 5 * 60_000;

export interface AnnounceDeps {
  readonly storage: Pick<WebhookStore, 'listChangeListeners' | 'announceChanges'> &
    Pick<ChangeStore, 'readMarks'>;
  readonly changes: VisibleChanges;
  readonly clock: Clock;
  /** Monotonic: a wall clock that jumps makes no pause shorter or longer. */
  readonly uptimeMs: Clock;
  readonly random: Random;
}

export interface ChangeAnnouncer {
  /** Looks once at each endpoint that may be told something. */
  round(signal: AbortSignal): Promise<void>;
}

/** How far this process has looked without finding anything; the database knows what was said. */
interface Looked {
  readonly from: LookFrom;
  /** There was nothing more to look at while this was the newest revision. */
  readonly committed: Revision | undefined;
}

/** An announcement of this process. */
interface Announced {
  readonly changesAtMs: number;
  readonly uptimeMs: number;
}

export function createChangeAnnouncer(deps: AnnounceDeps): ChangeAnnouncer {
  const { storage, changes, clock, uptimeMs, random } = deps;
  const looked = new Map<string, Looked>();
  const said = new Map<string, Announced>();
  let seen: HistoryMark | undefined;

  function isTooSoon({ webhookId, changesAtMs }: ChangeListener): boolean {
    const last = said.get(webhookId);
    if (last !== undefined && last.changesAtMs === changesAtMs)
      return uptimeMs() - last.uptimeMs < CHANGES_PAUSE_MS;
    // Another process said it. A clock that went back must not silence an endpoint.
    return changesAtMs !== null && Math.abs(clock() - changesAtMs) < CHANGES_PAUSE_MS;
  }

  async function look(listener: ChangeListener, committed: Revision): Promise<void> {
    const { webhookId, partnerId, changesRevision } = listener;
    if (isTooSoon(listener)) return;
    const known = looked.get(webhookId);
    if (committed === changesRevision || committed === known?.committed) return;
    const hasLooked = known !== undefined && known.from.revision >= changesRevision;
    const { changed, from } = await changes.hasChanges(
      partnerId,
      hasLooked ? known.from : { revision: changesRevision },
      committed,
    );
    if (!changed) {
      const isDone = from.place === undefined;
      return void looked.set(webhookId, { from, committed: isDone ? committed : undefined });
    }
    looked.delete(webhookId);
    const nowMs = clock();
    said.set(webhookId, { changesAtMs: nowMs, uptimeMs: uptimeMs() });
    const delivery = {
      deliveryId: `msg_${randomBase62(24, random)}`,
      webhookId,
      event: 'changes.available',
      body: formatEvent('changes.available', nowMs, {}),
      createdAtMs: nowMs,
    } as const;
    await storage.announceChanges(listener, from.revision, delivery, CHANGES_PAUSE_FAILING_MS);
  }

  return {
    async round(signal) {
      const listeners = await storage.listChangeListeners();
      const { continues, newest, stamp } = await storage.readMarks({
        marks: seen === undefined ? [] : [seen],
      });
      // It went over a history that the database has lost.
      if (continues[0] === false || listeners.length === 0) looked.clear();
      seen = { revision: newest, stamp };
      for (const listener of listeners) {
        if (signal.aborted) return;
        await look(listener, newest);
      }
    },
  };
}
