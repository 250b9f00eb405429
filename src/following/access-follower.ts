/**
 * Follows partners, credentials, handoff keys and operator tokens, on a clock of its own: a revocation waits neither
 * for the backlog of an import nor for a snapshot. The rows are read again only when one of them changed.
 */
import type { Clock } from '../runtime/clock.ts';
import { isSameMark, markOfAccess } from '../storage/access-mark.ts';
import type { AccessMark, AccessRows, FollowedAccess } from '../storage/port/access-store.ts';
import type { Revision } from '../storage/port/revision.ts';
import { Attempts, type FollowerLogger } from './attempts.ts';
import type { Pause } from './pause.ts';

export interface AccessFollowerOptions {
  readonly storage: FollowedAccess;
  readonly onAccess: (rows: AccessRows) => void;
  /** Called with the newest revision of the database, and when it was asked for. */
  readonly onRevision: (revision: Revision, askedAtMs: number) => void;
  readonly logger: FollowerLogger;
  readonly uptimeMs: Clock;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

export class AccessFollower {
  /** Resolves when the rows are in, or when stopped before; rejects when waiting does not help. */
  readonly ready: Promise<void>;
  /** Resolves when nothing touches the storage any more. */
  readonly done: Promise<void>;
  readonly #options: AccessFollowerOptions;
  readonly #attempts: Attempts;
  #revision: Revision = -1;
  #mark: AccessMark | undefined;
  #levelAtMs: number;

  constructor(options: AccessFollowerOptions) {
    this.#options = options;
    this.#attempts = new Attempts('access', options.logger);
    this.#levelAtMs = options.uptimeMs();
    this.ready = this.#start();
    this.done = this.ready.then(
      () => this.#followUntilStopped(),
      () => undefined,
    );
  }

  /** The rows are those of this revision; negative before the first. */
  get revision(): Revision {
    return this.#revision;
  }

  /** When the database was last asked and what is known was found to be what it has. */
  get levelAtMs(): number {
    return this.#levelAtMs;
  }

  /** Why the last attempt failed. */
  get problem(): string | undefined {
    return this.#attempts.problem;
  }

  async #start(): Promise<void> {
    const { signal, pause } = this.#options;
    while (!signal.aborted && !(await this.#attempts.tryUnlessBroken(() => this.#catchUp())))
      await pause(signal);
  }

  async #followUntilStopped(): Promise<void> {
    const { signal, pause } = this.#options;
    for (;;) {
      await pause(signal);
      if (signal.aborted) return;
      await this.#attempts.try(() => this.#catchUp());
    }
  }

  async #catchUp(): Promise<void> {
    const { storage, onRevision, uptimeMs } = this.#options;
    const askedAtMs = uptimeMs();
    const revision = await storage.readRevision();
    onRevision(revision, askedAtMs);
    if (revision !== this.#revision) await this.#readChanged();
    this.#revision = revision;
    this.#levelAtMs = askedAtMs;
  }

  /** What moved the revision was mostly a property, so the rows are not read before their mark has changed. */
  async #readChanged(): Promise<void> {
    const { storage, onAccess } = this.#options;
    if (this.#mark !== undefined && isSameMark(this.#mark, await storage.readAccessMark())) return;
    const rows = await storage.readAccess();
    onAccess(rows);
    this.#mark = markOfAccess(rows);
  }
}
