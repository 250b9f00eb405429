/**
 * Follows the properties: one snapshot at the start, then, several times a second, whatever was stamped since. A
 * snapshot is read again once in a while, for the nights that came into reach; and when the database went back, while
 * what is held goes on being served.
 */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../runtime/clock.ts';
import { cursorAfter } from '../storage/catalogue/change-cursor.ts';
import type { CatalogueStore, ChangeCursor, FollowedCatalogue } from '../storage/catalogue/store.ts';
import { NOTHING_READ, type Revision } from '../storage/history/revision.ts';
import { HistoryLost } from '../storage/storage.ts';
import { type FollowerLogger, type Pause, RetryLoop } from './retry-loop.ts';
import type { Lag } from './lag.ts';
import type { Losses } from './losses.ts';
import { PropertyIntake } from './property-intake.ts';

/** Properties of one query; reading them is one turn of the event loop, of a millisecond or two. */
const CHANGES_PER_READ = 25;
/** How long a refill that failed is left alone; the margin of the nights held covers days. */
const REFILL_AGAIN_MS = 10_000;

export interface CatalogueFollowerOptions {
  readonly storage: FollowedCatalogue & Pick<CatalogueStore, 'findProperty'>;
  readonly catalogue: Catalogue;
  readonly lag: Lag;
  readonly losses: Losses;
  readonly logger: FollowerLogger;
  readonly uptimeMs: Clock;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

export class CatalogueFollower {
  /** Resolves when the snapshot is in, or when stopped before; rejects when waiting does not help. */
  readonly ready: Promise<void>;
  /** Resolves when nothing touches the storage any more. */
  readonly done: Promise<void>;
  readonly #options: CatalogueFollowerOptions;
  readonly #intake: PropertyIntake;
  readonly #retry: RetryLoop;
  readonly #refills: RetryLoop;
  #cursor: ChangeCursor = cursorAfter(NOTHING_READ);
  /** Everything is held that the cursor has passed. */
  #isLoaded = false;
  #appliedRevision: Revision = NOTHING_READ.revision;
  #progressAtMs: number;
  /** Stays true until a refill ran to its end. */
  #isRefillDue = false;
  #refillNotBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(options: CatalogueFollowerOptions) {
    this.#options = options;
    this.#intake = new PropertyIntake(options.catalogue, options.storage, options.logger);
    this.#retry = new RetryLoop('catalogue', options.logger);
    this.#refills = new RetryLoop('horizon', options.logger);
    this.#progressAtMs = options.uptimeMs();
    this.ready = this.#start();
    this.done = this.ready.then(
      () => this.#followUntilStopped(),
      () => undefined,
    );
  }

  /** When it last was level with the database, or came a step closer. */
  get progressAtMs(): number {
    return this.#progressAtMs;
  }

  /** Why the last attempt failed. */
  get problem(): string | undefined {
    return this.#retry.problem;
  }

  async #start(): Promise<void> {
    const { catalogue, logger, signal, uptimeMs } = this.#options;
    const startedMs = uptimeMs();
    await this.#retry.untilDone(
      () => this.#loadSnapshot(),
      signal,
      () => this.#pause(),
    );
    const seconds = (uptimeMs() - startedMs) / 1000;
    if (!signal.aborted) logger.info({ ...catalogue.size(), seconds }, 'catalogue is in memory');
  }

  async #followUntilStopped(): Promise<void> {
    const { catalogue, signal, uptimeMs } = this.#options;
    for (;;) {
      await this.#pause();
      if (signal.aborted) return;
      await this.#retry.try(() => this.#catchUp());
      this.#isRefillDue ||= catalogue.isRefillDue();
      if (!this.#isRefillDue || !this.#isLoaded || uptimeMs() < this.#refillNotBeforeMs) continue;
      if (!(await this.#refills.try(() => this.#refill()))) {
        this.#refillNotBeforeMs = uptimeMs() + REFILL_AGAIN_MS;
      }
    }
  }

  /** What is held becomes what the database has. Where that breaks off, it has to be begun again. */
  async #loadSnapshot(): Promise<void> {
    const { storage, catalogue, lag, signal } = this.#options;
    const snapshot = await storage.openSnapshot();
    try {
      this.#cursor = cursorAfter(snapshot.history);
      this.#appliedRevision = snapshot.history.revision;
      const outdated = new Set(catalogue.propertyIds());
      for await (const batch of snapshot.readProperties()) {
        await this.#intake.applyAll(batch, outdated);
        this.#progress();
        if (signal.aborted) return;
      }
      // Withdrawn meanwhile, or never there.
      for (const propertyId of outdated) catalogue.forget(propertyId);
      this.#isLoaded = true;
      lag.apply(this.#appliedRevision);
    } finally {
      await snapshot.close();
    }
  }

  async #catchUp(): Promise<void> {
    try {
      if (this.#isLoaded) await this.#followHistory();
      else await this.#loadAgain();
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      this.#lose(error);
    }
  }

  /** The next time, everything is read again. */
  #lose(lost: HistoryLost): void {
    this.#options.losses.note('catalogue', lost);
    this.#options.lag.lose();
    this.#isLoaded = false;
  }

  async #loadAgain(): Promise<void> {
    const { catalogue, logger, signal, uptimeMs } = this.#options;
    const startedMs = uptimeMs();
    await this.#loadSnapshot();
    const seconds = (uptimeMs() - startedMs) / 1000;
    if (!signal.aborted) logger.info({ ...catalogue.size(), seconds }, 'catalogue was read again');
  }

  async #followHistory(): Promise<void> {
    const { storage, lag, signal, uptimeMs } = this.#options;
    const askedAtMs = uptimeMs();
    const { revision } = await storage.readHistory(this.#cursor.history);
    lag.saw(revision, askedAtMs);
    while (revision > this.#appliedRevision && !signal.aborted) {
      const page = await storage.readPropertyChanges(this.#cursor, CHANGES_PER_READ);
      await this.#intake.applyAll(page.changes);
      this.#cursor = page.cursor;
      this.#appliedRevision = page.complete ? page.cursor.revision : page.cursor.revision - 1;
      lag.apply(this.#appliedRevision);
      this.#progress();
      if (page.complete) break;
    }
    this.#progress();
  }

  /** The nights that came into reach since the last time, read from a snapshot while the margin covers them. */
  async #refill(): Promise<void> {
    const { storage, catalogue, logger, signal } = this.#options;
    catalogue.moveOn();
    try {
      const snapshot = await storage.openSnapshot(this.#cursor.history);
      try {
        for await (const batch of snapshot.readProperties()) {
          // Not held: withdrawn since the snapshot was taken.
          await this.#intake.applyAll(
            batch.filter(({ property }) => catalogue.revisionOf(property.propertyId) !== undefined),
          );
          if (signal.aborted) return;
          // A refill of a large catalogue takes minutes; what changes meanwhile may not wait for it.
          await this.#followHistory();
        }
      } finally {
        await snapshot.close();
      }
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      this.#lose(error);
      return;
    }
    this.#isRefillDue = false;
    logger.info({}, 'horizon moved forward');
  }

  #progress(): void {
    this.#progressAtMs = this.#options.uptimeMs();
  }

  async #pause(): Promise<void> {
    await this.#options.pause(this.#options.signal);
    this.#intake.beginSlice();
  }
}
