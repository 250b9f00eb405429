/**
 * How far the catalogue is behind the database, in revisions and in time.
 *
 * The time is that since the newest revision was asked for of which everything is applied. Under a lasting backlog the
 * database is never caught up with as it is now, so a mark is set at what it had at one instant; when that is reached,
 * the next mark is set. So the time is right at a mark, and at most twice as long as it should be before the next.
 */
import type { Revision } from '../storage/history/revision.ts';

export class Lag {
  #applied: Revision = 0;
  #seen: Revision = 0;
  #seenAtMs = Number.NEGATIVE_INFINITY;
  #levelAtMs: number;
  #mark: { readonly revision: Revision; readonly askedAtMs: number } | undefined;

  constructor(nowMs: number) {
    this.#levelAtMs = nowMs;
  }

  /** Everything up to here is applied. */
  get appliedRevision(): Revision {
    return this.#applied;
  }

  /** Revisions that the database was seen to have beyond it. */
  get revisions(): number {
    return Math.max(0, this.#seen - this.#applied);
  }

  /** When everything that the database had was applied: how old answers can be. */
  get levelAtMs(): number {
    return this.#levelAtMs;
  }

  /** The database had this revision at that time. The later query counts: the database may have gone back. */
  saw(revision: Revision, askedAtMs: number): void {
    if (askedAtMs < this.#seenAtMs) return;
    this.#seen = revision;
    this.#seenAtMs = askedAtMs;
    if (this.#mark === undefined || this.#mark.revision > revision) this.#mark = { revision, askedAtMs };
    this.#settle();
  }

  /** What is applied is of a history that the database does not have any more. */
  lose(): void {
    this.#applied = 0;
    this.#mark = undefined;
  }

  apply(revision: Revision): void {
    this.#applied = Math.max(this.#applied, revision);
    this.#settle();
  }

  #settle(): void {
    if (this.#mark === undefined || this.#applied < this.#mark.revision) return;
    this.#levelAtMs = Math.max(this.#levelAtMs, this.#mark.askedAtMs);
    this.#mark = undefined;
  }
}
