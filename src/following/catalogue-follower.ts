/**
 * Follows the properties: one snapshot at the start, then, several times a second, whatever was stamped since; and
 * once in a while a snapshot again, for the nights that came into reach.
 */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../runtime/clock.ts';
import { cursorAfterRevision } from '../storage/change-cursor.ts';
import type { CatalogueStore, ChangeCursor, FollowedCatalogue } from '../storage/port/catalogue-store.ts';
import type { Revision } from '../storage/port/revision.ts';
import { Attempts, type FollowerLogger } from './attempts.ts';
import type { Lag } from './lag.ts';
import type { Pause } from './pause.ts';
import { PropertyIntake } from './property-intake.ts';

/** Properties asked for at once; reading them is one turn of the event loop, of a millisecond or two. */
const CHANGES_PER_READ = 25;
/** How long a refill that failed is left alone; the margin of the nights held covers days. */
const REFILL_AGAIN_MS = 10_000;

export interface CatalogueFollowerOptions {
  readonly storage: FollowedCatalogue & Pick<CatalogueStore, 'findProperty'>;
  readonly catalogue: Catalogue;
  readonly lag: Lag;
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
  readonly #attempts: Attempts;
  readonly #refills: Attempts;
  #cursor: ChangeCursor = cursorAfterRevision(0);
  #firstRevision: Revision | undefined;
  #progressAtMs: number;
  /** Stays true until a refill ran to its end. */
  #isRefillDue = false;
  #refillNotBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(options: CatalogueFollowerOptions) {
    this.#options = options;
    this.#intake = new PropertyIntake(options.catalogue, options.storage, options.logger);
    this.#attempts = new Attempts('catalogue', options.logger);
    this.#refills = new Attempts('horizon', options.logger);
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
    return this.#attempts.problem;
  }

  async #start(): Promise<void> {
    const { catalogue, logger, signal, uptimeMs } = this.#options;
    const startedMs = uptimeMs();
    while (!signal.aborted && !(await this.#attempts.tryUnlessBroken(() => this.#loadSnapshot())))
      await this.#pause();
    const seconds = (uptimeMs() - startedMs) / 1000;
    if (!signal.aborted) logger.info({ ...catalogue.size(), seconds }, 'catalogue is in memory');
  }

  async #followUntilStopped(): Promise<void> {
    const { catalogue, signal, uptimeMs } = this.#options;
    for (;;) {
      await this.#pause();
      if (signal.aborted) return;
      await this.#attempts.try(() => this.#catchUp());
      this.#isRefillDue ||= catalogue.isRefillDue();
      if (!this.#isRefillDue || uptimeMs() < this.#refillNotBeforeMs) continue;
      if (!(await this.#refills.try(() => this.#refill()))) {
        this.#refillNotBeforeMs = uptimeMs() + REFILL_AGAIN_MS;
      }
    }
  }

  async #loadSnapshot(): Promise<void> {
    const { storage, lag, signal } = this.#options;
    const snapshot = await storage.openSnapshot();
    try {
      // A snapshot that broke off left properties behind; one withdrawn since then is in no later snapshot. So
      // following starts behind the first one that was begun, and sees the withdrawal.
      this.#firstRevision ??= snapshot.revision;
      for await (const batch of snapshot.readProperties()) {
        await this.#intake.applyAll(batch);
        this.#progress();
        if (signal.aborted) return;
      }
      this.#cursor = cursorAfterRevision(this.#firstRevision);
      lag.apply(this.#firstRevision);
    } finally {
      await snapshot.close();
    }
  }

  async #catchUp(): Promise<void> {
    const { storage, lag, signal, uptimeMs } = this.#options;
    const askedAtMs = uptimeMs();
    const revision = await storage.readRevision();
    lag.saw(revision, askedAtMs);
    while (revision > lag.appliedRevision && !signal.aborted) {
      const page = await storage.readPropertyChanges(this.#cursor, CHANGES_PER_READ);
      await this.#intake.applyAll(page.changes);
      this.#cursor = page.cursor;
      lag.apply(page.complete ? page.cursor.revision : page.cursor.revision - 1);
      this.#progress();
      if (page.complete) break;
    }
    this.#progress();
  }

  /** The nights that came into reach since the last time, read from a snapshot while the margin covers them. */
  async #refill(): Promise<void> {
    const { storage, catalogue, logger, signal } = this.#options;
    catalogue.moveOn();
    const snapshot = await storage.openSnapshot();
    try {
      for await (const batch of snapshot.readProperties()) {
        // Not held: withdrawn since the snapshot was taken.
        await this.#intake.applyAll(
          batch.filter(({ property }) => catalogue.revisionOf(property.propertyId) !== undefined),
        );
        if (signal.aborted) return;
        // A refill of a large catalogue takes minutes; what changes meanwhile may not wait for it.
        await this.#catchUp();
      }
    } finally {
      await snapshot.close();
    }
    this.#isRefillDue = false;
    logger.info({}, 'horizon moved on');
  }

  #progress(): void {
    this.#progressAtMs = this.#options.uptimeMs();
  }

  async #pause(): Promise<void> {
    await this.#options.pause(this.#options.signal);
    this.#intake.beginSlice();
  }
}
