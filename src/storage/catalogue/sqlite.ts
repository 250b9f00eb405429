/** The catalogue on SQLite, but for documents, which are written with the layers of supply. */
import type { Clock } from '../../runtime/clock.ts';
import { openReader } from '../engine/sqlite/connection.ts';
import type { Session } from '../engine/sqlite/session.ts';
import { type WriteContext } from '../engine/sqlite/write-context.ts';
import { inReadTransaction } from '../engine/sqlite/transactions.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import { type HistoryMark, NOTHING_READ } from '../history/revision.ts';
import type { PropertyCache } from './property-cache.ts';
import { type CatalogueQueries, selectChanges, selectListed, selectPropertyIds } from './sqlite-queries.ts';
import { beginSnapshot } from './sqlite-snapshot.ts';
import { applyWithdrawals, type CatalogueWriteStatements } from './sqlite-writes.ts';
import type { CatalogueStore, FollowedCatalogue, Snapshot } from './store.ts';

type Reader = Session<CatalogueQueries & { readonly cache: PropertyCache }>;

export interface SqliteCatalogueOptions {
  readonly path: string;
  readonly reader: Reader;
  readonly writer: Remote<ReturnType<typeof catalogueOperations>>;
  readonly clock: Clock;
}

export interface SqliteCatalogue {
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
