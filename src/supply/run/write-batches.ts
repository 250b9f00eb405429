/** Writing an import in batches: one is collected while the one before is written. */
import type { CatalogueStore, PropertyWrite, WriteOutcome } from '../../storage/catalogue/store.ts';

/** Properties of one transaction. */
export const BATCH_PROPERTIES_MAX = 500;
/** About the memory of one batch; two are held at once. */
export const BATCH_BYTES_MAX = 8 * 1024 * 1024;

export type OutcomeCounts = Record<Exclude<WriteOutcome, 'foreign'>, number>;

interface Waiting {
  readonly write: PropertyWrite;
  readonly onForeign: () => void;
}

export class WriteBatches {
  readonly counts: OutcomeCounts = { created: 0, changed: 0, unchanged: 0 };
  readonly #write: (writes: readonly PropertyWrite[]) => Promise<readonly WriteOutcome[]>;
  #batch: Waiting[] = [];
  #batchBytes = 0;
  #underway: Promise<void> = Promise.resolve();

  /** With `dryRun` nothing is written, only compared. */
  constructor(storage: CatalogueStore, { dryRun }: { readonly dryRun: boolean }) {
    this.#write = (writes) => (dryRun ? storage.compareProperties(writes) : storage.writeProperties(writes));
  }

  /** `onForeign` is called when another source owns the property and `isOwnOnly` is set. */
  async add(write: PropertyWrite, bytes: number, onForeign: () => void): Promise<void> {
    this.#batch.push({ write, onForeign });
    this.#batchBytes += bytes;
    if (this.#batch.length >= BATCH_PROPERTIES_MAX || this.#batchBytes >= BATCH_BYTES_MAX) await this.#send();
  }

  /** Resolves when everything that was added has been written. */
  async finish(): Promise<void> {
    if (this.#batch.length > 0) await this.#send();
    await this.#underway;
  }

  async #send(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    await this.#underway;
    this.#underway = this.#writeBatch(batch);
    // The next one to await it gets the rejection; until then it must not count as unhandled.
    this.#underway.catch(() => undefined);
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const outcomes = await this.#write(batch.map(({ write }) => write));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === 'foreign') batch[index]!.onForeign();
      else this.counts[outcome] += 1;
    }
  }
}
