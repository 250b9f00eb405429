/** The catalogue on SQLite, but for documents, which are written with the layers of supply. */
import type { Clock } from '../../runtime/clock.ts';
import { openReader } from '../engine/sqlite/connection.ts';
import type { Session } from '../engine/sqlite/session.ts';
import type { WriteContext } from '../engine/sqlite/write-context.ts';
import { inReadTransaction } from '../engine/sqlite/transactions.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import { type HistoryMark, NOTHING_READ } from '../history/revision.ts';
import {
  type CatalogueQueries,
  type PropertyState,
  selectChanges,
  selectDetails,
  selectListed,
  selectPropertyIds,
} from './sqlite-queries.ts';
import { beginSnapshot } from './sqlite-snapshot.ts';
import { applyWithdrawals, type CatalogueWriteStatements } from './sqlite-writes.ts';
import type { CatalogueStore, FollowedCatalogue, Snapshot, StoredProperty } from './store.ts';
import { type StoredRow, toStoredProperty } from './property-rows.ts';

type Reader = Session<CatalogueQueries & { readonly cache: PropertyCache }>;

interface SqliteCatalogueOptions {
  readonly path: string;
  readonly reader: Reader;
  readonly writer: Remote<ReturnType<typeof catalogueOperations>>;
  readonly clock: Clock;
}

interface SqliteCatalogue {
  readonly store: Omit<CatalogueStore, 'writeProperties' | 'compareProperties'> &
    Omit<FollowedCatalogue, 'readHistory'>;
  /** Those that are open. */
  readonly snapshots: ReadonlySet<Snapshot>;
}

export function sqliteCatalogue({ path, reader, writer, clock }: SqliteCatalogueOptions): SqliteCatalogue {
  const snapshots = new Set<Snapshot>();
  const store: SqliteCatalogue['store'] = {
    withdrawProperties: (propertyIds) => writer.withdrawProperties([propertyIds, clock()]),
    listPropertyIds: async (source, afterId, limit) =>
      reader.run((queries) => selectPropertyIds(queries, source, afterId, limit)),
    listProperties: async (afterId, limit, source) =>
      reader.run((queries) => selectListed(queries, afterId, limit, source)),
    findProperty: async (propertyId) => reader.run(({ cache }) => cache.find(propertyId)),
    findDetails: async (propertyId) => reader.run((queries) => selectDetails(queries, propertyId)),
    readPropertyChanges: async (after, limit) =>
      reader.run((queries, database) =>
        inReadTransaction(database, () => selectChanges(queries, after, limit)),
      ),
    async openSnapshot(known = NOTHING_READ) {
      const snapshot = openSnapshot(reader, { path, known }, () => snapshots.delete(snapshot));
      snapshots.add(snapshot);
      return snapshot;
    },
  };
  return { store, snapshots };
}

export function catalogueOperations({ transact }: WriteContext<CatalogueWriteStatements>) {
  return {
    withdrawProperties: (propertyIds: readonly string[], nowMs: number) =>
      transact((statements, database) => applyWithdrawals(statements, database, propertyIds, nowMs)),
  };
}

/** On a connection of its own; opened within the reader's session, which has checked the schema. */
function openSnapshot(
  reader: Reader,
  { path, known }: { readonly path: string; readonly known: HistoryMark },
  onClose: () => void,
): Snapshot {
  return reader.run(() => {
    const database = openReader(path);
    try {
      return beginSnapshot(database, known, onClose);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

// Properties that were read last, as long as they are what the database holds: each has a revision, and every
// writer that changes anything of a property gives it a new one; the hash of the content distinguishes the
// same revision of another history. Asking for both is a sixth of reading and parsing the property.

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
