/** What the supply operations of the listener work with, and how they wait for a revision. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Revision } from '../../storage/history/revision.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import type { PublishDeps } from '../published/published-calendar.ts';
import type { ImportDeps } from './receive-import.ts';

/** Callers that wait for a revision at once. */
export const REVISION_WAITERS_MAX = 200;
const REVISION_POLL_MS = 10;

export interface Revisions {
  readonly revision: Revision;
  /** That of now, which is lower than it was when the database went back. */
  readonly databaseRevision: Revision;
  /** When this process last noticed that the database went back, Unix ms; undefined: it did not. */
  readonly historyLostAtMs: number | undefined;
  /** What was waited for is not in the database: it went back meanwhile, or before. */
  readonly isLost: boolean;
}

/** Waits until this process shows `atLeast` (the newest revision unless given), `waitMs` at most, or it is lost. */
export type ReadRevision = (options: {
  readonly waitMs: number;
  readonly atLeast: Revision | undefined;
}) => Promise<Revisions>;

export interface SupplyContext extends ImportDeps, Omit<PublishDeps, 'storage'> {
  readonly storage: ImportDeps['storage'] & SupplyStore;
  readonly readRevision: ReadRevision;
}

export interface HistoryLosses {
  readonly count: number;
  /** Of the last one, Unix ms. */
  readonly lastAtMs: number | undefined;
}

export interface RevisionDeps {
  readonly storage: Pick<Storage, 'readRevision'>;
  /** Up to where this process shows changes to partners. */
  readonly followedRevision: () => Revision;
  /** What this process noticed of databases that went back. */
  readonly losses: () => HistoryLosses;
}

export function createRevisionReader({ storage, followedRevision, losses }: RevisionDeps): ReadRevision {
  let waiterCount = 0;

  async function waitFor(revision: Revision, waitMs: number): Promise<void> {
    if (followedRevision() >= revision || waitMs === 0) return;
    if (waiterCount >= REVISION_WAITERS_MAX)
      throw new StorageUnavailable('too many callers wait for a revision');
    waiterCount++;
    try {
      const untilMs = performance.now() + waitMs;
      const { count } = losses();
      const isDue = () => followedRevision() >= revision || losses().count !== count;
      while (!isDue() && performance.now() < untilMs) await delay(REVISION_POLL_MS);
    } finally {
      waiterCount--;
    }
  }

  return async ({ waitMs, atLeast }) => {
    const lostBefore = losses().count;
    const newest = await storage.readRevision();
    const wanted = atLeast ?? newest;
    // After a loss, a number that the database does not have yet is one that it lost.
    const isGone = waitMs > 0 && lostBefore > 0 && wanted > newest;
    if (!isGone) await waitFor(wanted, waitMs);
    const revision = followedRevision();
    return {
      revision,
      databaseRevision: await storage.readRevision(),
      historyLostAtMs: losses().lastAtMs,
      isLost: isGone || (waitMs > 0 && losses().count !== lostBefore),
    };
  };
}
