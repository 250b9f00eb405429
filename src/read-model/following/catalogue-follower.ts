/**
 * Follows the properties: one snapshot at the start, then changes several times a second. A snapshot is read again for
 * nights that came into reach, and when the database went back; meanwhile the held properties are served.
 */
import type { CatalogueWriter } from '../catalogue/catalogue-writer.ts';
import type { HeapUse } from '../catalogue/memory/heap.ts';
import { assertState } from '../../runtime/assertions.ts';
import { cursorAfter } from '../../storage/catalogue/change-cursor.ts';
import type { CatalogueStore, ChangeCursor, FollowedCatalogue } from '../../storage/catalogue/store.ts';
import { type HistoryMark, NOTHING_READ, type Revision } from '../../storage/history/revision.ts';
import { HistoryLost } from '../../storage/storage.ts';
import { type LoopOptions, RetryLoop } from './retry-loop.ts';
import type { Lag } from './lag.ts';
import type { Losses } from './losses.ts';
import { inMarketOrder } from './market-order.ts';
import { PropertyIntake, type TakingModel } from './property-intake.ts';

/** Properties of one query: published together. */
const CHANGES_PER_READ = 25;
/** Batches of a snapshot that are published together while old properties are served. */
const BATCHES_PER_VERSION = 32;
/** Pause after a failed refill; the margin of the held nights covers days. */
const REFILL_AGAIN_MS = 10_000;

/** The writer's side of the catalogue. */
export type FollowedModel = TakingModel &
  Pick<
    CatalogueWriter,
    'isRefillDue' | 'moveOn' | 'prepare' | 'propertyIds' | 'revisionOf' | 'show' | 'size'
  >;

/** An earlier catalogue to continue from. */
export interface SavedCatalogue {
  readonly history: HistoryMark;
  /** Makes the catalogue adopt it. */
  readonly take: () => void;
  readonly refuse: (reason: string) => void;
}

export interface CatalogueFollowerOptions extends LoopOptions {
  readonly storage: FollowedCatalogue & Pick<CatalogueStore, 'findProperty'>;
  readonly catalogue: FollowedModel;
  /** Resolves when readers know the memory of the prepared version. */
  readonly announced?: () => Promise<unknown>;
  /** Opens a saved catalogue at the start; undefined when none fits. */
  readonly openSaved?: (() => Promise<SavedCatalogue | undefined>) | undefined;
  readonly lag: Lag;
  readonly losses: Losses;
  /** Smaller in tests. */
  readonly changesPerRead?: number | undefined;
}

/** Freshness of the catalogue, from its follower; only numbers, for other threads. */
export interface CatalogueState {
  /** Source of the first load; undefined afterwards. */
  readonly loadsFrom: 'file' | 'database' | undefined;
  /** When it last equalled the database, or came closer; by `machineUptime`. */
  readonly progressAtMs: number;
  /** Reason of the last failed query. */
  readonly problem: string | undefined;
  /** Everything up to here is published. */
  readonly revision: Revision;
  /** The newest state of the database that was read; undefined while what is shown may be of another history. */
  readonly history?: HistoryMark | undefined;
  /** Known revisions of the database beyond it. */
  readonly lagRevisions: number;
  /** When everything in the database was published. */
  readonly levelAtMs: number;
  /** Number of lost histories, and the last one in Unix ms. */
  readonly lossCount: number;
  readonly lostAtMs: number | undefined;
  /** Set for memory of several threads. */
  readonly memory?: HeapUse;
}

export class CatalogueFollower {
  /** Resolves when the snapshot is in, or at a stop; rejects when waiting does not help. */
  readonly ready: Promise<void>;
  /** Resolves when the storage is no longer in use. */
  readonly done: Promise<void>;
  readonly #options: CatalogueFollowerOptions;
  readonly #intake: PropertyIntake;
  readonly #retry: RetryLoop;
  readonly #refills: RetryLoop;
  #cursor: ChangeCursor = cursorAfter(NOTHING_READ);
  /** Everything before the cursor is held. */
  #isLoaded = false;
  /** Everything up to here is published. */
  #appliedRevision: Revision = NOTHING_READ.revision;
  #loadsFrom: CatalogueState['loadsFrom'];
  #progressAtMs: number;
  /** Stays true until a refill has finished. */
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
      revision: this.#appliedRevision,
      history: this.#isLoaded ? this.#cursor.history : undefined,
      lagRevisions: lag.revisions,
      levelAtMs: lag.levelAtMs,
      lossCount: losses.counts.catalogue,
      lostAtMs: losses.lastAtMs,
    };
  }

  /** Everything up to here is published and nothing is running; else undefined. */
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

  /** Refuses it if the database has another history. */
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
      const before = this.#cursor;
      await this.#retry.try(() => this.#catchUp());
      isBusy = this.#cursor !== before;
      this.#isRefillDue ||= catalogue.isRefillDue();
      if (!this.#isRefillDue || !this.#isLoaded || uptimeMs() < this.#refillNotBeforeMs) continue;
      if (!(await this.#refills.try(() => this.#refill()))) {
        this.#refillNotBeforeMs = uptimeMs() + REFILL_AGAIN_MS;
      }
    }
  }

  /** Replaces the held properties by those of the database. After a failure it starts over. */
  async #loadSnapshot(): Promise<void> {
    const { storage, catalogue, lag, signal } = this.#options;
    const snapshot = await storage.openSnapshot();
    try {
      this.#cursor = cursorAfter(snapshot.history);
      const outdated = new Set(catalogue.propertyIds());
      const isServed = outdated.size > 0;
      let batchCount = 0;
      const batches = inMarketOrder(snapshot.readProperties(), () => this.#progress(), signal);
      for await (const batch of batches) {
        await this.#intake.applyAll(batch, outdated);
        // Properties that are replaced while they are served take memory twice until the new version is published.
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
      this.#appliedRevision = snapshot.history.revision;
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

  /** Makes the next round read everything again. */
  #lose(lost: HistoryLost): void {
    this.#options.losses.note('catalogue', lost);
    this.#options.lag.lose();
    this.#appliedRevision = NOTHING_READ.revision;
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
    const { storage, lag, signal, uptimeMs, changesPerRead = CHANGES_PER_READ } = this.#options;
    const askedAtMs = uptimeMs();
    const { revision } = await storage.readHistory(this.#cursor.history);
    lag.saw(revision, askedAtMs);
    let reached = this.#appliedRevision;
    while (revision > reached && !signal.aborted) {
      const page = await storage.readPropertyChanges(this.#cursor, changesPerRead);
      assertState(
        page.cursor.revision >= this.#cursor.revision && (page.complete || page.changes.length > 0),
        'changes are read forwards',
      );
      await this.#intake.applyAll(page.changes);
      await this.#publish();
      this.#cursor = page.cursor;
      this.#progress();
      reached = page.complete ? page.cursor.revision : page.cursor.revision - 1;
      lag.apply(reached);
      // Properties that changed up to there, and again since, are behind the page: memory shows them as they were before.
      if (!page.complete) continue;
      this.#appliedRevision = reached;
      break;
    }
    this.#progress();
  }

  /** Reads the nights that came into reach from a snapshot, while the margin covers them. */
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

  /** Publishes all applied changes. */
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
