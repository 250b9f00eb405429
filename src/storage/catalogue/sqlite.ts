/** The catalogue on SQLite, except documents, which are written with the layers of supply. */
import type { DatabaseSync } from 'node:sqlite';
import type { PropertyDetails } from '../../domain/property-details.ts';
import type { Clock } from '../../runtime/clock.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { openReader } from '../engine/sqlite/connection.ts';
import type { Session } from '../engine/sqlite/session.ts';
import type { WriteContext } from '../engine/sqlite/write-context.ts';
import { inReadTransaction } from '../engine/sqlite/transactions.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import { type HistoryMark, NOTHING_READ, type Revision } from '../history/revision.ts';
import { prepareHistoryQueries, selectHistory } from '../history/sqlite.ts';
import { beginSnapshot } from './sqlite-snapshot.ts';
import { applyWithdrawals, type CatalogueWriteStatements } from './sqlite-writes.ts';
import type {
  CatalogueStore,
  ChangeCursor,
  FollowedCatalogue,
  PropertyChanges,
  Snapshot,
  StoredProperty,
} from './store.ts';
import { pageOfChanges } from './change-cursor.ts';
import { collectChanges, type FollowedRow, type StoredRow, toStoredProperty } from './property-rows.ts';
import { type DetailsRow, parseDetails } from '../../domain/ledger/stored-document.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';

type Reader = Session<CatalogueQueries & { readonly cache: PropertyCache }>;

interface SqliteCatalogueOptions {
  readonly path: string;
  readonly reader: Reader;
  readonly writer: Remote<ReturnType<typeof catalogueOperations>>;
  readonly clock: Clock;
}

interface SqliteCatalogue {
  readonly store: Pick<CatalogueStore, 'withdrawProperties' | 'findProperty' | 'findDetails'> &
    Omit<FollowedCatalogue, 'readHistory'>;
  /** All open snapshots. */
  readonly snapshots: ReadonlySet<Snapshot>;
}

export function sqliteCatalogue({ path, reader, writer, clock }: SqliteCatalogueOptions): SqliteCatalogue {
  const snapshots = new Set<Snapshot>();
  const store: SqliteCatalogue['store'] = {
    withdrawProperties: (propertyIds) => writer.withdrawProperties([propertyIds, clock()]),
    findProperty: createPropertyReads(reader),
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

/** Has its own connection, opened within the reader's session, which has checked the schema. */
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

// Reading properties on the main thread; every statement goes by an index.

export function prepareCatalogueQueries(database: DatabaseSync) {
  return {
    ...prepareHistoryQueries(database),
    property: database.prepare(`
      SELECT p.property_id, p.revision, p.content_hash, p.source, p.changed_at_ms, p.lowest_rates, t.nights, t.rates,
        CASE t.position WHEN 0 THEN p.document END AS document
      FROM properties p JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ?
      ORDER BY t.position`),
    details: database.prepare('SELECT details FROM property_details WHERE property_id = ?'),
    propertyState: database.prepare('SELECT revision, content_hash FROM properties WHERE property_id = ?'),
    changedIds: database.prepare(`
      SELECT property_id FROM properties
      WHERE (revision, property_id) > (?, ?)
      ORDER BY revision, property_id
      LIMIT ?`),
    followed: database.prepare(`
      SELECT p.property_id, p.revision, p.lowest_rates, t.nights, t.rates,
        CASE WHEN t.position = 0 THEN p.document END AS document
      FROM properties p LEFT JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ?
      ORDER BY t.position`),
  };
}

/** Distinguishes two states of a property; with the hash, because the database may have gone back. */
export interface PropertyState {
  readonly revision: Revision;
  readonly content_hash: string | null;
}

export type CatalogueQueries = ReturnType<typeof prepareCatalogueQueries>;

export function selectProperty(
  { property }: CatalogueQueries,
  propertyId: string,
): StoredProperty | undefined {
  return toStoredProperty(property.all(propertyId) as unknown as StoredRow[]);
}

export function selectDetails(
  { details }: Pick<CatalogueQueries, 'details'>,
  propertyId: string,
): PropertyDetails | undefined {
  const row = details.get(propertyId) as unknown as DetailsRow | undefined;
  return row && parseDetails(row.details);
}

/** Within a transaction: the history must be the one that the rows show. Throws `HistoryLost`. */
export function selectChanges(
  queries: CatalogueQueries,
  after: ChangeCursor,
  limit: number,
): PropertyChanges {
  const newest = selectHistory(queries.history, after.history);
  const ids = queries.changedIds.all(after.revision, after.propertyId, limit + 1);
  const rows = ids
    .slice(0, limit)
    .flatMap((row) => queries.followed.all(row['property_id'] ?? null) as unknown as FollowedRow[]);
  return pageOfChanges(collectChanges(rows), ids.length > limit, newest);
}

// Starting a read costs as much as reading a cached property. So properties requested in one turn of the event loop are
// read together at its end, in one view of the database that is never older than the request.

interface AskedProperty {
  readonly propertyId: string;
  readonly resolve: (found: StoredProperty | undefined) => void;
  readonly reject: (error: unknown) => void;
}

function createPropertyReads(reader: Reader): CatalogueStore['findProperty'] {
  let asked: AskedProperty[] = [];

  const read = (all: readonly AskedProperty[]): readonly (StoredProperty | undefined)[] =>
    reader.run(({ cache }, database) => {
      const readAll = () => all.map(({ propertyId }) => cache.find(propertyId));
      return all.length === 1 ? readAll() : inReadTransaction(database, readAll);
    });

  function answer(all: readonly AskedProperty[]): void {
    try {
      for (const [index, found] of read(all).entries()) all[index]!.resolve(found);
    } catch (error) {
      // One broken property must not fail the others.
      if (all.length === 1 || error instanceof StorageUnavailable) {
        for (const { reject } of all) reject(error);
      } else for (const one of all) answer([one]);
    }
  }

  return (propertyId) =>
    new Promise((resolve, reject) => {
      if (asked.push({ propertyId, resolve, reject }) > 1) return;
      setImmediate(() => {
        const all = asked;
        asked = [];
        answer(all);
      });
    });
}

// Recently read properties, valid as long as the database holds the same. Every write to a property gives it a new
// revision; the hash of the content distinguishes equal revisions of different histories. Reading both costs a sixth of
// reading and parsing the property.

/** Bytes of documents and calendars as stored; parsed, they take about four times as much. */
export const CACHE_BYTES_MAX = 16 * 2 ** 20;

interface CachedProperty {
  readonly stored: StoredProperty;
  readonly contentHash: string | null;
  readonly size: number;
}

/** Serves one connection. Its results are shared: callers must not change them. */
export class PropertyCache {
  readonly #queries: Pick<CatalogueQueries, 'property' | 'propertyState'>;
  /** Least recently used first. */
  readonly #kept: BoundedMap<CachedProperty>;

  constructor(queries: Pick<CatalogueQueries, 'property' | 'propertyState'>, bytesMax = CACHE_BYTES_MAX) {
    this.#queries = queries;
    this.#kept = new BoundedMap(bytesMax);
  }

  /** Undefined when there is none, or a tombstone. */
  find(propertyId: string): StoredProperty | undefined {
    const kept = this.#kept.get(propertyId);
    if (kept === undefined) return this.#read(propertyId);
    const state = this.#queries.propertyState.get(propertyId) as unknown as PropertyState | undefined;
    if (state?.revision !== kept.stored.revision || state.content_hash !== kept.contentHash)
      return this.#read(propertyId);
    this.#kept.set(propertyId, kept, kept.size);
    return kept.stored;
  }

  #read(propertyId: string): StoredProperty | undefined {
    const rows = this.#queries.property.all(propertyId) as unknown as (StoredRow & PropertyState)[];
    const stored = toStoredProperty(rows);
    if (stored === undefined) {
      this.#kept.delete(propertyId);
      return undefined;
    }
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    this.#kept.set(propertyId, { stored, contentHash: rows[0]!.content_hash, size }, size);
    return stored;
  }
}

function sizeOf({ document, nights, rates, lowest_rates }: StoredRow): number {
  const bytes = [nights, rates, lowest_rates].reduce((sum, value) => sum + (value?.byteLength ?? 0), 0);
  return (document?.length ?? 0) + bytes;
}
