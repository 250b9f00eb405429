/**
 * Keeps what is held in memory in step with the database, by revision. Who listens: access and the catalogue, each in
 * a loop of its own, so that neither waits for the other.
 */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Readiness } from '../runtime/readiness.ts';
import type { AccessRows } from '../storage/access/store.ts';
import type { Revision } from '../storage/history/revision.ts';
import { AccessFollower, type AccessFollowerOptions } from './access-follower.ts';
import { type FollowerLogger, type Pause, pauseFor } from './retry-loop.ts';
import { CatalogueFollower, type CatalogueFollowerOptions } from './catalogue-follower.ts';
import { Lag } from './lag.ts';
import { type LossCounts, Losses } from './losses.ts';

/** A revocation is in force within a second, also when the event loop is late and the database slow. */
const ACCESS_POLL_INTERVAL_MS = 50;
const CATALOGUE_POLL_INTERVAL_MS = 100;

export interface FollowerOptions {
  readonly storage: AccessFollowerOptions['storage'] & CatalogueFollowerOptions['storage'];
  readonly catalogue: Catalogue;
  /** Called with all partners, credentials, keys and operator tokens, at the start and when one of them changed. */
  readonly onAccess: (rows: AccessRows) => void;
  readonly logger: FollowerLogger;
  /** Milliseconds that only ever grow; not the wall clock, which may step. */
  readonly uptimeMs?: Clock;
  readonly clock?: Clock;
  readonly pause?: Pause;
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
  readonly access: ListenerFreshness;
  readonly catalogue: ListenerFreshness;
  /** Everything up to here is applied. */
  readonly revision: Revision;
  /** Revisions that the database was seen to have beyond it. */
  readonly lagRevisions: number;
  /** Milliseconds since all that the database had was applied: how old answers can be. */
  readonly lagMs: number;
}

export interface Follower {
  /** Resolves when the snapshot is in; rejects when it can't be read for a reason that waiting does not cure. */
  readonly ready: Promise<void>;
  freshness(): Freshness;
  /** How often the database went back. */
  readonly losses: LossCounts;
  /** Resolves when nothing touches the storage any more. */
  stop(): Promise<void>;
}

/** Starts to follow at once. */
export function startFollower(options: FollowerOptions): Follower {
  const { uptimeMs = () => performance.now(), clock = systemClock, pause, onAccess, logger } = options;
  const abort = new AbortController();
  const lag = new Lag(uptimeMs());
  const losses = new Losses(logger, clock);
  const shared = { ...options, uptimeMs, losses, signal: abort.signal };
  const access = new AccessFollower({
    ...shared,
    pause: pause ?? pauseFor(ACCESS_POLL_INTERVAL_MS),
    onAccess,
    onRevision: (revision, askedAtMs) => lag.saw(revision, askedAtMs),
  });
  const catalogue = new CatalogueFollower({
    ...shared,
    pause: pause ?? pauseFor(CATALOGUE_POLL_INTERVAL_MS),
    lag,
  });
  let isReady = false;
  const waitUntilReady = async (): Promise<void> => {
    await Promise.all([access.ready, catalogue.ready]);
    isReady = !abort.signal.aborted;
  };
  return {
    ready: waitUntilReady(),
    losses,
    freshness() {
      const nowMs = uptimeMs();
      return {
        ready: isReady,
        access: { ageMs: nowMs - access.levelAtMs, problem: access.problem },
        catalogue: { ageMs: nowMs - catalogue.progressAtMs, problem: catalogue.problem },
        // Properties may be ahead: access is as its own loop last read it.
        revision: Math.max(0, Math.min(lag.appliedRevision, access.revision)),
        lagRevisions: lag.revisions,
        lagMs: lag.ms(nowMs),
      };
    },
    async stop() {
      abort.abort();
      await Promise.all([access.done, catalogue.done]);
    },
  };
}

/** Whether what is held in memory is fresh enough to answer from, judged by the older of access and the catalogue. */
export function judgeReadiness(freshness: Freshness, stalenessMaxSeconds: number): Readiness {
  const { ready, access, catalogue } = freshness;
  if (!ready) return { reason: 'the catalogue is still being read into memory' };
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
  uptimeMs: Clock = () => performance.now(),
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
