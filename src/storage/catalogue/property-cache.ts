/**
 * Properties that were read last, as long as they are what the database holds: each has a revision, and every writer
 * that changes anything of a property gives it a new one; the hash of the content distinguishes the same revision of
 * another history. Asking for both is a sixth of reading and parsing the property.
 */
import type { CatalogueQueries, PropertyState } from './sqlite-queries.ts';
import { type StoredRow, toStoredProperty } from './property-rows.ts';
import type { StoredProperty } from './store.ts';

/** Of documents and calendars as they are stored; parsed, they take some four times as much. */
export const KEPT_BYTES_MAX = 16 * 2 ** 20;

interface Kept {
  readonly stored: StoredProperty;
  readonly contentHash: string | null;
  readonly size: number;
}

/** For one connection. What it hands out is shared: nobody may change it. */
export class PropertyCache {
  readonly #queries: Pick<CatalogueQueries, 'property' | 'propertyState'>;
  readonly #bytesMax: number;
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(queries: Pick<CatalogueQueries, 'property' | 'propertyState'>, bytesMax = KEPT_BYTES_MAX) {
    this.#queries = queries;
    this.#bytesMax = bytesMax;
  }

  /** Undefined when there is none, or a tombstone. */
  find(propertyId: string): StoredProperty | undefined {
    const kept = this.#kept.get(propertyId);
    if (kept === undefined) return this.#read(propertyId);
    this.#drop(propertyId, kept);
    const state = this.#queries.propertyState.get(propertyId) as unknown as PropertyState | undefined;
    if (state?.revision !== kept.stored.revision || state.content_hash !== kept.contentHash)
      return this.#read(propertyId);
    this.#keep(propertyId, kept);
    return kept.stored;
  }

  #read(propertyId: string): StoredProperty | undefined {
    const rows = this.#queries.property.all(propertyId) as unknown as (StoredRow & PropertyState)[];
    const stored = toStoredProperty(rows);
    if (stored === undefined) return undefined;
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    if (size > this.#bytesMax) return stored;
    this.#keep(propertyId, { stored, contentHash: rows[0]!.content_hash, size });
    for (const [oldestId, oldest] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(oldestId, oldest);
    }
    return stored;
  }

  #keep(propertyId: string, kept: Kept): void {
    this.#kept.set(propertyId, kept);
    this.#bytes += kept.size;
  }

  #drop(propertyId: string, kept: Kept): void {
    this.#kept.delete(propertyId);
    this.#bytes -= kept.size;
  }
}

function sizeOf({ document, nights, rates, lowest_rates }: StoredRow): number {
  const bytes = [nights, rates, lowest_rates].reduce((sum, value) => sum + (value?.byteLength ?? 0), 0);
  return (document?.length ?? 0) + bytes;
}
