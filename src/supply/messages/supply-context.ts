/** Dependencies of the listener's supply operations, and how these wait for a revision. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Revision } from '../../storage/history/revision.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import type { PublishDeps } from '../published/published-calendar.ts';
import type { ImportDeps } from './receive-import.ts';

/** Callers that may wait for a revision at once. */
export const REVISION_WAITERS_MAX = 200;
const REVISION_POLL_MS = 10;

export interface Revisions {
  readonly revision: Revision;
  /** The current revision, which is lower than before if the database went back. */
  readonly databaseRevision: Revision;
  /** When this process last noticed that the database went back, Unix ms; undefined: never. */
  readonly historyLostAtMs: number | undefined;
  /** The expected revision is lost: the database went back. */
  readonly isLost: boolean;
}

/** Waits until this process shows `atLeast` (default: the newest revision), up to `waitMs`, or until it is lost. */
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
  /** Unix ms. */
  readonly lastAtMs: number | undefined;
}

export interface RevisionDeps {
  readonly storage: Pick<Storage, 'readRevision'>;
  /** The revision up to which this process shows changes to partners. */
  readonly followedRevision: () => Revision;
  /** Losses of database history that this process noticed. */
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
    // After a loss, a revision that the database has not reached is one that it lost.
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
