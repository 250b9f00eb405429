/**
 * Keeps what is held in memory in step with the database, by revision. Who listens: access and the catalogue, each in
 * a loop of its own, so that neither waits for the other.
 */
import type { HeapUse } from '../catalogue/memory/heap.ts';
import { type Clock, machineUptime, systemClock } from '../runtime/clock.ts';
import type { Readiness } from '../runtime/readiness.ts';
import type { AccessRows } from '../storage/access/store.ts';
import type { HistoryMark, Revision } from '../storage/history/revision.ts';
import { AccessFollower, type AccessFollowerOptions } from './access-follower.ts';
import { type FollowerLogger, type Pause, pauseFor } from './retry-loop.ts';
import {
  CatalogueFollower,
  type CatalogueFollowerOptions,
  type CatalogueState,
  type FollowedModel,
  type SavedCatalogue,
} from './catalogue-follower.ts';
import { Lag } from './lag.ts';
import { type LossCounts, Losses } from './losses.ts';

/** A revocation is in force within a second, also when the event loop is late and the database slow. */
const ACCESS_POLL_INTERVAL_MS = 50;
const CATALOGUE_POLL_INTERVAL_MS = 50;
/** While calendars change: how long one waits adds to how many wait, and each of them costs time. */
const CATALOGUE_BUSY_INTERVAL_MS = 10;
/** Between two rounds of following the properties. */
export const pauseOfCatalogue = pauseFor(CATALOGUE_POLL_INTERVAL_MS, CATALOGUE_BUSY_INTERVAL_MS);

interface FollowingOptions {
  readonly logger: FollowerLogger;
  /** Milliseconds that only ever grow; not the wall clock, which may step. */
  readonly uptimeMs?: Clock;
  readonly clock?: Clock;
  readonly pause?: Pause;
}

export interface CatalogueSourceOptions extends FollowingOptions {
  readonly storage: CatalogueFollowerOptions['storage'];
  readonly catalogue: FollowedModel;
  /** Resolves when readers know the memory in which what was prepared is. */
  readonly announced?: () => Promise<unknown>;
  readonly openSaved?: (() => Promise<SavedCatalogue | undefined>) | undefined;
}

/** Who follows the properties: this thread, or another one that tells this one how it stands. */
export interface CatalogueSource {
  /** Resolves when the snapshot is in; rejects when it can't be read for a reason that waiting does not cure. */
  readonly ready: Promise<void>;
  state(): CatalogueState;
  /** What it holds can be saved as of this state of the database; undefined while it can't. */
  settled?(): HistoryMark | undefined;
  /** Somebody else saw that the database had this revision at that time. */
  saw?(revision: Revision, askedAtMs: number): void;
  /** Resolves when nothing touches the storage any more. */
  stop(): Promise<void>;
}

export interface FollowerOptions extends FollowingOptions {
  readonly storage: AccessFollowerOptions['storage'];
  readonly source: CatalogueSource;
  /** Called with all partners, credentials, keys and operator tokens, at the start and when one of them changed. */
  readonly onAccess: (rows: AccessRows) => void;
}

/** How fresh one of the listeners is. */
export interface ListenerFreshness {
  /** Milliseconds since it last was level with the database; of the catalogue, or came a step closer. */
  readonly ageMs: number;
  /** Why its last query failed. */
  readonly problem: string | undefined;
}

export interface Freshness {
  /** The snapshot and access are in. */
  readonly ready: boolean;
  /** Where the catalogue is being read from, as long as it is for the first time. */
  readonly loadsFrom: CatalogueState['loadsFrom'];
  readonly access: ListenerFreshness;
  readonly catalogue: ListenerFreshness;
  /** Everything up to here is applied. */
  readonly revision: Revision;
  /** Revisions that the database was seen to have beyond it. */
  readonly lagRevisions: number;
  /** Milliseconds since all that the database had was applied: how old answers can be. */
  readonly lagMs: number;
  /** What the catalogue takes in memory of several threads; undefined where it is of one thread. */
  readonly memory?: HeapUse | undefined;
}

export interface Follower {
  /** Resolves when the snapshot is in; rejects when it can't be read for a reason that waiting does not cure. */
  readonly ready: Promise<void>;
  freshness(): Freshness;
  /** Up to where the catalogue in memory shows which history; undefined while it may show another one than there is. */
  shown(): { readonly revision: Revision; readonly history: HistoryMark } | undefined;
  /** How often the database went back. */
  readonly losses: LossCounts;
  /** Resolves when nothing touches the storage any more. */
  stop(): Promise<void>;
}

/** Starts to follow the properties at once, in this thread. */
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

/** Starts to follow access at once, and watches over who follows the properties. */
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
        lagRevisions,
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

/** Those of access in this thread, and of the catalogue wherever it is followed. */
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

/** Whether what is held in memory is fresh enough to answer from, judged by the older of access and the catalogue. */
export function judgeReadiness(freshness: Freshness, stalenessMaxSeconds: number): Readiness {
  const { ready, access, catalogue, loadsFrom = 'database' } = freshness;
  if (!ready) return { reason: `the catalogue is loading from ${loadsFrom}` };
  return (
    findStale('access', access, stalenessMaxSeconds) ??
    findStale('the catalogue', catalogue, stalenessMaxSeconds) ??
    'ready'
  );
}

/**
 * `judgeReadiness` as every request asks it. What is fresh stays so until the older of access and the catalogue would be
 * too old: until then nothing is judged again. `uptimeMs` is the follower's own.
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
  what: string,
  { ageMs, problem }: ListenerFreshness,
  stalenessMaxSeconds: number,
): { readonly reason: string } | undefined {
  if (ageMs <= stalenessMaxSeconds * 1000) return undefined;
  const reason = problem ?? 'the database does not answer';
  return {
    reason: `${what} could not be read from the database for ${Math.floor(ageMs / 1000)} seconds: ${reason}`,
  };
}
