/**
 * Keeps the read model and the access directory in step with the database, by revision.
 *
 * One snapshot at the start, then, several times a second, whatever was stamped since. Access comes first, so that a
 * revocation never waits behind an import. Work is done in slices that leave the event loop free.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import type { Clock } from '../runtime/clock.ts';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { buildLowestRates, lowestRatesHorizon } from '../domain/lowest-rates.ts';
import { cursorAfterRevision } from '../storage/change-cursor.ts';
import {
  StorageUnavailable,
  type AccessRows,
  type ChangeCursor,
  type FollowedProperty,
  type Revision,
  type Storage,
  type WithdrawnProperty,
} from '../storage/storage.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

const POLL_INTERVAL_MS = 100;
/** Properties asked for at once; reading them is one turn of the event loop, of a millisecond or two. */
const CHANGES_PER_READ = 25;
/** A slice of applying ends after this long. */
const SLICE_MS_MAX = 3;

type Log = (fields: object, message: string) => void;

export interface FollowerLogger {
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

export interface FollowerOptions {
  readonly storage: Pick<
    Storage,
    'readRevision' | 'readAccess' | 'readPropertyChanges' | 'openSnapshot' | 'findProperty'
  >;
  readonly catalogue: Catalogue;
  /** Called with all partners, credentials, keys and operator tokens, at the start and after every change. */
  readonly onAccess: (rows: AccessRows) => void;
  readonly logger: FollowerLogger;
  /** Milliseconds that only ever grow; not the wall clock, which may step. */
  readonly uptimeMs?: Clock;
  /** Waits until the database is asked again, or until the signal; never rejects. */
  readonly pause?: Pause;
}

type Pause = (signal: AbortSignal) => Promise<void>;

/** A pause of so many milliseconds. */
export function pauseFor(milliseconds: number): Pause {
  return (signal) => delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

export interface Freshness {
  /** The snapshot is in. */
  readonly ready: boolean;
  /** Milliseconds since the database last answered. */
  readonly contactAgeMs: number;
  /** Everything up to here is applied. */
  readonly revision: Revision;
  /** Revisions that the database was seen to have beyond it. */
  readonly lagRevisions: number;
  /** Milliseconds since all that the database had was applied: how old answers can be. */
  readonly lagMs: number;
}

export interface Follower {
  /** Resolves when the snapshot is in; rejects when it can't be read for a reason that waiting does not mend. */
  readonly ready: Promise<void>;
  freshness(): Freshness;
  /** Resolves when nothing touches the storage any more. */
  stop(): Promise<void>;
}

/** Starts to follow at once. */
export function startFollower(options: FollowerOptions): Follower {
  const follower = new RevisionFollower(options);
  return { ready: follower.ready, freshness: () => follower.freshness(), stop: () => follower.stop() };
}

class RevisionFollower {
  readonly ready: Promise<void>;
  readonly #options: FollowerOptions;
  readonly #uptimeMs: Clock;
  readonly #waitForPoll: Pause;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  #isReady = false;
  #lastContactMs: number;
  #cursor: ChangeCursor = cursorAfterRevision(0);
  #appliedRevision: Revision = 0;
  #seenRevision: Revision = 0;
  /** When the database was asked for the newest revision of which everything is applied. */
  #levelAtMs: number;
  #accessRevision: Revision = -1;
  #firstRevision: Revision | undefined;
  #isAway = false;
  /** Stays true until a refill ran to its end. */
  #isRefillDue = false;
  #sliceStartMs = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#uptimeMs = options.uptimeMs ?? (() => performance.now());
    this.#waitForPoll = options.pause ?? pauseFor(POLL_INTERVAL_MS);
    this.#lastContactMs = this.#uptimeMs();
    this.#levelAtMs = this.#lastContactMs;
    this.ready = this.#start();
    this.#done = this.ready.then(
      () => this.#followUntilStopped(),
      () => undefined,
    );
  }

  freshness(): Freshness {
    const nowMs = this.#uptimeMs();
    // Properties may be ahead: their last page can be newer than the revision for which access was read.
    const revision = Math.max(0, Math.min(this.#appliedRevision, this.#accessRevision));
    return {
      ready: this.#isReady,
      contactAgeMs: nowMs - this.#lastContactMs,
      revision,
      lagRevisions: Math.max(0, this.#seenRevision - revision),
      lagMs: nowMs - this.#levelAtMs,
    };
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }

  async #start(): Promise<void> {
    const startedMs = this.#uptimeMs();
    while (!this.#abort.signal.aborted && !(await this.#tryStorage(() => this.#loadSnapshot())))
      await this.#pause();
    this.#isReady = !this.#abort.signal.aborted;
    const seconds = (this.#uptimeMs() - startedMs) / 1000;
    this.#options.logger.info({ ...this.#options.catalogue.size(), seconds }, 'catalogue is in memory');
  }

  async #followUntilStopped(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      await this.#pause();
      await this.#tryStorage(() => this.#catchUp());
      this.#isRefillDue ||= this.#options.catalogue.isRefillDue();
      if (this.#isRefillDue) await this.#tryStorage(() => this.#refill());
    }
  }

  async #catchUp(): Promise<void> {
    const { storage } = this.#options;
    const askedAtMs = this.#uptimeMs();
    const revision = await storage.readRevision();
    this.#touch();
    this.#seenRevision = revision;
    if (revision > this.#accessRevision) await this.#readAccess(revision);
    while (revision > this.#appliedRevision && !this.#abort.signal.aborted) {
      const page = await storage.readPropertyChanges(this.#cursor, CHANGES_PER_READ);
      this.#touch();
      await this.#applyAll(page.changes);
      this.#cursor = page.cursor;
      if (page.complete) this.#appliedRevision = page.cursor.revision;
    }
    if (this.#appliedRevision >= revision) this.#levelAtMs = askedAtMs;
  }

  async #readAccess(revision: Revision): Promise<void> {
    this.#options.onAccess(await this.#options.storage.readAccess());
    this.#accessRevision = revision;
  }

  async #loadSnapshot(): Promise<void> {
    const snapshot = await this.#options.storage.openSnapshot();
    try {
      this.#options.onAccess(await snapshot.readAccess());
      this.#accessRevision = snapshot.revision;
      // A snapshot that broke off left properties behind; one withdrawn since then is in no later snapshot. So
      // following starts behind the first one that was begun, and sees the withdrawal.
      this.#firstRevision ??= snapshot.revision;
      for await (const batch of snapshot.readProperties()) {
        this.#touch();
        await this.#applyAll(batch);
        if (this.#abort.signal.aborted) return;
      }
      this.#cursor = cursorAfterRevision(this.#firstRevision);
      this.#appliedRevision = this.#firstRevision;
    } finally {
      await snapshot.close();
    }
  }

  /** The nights that came into reach since the last time, read from a snapshot while the margin covers them. */
  async #refill(): Promise<void> {
    const { storage, catalogue, logger } = this.#options;
    catalogue.moveOn();
    const snapshot = await storage.openSnapshot();
    try {
      for await (const batch of snapshot.readProperties()) {
        // Not held: withdrawn since the snapshot was taken.
        await this.#applyAll(
          batch.filter(({ property }) => catalogue.revisionOf(property.propertyId) !== undefined),
        );
        if (this.#abort.signal.aborted) return;
        // A refill of a large catalogue takes minutes; what changes meanwhile may not wait for it.
        await this.#catchUp();
      }
    } finally {
      await snapshot.close();
    }
    this.#isRefillDue = false;
    logger.info({}, 'horizon moved on');
  }

  /** One bad row is named and set aside; it does not keep the others from being followed. */
  async #applyAll(changes: readonly (FollowedProperty | WithdrawnProperty)[]): Promise<void> {
    for (const change of changes) {
      try {
        // Awaited only where there is something to wait for: a snapshot is a million turns of this loop.
        const isOdd = 'property' in change && this.#hasOtherHorizon(change);
        this.#options.catalogue.apply(isOdd ? await this.#withOwnHorizon(change) : change);
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error;
        const propertyId = 'property' in change ? change.property.propertyId : change.propertyId;
        this.#options.logger.error(
          { propertyId, err: error },
          'a property could not be taken into the catalogue',
        );
      }
      if (performance.now() - this.#sliceStartMs >= SLICE_MS_MAX) await this.#yield();
    }
  }

  #hasOtherHorizon({ lowestRates }: FollowedProperty): boolean {
    return lowestRatesHorizon(lowestRates) !== this.#options.catalogue.horizonNights;
  }

  /** Starting prices stored under another horizon are made anew from the rates. */
  async #withOwnHorizon(followed: FollowedProperty): Promise<FollowedProperty> {
    const { catalogue, storage } = this.#options;
    const stored = await storage.findProperty(followed.property.propertyId);
    if (stored === undefined) return followed;
    const calendars = stored.calendars.map(({ nights, rates }) => decodeCalendar(nights, rates));
    return { ...followed, lowestRates: buildLowestRates(calendars, catalogue.horizonNights) };
  }

  async #tryStorage(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      if (this.#isAway) this.#options.logger.info({}, 'database answers again');
      this.#isAway = false;
      return true;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (!this.#isAway) this.#options.logger.warn({ reason: error.message }, 'database does not answer');
      this.#isAway = true;
      return false;
    }
  }

  #touch(): void {
    this.#lastContactMs = this.#uptimeMs();
  }

  async #pause(): Promise<void> {
    await this.#waitForPoll(this.#abort.signal);
    this.#sliceStartMs = performance.now();
  }

  async #yield(): Promise<void> {
    await nextTurn();
    this.#sliceStartMs = performance.now();
  }
}
