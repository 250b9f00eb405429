/**
 * Follows partners, credentials, handoff keys and operator tokens in a loop of its own: a revocation waits neither for
 * an import nor for a snapshot. Rows are read again only when one of them changed.
 */
import { isSameMark, markOfAccess } from '../../storage/access/access-mark.ts';
import type { AccessMark, AccessRows, FollowedAccess } from '../../storage/access/store.ts';
import {
  type HistoryMark,
  isSameHistory,
  NOTHING_READ,
  type Revision,
} from '../../storage/history/revision.ts';
import { HistoryLost } from '../../storage/storage.ts';
import type { Losses } from './losses.ts';
import { type LoopOptions, RetryLoop } from './retry-loop.ts';

export interface AccessFollowerOptions extends LoopOptions {
  readonly storage: FollowedAccess;
  readonly onAccess: (rows: AccessRows) => void;
  /** Called with the newest revision of the database, and the time of that query. */
  readonly onRevision: (revision: Revision, askedAtMs: number) => void;
  readonly losses: Losses;
}

export class AccessFollower {
  /** Resolves when the rows are in, or at a stop; rejects when waiting does not help. */
  readonly ready: Promise<void>;
  /** Resolves when the storage is no longer in use. */
  readonly done: Promise<void>;
  readonly #options: AccessFollowerOptions;
  readonly #retry: RetryLoop;
  /** History of the rows; nothing before the first read. */
  #history: HistoryMark = NOTHING_READ;
  #mark: AccessMark | undefined;
  #levelAtMs: number;

  constructor(options: AccessFollowerOptions) {
    this.#options = options;
    this.#retry = new RetryLoop('access', options.logger);
    this.#levelAtMs = options.uptimeMs();
    this.ready = this.#start();
    this.done = this.ready.then(
      () => this.#followUntilStopped(),
      () => undefined,
    );
  }

  /** Revision of the rows; negative before the first read. */
  get revision(): Revision {
    return this.#history.revision;
  }

  /** When memory last equalled the database. */
  get levelAtMs(): number {
    return this.#levelAtMs;
  }

  /** Reason of the last failure. */
  get problem(): string | undefined {
    return this.#retry.problem;
  }

  async #start(): Promise<void> {
    const { signal, pause } = this.#options;
    await this.#retry.untilDone(
      () => this.#catchUp(),
      signal,
      () => pause(signal),
    );
  }

  async #followUntilStopped(): Promise<void> {
    const { signal, pause } = this.#options;
    for (;;) {
      await pause(signal);
      if (signal.aborted) return;
      await this.#retry.try(() => this.#catchUp());
    }
  }

  async #catchUp(): Promise<void> {
    const askedAtMs = this.#options.uptimeMs();
    try {
      await this.#followHistory(askedAtMs);
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      this.#options.losses.note('access', error);
      // The next time, all rows are read.
      this.#history = NOTHING_READ;
      this.#mark = undefined;
    }
  }

  async #followHistory(askedAtMs: number): Promise<void> {
    const { storage, onRevision } = this.#options;
    const newest = await storage.readHistory(this.#history);
    onRevision(newest.revision, askedAtMs);
    if (!isSameHistory(newest, this.#history)) await this.#readChanged();
    this.#levelAtMs = askedAtMs;
  }

  /** Most revisions change a property, so the rows are read only when their mark has changed. */
  async #readChanged(): Promise<void> {
    if (this.#mark !== undefined) {
      const { mark, history } = await this.#options.storage.readAccessMark(this.#history);
      if (isSameMark(this.#mark, mark)) {
        this.#history = history;
        return;
      }
    }
    await this.#readRows();
  }

  async #readRows(): Promise<void> {
    const { storage, onAccess } = this.#options;
    const { rows, history } = await storage.readAccessState();
    onAccess(rows);
    this.#mark = markOfAccess(rows);
    this.#history = history;
  }
}
