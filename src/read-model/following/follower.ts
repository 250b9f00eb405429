/**
 * Keeps memory in step with the database, by revision. Access and the catalogue have a loop each, so that neither waits
 * for the other.
 */
import type { HeapUse } from '../catalogue/memory/heap.ts';
import { type Clock, machineUptime, systemClock } from '../../runtime/clock.ts';
import type { NotReady, Readiness } from '../../runtime/readiness.ts';
import { inBoth, Wrong } from '../../domain/wrong.ts';
import type { AccessRows } from '../../storage/access/store.ts';
import type { HistoryMark, Revision } from '../../storage/history/revision.ts';
import { AccessFollower, type AccessFollowerOptions } from './access-follower.ts';
import { type FollowerLogger, type Pause, pauseFor } from './retry-loop.ts';
import {
  CatalogueFollower,
  type CatalogueFollowerOptions,
  type CatalogueState,
} from './catalogue-follower.ts';
import { Lag } from './lag.ts';
import { type LossCounts, Losses } from './losses.ts';

/** A revocation works within a second, even when the event loop is late and the database slow. */
const ACCESS_POLL_INTERVAL_MS = 50;
const CATALOGUE_POLL_INTERVAL_MS = 50;
/** While calendars change: a longer wait gathers more changes, and each of them costs time. */
const CATALOGUE_BUSY_INTERVAL_MS = 10;
/** Between two rounds of following the properties. */
export const pauseOfCatalogue = pauseFor(CATALOGUE_POLL_INTERVAL_MS, CATALOGUE_BUSY_INTERVAL_MS);

interface FollowingOptions {
  readonly logger: FollowerLogger;
  /** Monotonic milliseconds, unlike the wall clock. */
  readonly uptimeMs?: Clock;
  readonly clock?: Clock;
  readonly pause?: Pause;
}

export type CatalogueSourceOptions = FollowingOptions &
  Pick<CatalogueFollowerOptions, 'storage' | 'catalogue' | 'announced' | 'openSaved' | 'changesPerRead'>;

/** Follows the properties in this thread, or reports for another thread that does. */
export interface CatalogueSource {
  /** Resolves when the snapshot is in; rejects when it can't be read for a reason that waiting does not cure. */
  readonly ready: Promise<void>;
  state(): CatalogueState;
  /** The state of the database as of which the catalogue can be saved; undefined while it can't. */
  settled?(): HistoryMark | undefined;
  /** Another reader saw this revision of the database at that time. */
  saw?(revision: Revision, askedAtMs: number): void;
  /** Resolves when the storage is no longer in use. */
  stop(): Promise<void>;
}

export interface FollowerOptions extends FollowingOptions {
  readonly storage: AccessFollowerOptions['storage'];
  readonly source: CatalogueSource;
  /** Called with all partners, credentials, keys and operator tokens, at the start and after each change of them. */
  readonly onAccess: (rows: AccessRows) => void;
}

export interface ListenerFreshness {
  /** Milliseconds since it last equalled the database; the catalogue also counts coming closer. */
  readonly ageMs: number;
  /** Reason of its last failed query. */
  readonly problem: string | undefined;
}

export interface Freshness {
  /** The snapshot and access are in. */
  readonly ready: boolean;
  /** Source of the first load, while it lasts. */
  readonly loadsFrom: CatalogueState['loadsFrom'];
  readonly access: ListenerFreshness;
  readonly catalogue: ListenerFreshness;
  /** Everything up to here is applied. */
  readonly revision: Revision;
  /** Known revisions of the database beyond it. */
  readonly lagRevisions: number;
  /** Milliseconds since the whole database was applied: the age of answers. */
  readonly lagMs: number;
  /** Memory of the catalogue for several threads; undefined for one thread. */
  readonly memory?: HeapUse | undefined;
}

export interface Follower {
  /** Resolves when the snapshot is in; rejects when it can't be read for a reason that waiting does not cure. */
  readonly ready: Promise<void>;
  freshness(): Freshness;
  /** Up to where the catalogue in memory shows which history; undefined while it may show another one than there is. */
  shown(): { readonly revision: Revision; readonly history: HistoryMark } | undefined;
  /** Losses of history in the database. */
  readonly losses: LossCounts;
  /** Resolves when the storage is no longer in use. */
  stop(): Promise<void>;
}

/** Starts to follow the properties in this thread. */
export function followCatalogue(options: CatalogueSourceOptions): CatalogueSource {
  const { uptimeMs = machineUptime, clock = systemClock, logger } = options;
  const { pause = pauseOfCatalogue } = options;
  const abort = new AbortController();
  const lag = new Lag(uptimeMs());
  const losses = new Losses(logger, clock);
  const follower = new CatalogueFollower({ ...options, uptimeMs, pause, lag, losses, signal: abort.signal });
  return {
    ready: follower.ready,
    state: () => follower.state,
    settled: () => follower.settled,
    saw: (revision, askedAtMs) => lag.saw(revision, askedAtMs),
    async stop() {
      abort.abort();
      await follower.done;
    },
  };
}

/** Starts to follow access, and watches the follower of the properties. */
export function startFollower(options: FollowerOptions): Follower {
  const { uptimeMs = machineUptime, clock = systemClock, logger, onAccess, source, storage } = options;
  const { pause = pauseFor(ACCESS_POLL_INTERVAL_MS) } = options;
  const abort = new AbortController();
  const losses = new Losses(logger, clock);
  const onRevision = (revision: Revision, askedAtMs: number): void => source.saw?.(revision, askedAtMs);
  const following = { storage, onAccess, onRevision, losses, logger, uptimeMs, pause };
  const access = new AccessFollower({ ...following, signal: abort.signal });
  let isReady = false;
  const waitUntilReady = async (): Promise<void> => {
    await Promise.all([access.ready, source.ready]);
    isReady = !abort.signal.aborted;
  };
  return {
    ready: waitUntilReady(),
    losses: lossesOf(losses, source),
    shown() {
      const { revision, history } = source.state();
      return history && { revision, history };
    },
    freshness() {
      const nowMs = uptimeMs();
      const { loadsFrom, progressAtMs, problem, revision, lagRevisions, levelAtMs, memory } = source.state();
      return {
        ready: isReady,
        loadsFrom,
        access: { ageMs: nowMs - access.levelAtMs, problem: access.problem },
        catalogue: { ageMs: nowMs - progressAtMs, problem },
        // Properties may be ahead: access is as its own loop last read it.
        revision: Math.max(0, Math.min(revision, access.revision)),
        // A catalogue that is busy with many changes reports late; access reads the newest revision all the time.
        lagRevisions: Math.max(lagRevisions, access.revision - revision),
        lagMs: nowMs - levelAtMs,
        memory,
      };
    },
    async stop() {
      abort.abort();
      await Promise.all([access.done, source.stop()]);
    },
  };
}

/** Losses of access in this thread, and of the catalogue wherever it is followed. */
function lossesOf(own: Losses, source: CatalogueSource): LossCounts {
  return {
    counts: {
      get access() {
        return own.counts.access;
      },
      get catalogue() {
        return source.state().lossCount;
      },
    },
    get lastAtMs() {
      const { lostAtMs } = source.state();
      return lostAtMs === undefined ? own.lastAtMs : Math.max(lostAtMs, own.lastAtMs ?? lostAtMs);
    },
  };
}

/** Whether memory is fresh enough for answers: the older of access and the catalogue decides. */
export function judgeReadiness(freshness: Freshness, stalenessMaxSeconds: number): Readiness {
  const { ready, access, catalogue, loadsFrom = 'database' } = freshness;
  if (!ready) return inBoth(new Wrong('catalogueLoading', { place: loadsFrom }));
  return (
    findStale('accessStale', access, stalenessMaxSeconds) ??
    findStale('catalogueStale', catalogue, stalenessMaxSeconds) ??
    'ready'
  );
}

/**
 * `judgeReadiness` for every request: the verdict is cached until the older of access and the catalogue would be too
 * old. `uptimeMs` is the follower's own.
 */
export function watchReadiness(
  follower: Pick<Follower, 'freshness'>,
  stalenessMaxSeconds: number,
  uptimeMs: Clock = machineUptime,
): () => Readiness {
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = uptimeMs();
    if (nowMs < freshUntilMs) return 'ready';
    const freshness = follower.freshness();
    const readiness = judgeReadiness(freshness, stalenessMaxSeconds);
    const ageMs = Math.max(freshness.access.ageMs, freshness.catalogue.ageMs);
    if (readiness === 'ready') freshUntilMs = nowMs + stalenessMaxSeconds * 1000 - ageMs;
    return readiness;
  };
}

function findStale(
  code: 'accessStale' | 'catalogueStale',
  { ageMs, problem }: ListenerFreshness,
  stalenessMaxSeconds: number,
): NotReady | undefined {
  if (ageMs <= stalenessMaxSeconds * 1000) return undefined;
  const why = problem ?? new Wrong('databaseSilent');
  return inBoth(new Wrong(code, { seconds: Math.floor(ageMs / 1000), why }));
}
