/**
 * The catalogue's lag behind the database, in revisions and in time.
 *
 * The time counts from the query of the newest revision that is completely applied. Under a lasting backlog the
 * catalogue never equals the present database, so one revision is a mark; when it is reached, the next mark is set. The
 * time is exact at a mark, and at most twice too long before the next.
 */
import type { Revision } from '../../storage/history/revision.ts';

export class Lag {
  #applied: Revision = 0;
  #seen: Revision = 0;
  #seenAtMs = Number.NEGATIVE_INFINITY;
  #levelAtMs: number;
  #mark: { readonly revision: Revision; readonly askedAtMs: number } | undefined;

  constructor(nowMs: number) {
    this.#levelAtMs = nowMs;
  }

  /** Known revisions of the database beyond it. */
  get revisions(): number {
    return Math.max(0, this.#seen - this.#applied);
  }

  /** When the whole database was applied: the age of answers. */
  get levelAtMs(): number {
    return this.#levelAtMs;
  }

  /** The database had this revision at that time. The later query counts, because the database may have gone back. */
  saw(revision: Revision, askedAtMs: number): void {
    if (askedAtMs < this.#seenAtMs) return;
    this.#seen = revision;
    this.#seenAtMs = askedAtMs;
    if (this.#mark === undefined || this.#mark.revision > revision) this.#mark = { revision, askedAtMs };
    this.#settle();
  }

  /** The applied revision is of a history that the database has lost. */
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
