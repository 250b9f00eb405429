/**
 * Follows the properties: one snapshot at the start, then, several times a second, whatever was stamped since. A
 * snapshot is read again once in a while, for the nights that came into reach; and when the database went back, while
 * what is held goes on being served.
 */
import type { CatalogueWriter } from '../catalogue/catalogue-writer.ts';
import type { HeapUse } from '../catalogue/memory/heap.ts';
import type { Clock } from '../runtime/clock.ts';
import { cursorAfter } from '../storage/catalogue/change-cursor.ts';
import type { CatalogueStore, ChangeCursor, FollowedCatalogue } from '../storage/catalogue/store.ts';
import { type HistoryMark, NOTHING_READ, type Revision } from '../storage/history/revision.ts';
import { HistoryLost } from '../storage/storage.ts';
import { type FollowerLogger, type Pause, RetryLoop } from './retry-loop.ts';
import type { Lag } from './lag.ts';
import type { Losses } from './losses.ts';
import { inMarketOrder } from './market-order.ts';
import { PropertyIntake, type TakingModel } from './property-intake.ts';

/** Properties of one query: they become visible together. */
const CHANGES_PER_READ = 25;
/** Batches of a snapshot that become visible together where what they replace is served meanwhile. */
const BATCHES_PER_VERSION = 32;
/** How long a refill that failed is left alone; the margin of the nights held covers days. */
const REFILL_AGAIN_MS = 10_000;

/** The catalogue as its writer has it. */
export type FollowedModel = TakingModel &
  Pick<
    CatalogueWriter,
    'isRefillDue' | 'moveOn' | 'prepare' | 'propertyIds' | 'revisionOf' | 'show' | 'size'
  >;

/** A catalogue of an earlier time, to go on from. */
export interface SavedCatalogue {
  readonly history: HistoryMark;
  /** The catalogue holds it from now on. */
  readonly take: () => void;
  /** It is not used; says so, and why. */
  readonly refuse: (reason: string) => void;
}

export interface CatalogueFollowerOptions {
  readonly storage: FollowedCatalogue & Pick<CatalogueStore, 'findProperty'>;
  readonly catalogue: FollowedModel;
  /** Resolves when readers know the memory in which what was prepared is. */
  readonly announced?: () => Promise<unknown>;
  /** Looks for one at the start; undefined where there is none that could be used. */
  readonly openSaved?: (() => Promise<SavedCatalogue | undefined>) | undefined;
  readonly lag: Lag;
  readonly losses: Losses;
  readonly logger: FollowerLogger;
  readonly uptimeMs: Clock;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

/** How fresh the catalogue is, as its follower says; numbers only, to be told to other threads. */
export interface CatalogueState {
  /** Where it is being read from for the first time; undefined once it was. */
  readonly loadsFrom: 'file' | 'database' | undefined;
  /** When it last was level with the database, or came a step closer; by `machineUptime`. */
  readonly progressAtMs: number;
  /** Why the last query failed. */
  readonly problem: string | undefined;
  /** Everything up to here is shown. */
  readonly revision: Revision;
  /** The newest state of the database that was read; undefined while what is shown may be of another history. */
  readonly history?: HistoryMark | undefined;
  /** Revisions that the database was seen to have beyond it. */
  readonly lagRevisions: number;
  /** When everything that the database had was shown. */
  readonly levelAtMs: number;
  /** How often the database was found to be of another history, and when last, in Unix ms. */
  readonly lossCount: number;
  readonly lostAtMs: number | undefined;
  /** Where it is in memory of several threads. */
  readonly memory?: HeapUse;
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
  #loadsFrom: CatalogueState['loadsFrom'];
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
    this.#loadsFrom = options.openSaved === undefined ? 'database' : 'file';
    this.ready = this.#start();
    this.done = this.ready.then(
      () => this.#followUntilStopped(),
      () => undefined,
    );
  }

  get state(): CatalogueState {
    const { lag, losses } = this.#options;
    return {
      loadsFrom: this.#loadsFrom,
      progressAtMs: this.#progressAtMs,
      problem: this.#retry.problem,
      revision: lag.appliedRevision,
      history: this.#isLoaded ? this.#cursor.history : undefined,
      lagRevisions: lag.revisions,
      levelAtMs: lag.levelAtMs,
      lossCount: losses.counts.catalogue,
      lostAtMs: losses.lastAtMs,
    };
  }

  /** Up to here everything is shown, and nothing else is under way; undefined while that is not so. */
  get settled(): HistoryMark | undefined {
    const { history } = this.#cursor;
    const isWhole = this.#isLoaded && history.revision === this.#appliedRevision;
    return isWhole && !this.#isRefillDue ? history : undefined;
  }

  async #start(): Promise<void> {
    const { catalogue, logger, openSaved, signal, uptimeMs } = this.#options;
    const startedMs = uptimeMs();
    let saved = await openSaved?.();
    if (saved === undefined) this.#loadsFrom = 'database';
    await this.#retry.untilDone(
      async () => {
        if (saved !== undefined) await this.#takeSaved(saved);
        saved = undefined;
        if (this.#isLoaded) await this.#catchUp();
        if (!this.#isLoaded) await this.#loadSnapshot();
      },
      signal,
      () => this.#pause(),
    );
    const from = this.#loadsFrom;
    this.#loadsFrom = undefined;
    const seconds = (uptimeMs() - startedMs) / 1000;
    if (!signal.aborted) logger.info({ ...catalogue.size(), from, seconds }, 'catalogue is in memory');
  }

  /** Unless the database has another history. */
  async #takeSaved({ history, take, refuse }: SavedCatalogue): Promise<void> {
    try {
      await this.#options.storage.readHistory(history);
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      this.#loadsFrom = 'database';
      return refuse('is of another history than the database, or too old');
    }
    take();
    this.#cursor = cursorAfter(history);
    this.#appliedRevision = history.revision;
    this.#isLoaded = true;
    await this.#publish();
    this.#options.lag.apply(history.revision);
  }

  async #followUntilStopped(): Promise<void> {
    const { catalogue, signal, uptimeMs } = this.#options;
    let isBusy = false;
    for (;;) {
      await this.#pause(isBusy);
      if (signal.aborted) return;
      const revisionBefore = this.#appliedRevision;
      await this.#retry.try(() => this.#catchUp());
      isBusy = this.#appliedRevision !== revisionBefore;
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
      const isServed = outdated.size > 0;
      let batchCount = 0;
      const batches = inMarketOrder(snapshot.readProperties(), () => this.#progress(), signal);
      for await (const batch of batches) {
        await this.#intake.applyAll(batch, outdated);
        // What is replaced while it is served is there twice until the new version is shown.
        batchCount += 1;
        if (isServed && batchCount % BATCHES_PER_VERSION === 0) await this.#publish();
        this.#progress();
        if (signal.aborted) break;
      }
      if (signal.aborted) return;
      // Withdrawn meanwhile, or never there.
      for (const propertyId of outdated) catalogue.forget(propertyId);
      await this.#publish();
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
    if (this.#loadsFrom === 'file') this.#loadsFrom = 'database';
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
      await this.#publish();
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
        await this.#publish();
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

  /** Shows readers all that was taken in. */
  async #publish(): Promise<void> {
    const { announced, catalogue } = this.#options;
    const root = catalogue.prepare();
    await announced?.();
    if (root !== undefined) catalogue.show(root);
  }

  #progress(): void {
    this.#progressAtMs = this.#options.uptimeMs();
  }

  async #pause(isBusy?: boolean): Promise<void> {
    await this.#options.pause(this.#options.signal, isBusy);
  }
}
