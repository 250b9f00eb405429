/** Dependencies of the listener's supply operations, and how these wait for a revision. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  HistoryLost,
  type HistoryMark,
  type HistoryStore,
  type Revision,
} from '../../storage/history/revision.ts';
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

export interface FollowedHistory {
  readonly revision: Revision;
  /** The history of that revision; undefined while it may be another one than the database has. */
  readonly history: HistoryMark | undefined;
}

export interface RevisionDeps {
  readonly storage: Pick<Storage, 'readRevision'> & HistoryStore;
  /** Up to where this process shows changes to partners. */
  readonly followed: () => FollowedHistory;
  /** Losses of database history that this process noticed. */
  readonly losses: () => HistoryLosses;
}

export function createRevisionReader({ storage, followed, losses }: RevisionDeps): ReadRevision {
  let waiterCount = 0;

  /** The number alone may be of a history that the database lost, and wrote again, before this process notices it. */
  async function isFollowed(revision: Revision): Promise<boolean> {
    const { revision: reached, history } = followed();
    if (history === undefined || reached < revision) return false;
    try {
      await storage.readHistory(history);
      return true;
    } catch (error) {
      if (error instanceof HistoryLost) return false;
      throw error;
    }
  }

  async function waitFor(revision: Revision, waitMs: number): Promise<void> {
    if (waitMs === 0 || (await isFollowed(revision))) return;
    if (waiterCount >= REVISION_WAITERS_MAX)
      throw new StorageUnavailable('too many callers wait for a revision');
    waiterCount++;
    try {
      const untilMs = performance.now() + waitMs;
      const { count } = losses();
      const isLost = (): boolean => losses().count !== count;
      while (!isLost() && performance.now() < untilMs && !(await isFollowed(revision)))
        await delay(REVISION_POLL_MS);
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
    const { revision } = followed();
    return {
      revision,
      databaseRevision: await storage.readRevision(),
      historyLostAtMs: losses().lastAtMs,
      isLost: isGone || (waitMs > 0 && losses().count !== lostBefore),
    };
  };
}
