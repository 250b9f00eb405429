/**
 * The SQLite adapter: one file, one writer thread, readers on the main thread.
 */
import { resolve } from 'node:path';
import type { Clock } from '../../clock.ts';
import { assertStorableRow } from '../access-rows.ts';
import { assertStorableText } from '../storable-text.ts';
import type { PropertyWrite, QuoteRow, Snapshot, Storage } from '../storage.ts';
import { makeStoredWrite } from '../stored-write.ts';
import { selectAccess } from './access-queries.ts';
import { selectChanges, selectProperty, selectPropertyIds, selectRevision } from './catalogue-queries.ts';
import { openReader } from './connection.ts';
import { readSchemaVersion, SQLITE_SCHEMA_VERSION } from './migrate.ts';
import { packWrites } from './packed-writes.ts';
import { selectQuote } from './quote-queries.ts';
import { makeReaderSession, untilFree } from './reader.ts';
import { startSnapshot } from './snapshot.ts';
import { inReadTransaction } from './transactions.ts';
import { makeWriter } from './writer.ts';

export interface SqliteOptions {
  /** Relative to the working directory; folder and file are created. */
  readonly path: string;
  readonly clock: Clock;
  /** The file may not grow beyond so many pages; a write that would is refused as on a full disk. */
  readonly pageCountMax?: number;
}

/** Resolves also when the schema is missing or another; rejects with `StorageUnavailable`. */
export async function openSqliteStorage(options: SqliteOptions): Promise<Storage> {
  const { clock } = options;
  const path = resolve(options.path);
  const reader = makeReaderSession(path);
  // Connections of one process share what they know of the log: a new writer needs a new reader beside it.
  const writer = makeWriter({ path, pageCountMax: options.pageCountMax }, () => reader.drop());
  const snapshots = new Set<Snapshot>();

  try {
    await writer.run('open', []);
  } catch (error) {
    await writer.close();
    throw error;
  }

  return {
    schemaState: () =>
      untilFree(() =>
        reader.runRaw((database) => ({
          version: readSchemaVersion(database),
          latest: SQLITE_SCHEMA_VERSION,
        })),
      ),
    migrate: () => writer.run('migrate', [clock()]),

    async writeProperties(writes) {
      const packed = pack(writes);
      return writer.run('writeProperties', [packed, clock()], [packed.bytes.buffer]);
    },
    async compareProperties(writes) {
      const packed = pack(writes);
      return writer.run('compareProperties', [packed], [packed.bytes.buffer]);
    },
    withdrawProperties: (propertyIds) => writer.run('withdrawProperties', [propertyIds, clock()]),
    listPropertyIds: (source, afterId, limit) =>
      untilFree(() => reader.run((queries) => selectPropertyIds(queries, source, afterId, limit))),
    findProperty: (propertyId) =>
      untilFree(() => reader.run((queries) => selectProperty(queries, propertyId))),

    readAccess: () =>
      untilFree(() =>
        reader.run((_queries, database) => inReadTransaction(database, () => selectAccess(database))),
      ),
    async putPartner(partner) {
      assertStorableRow(partner);
      await writer.run('putPartner', [partner]);
    },
    async putCredentials(credentials) {
      credentials.forEach(assertStorableRow);
      await writer.run('putCredentials', [credentials]);
    },
    async putHandoffKey(key, { unlessAnyExists }) {
      assertStorableRow(key);
      return writer.run('putHandoffKey', [key, unlessAnyExists]);
    },
    async putOperatorToken(token) {
      assertStorableRow(token);
      await writer.run('putOperatorToken', [token]);
    },

    async insertQuote(quote) {
      assertStorableQuote(quote);
      await writer.insertQuote(quote);
    },
    findQuote: (quoteId) => untilFree(() => reader.run(({ quote }) => selectQuote(quote, quoteId))),

    readRevision: () => untilFree(() => reader.run((queries) => selectRevision(queries.revision))),
    readPropertyChanges: (after, limit) =>
      untilFree(() =>
        reader.run((queries, database) =>
          inReadTransaction(database, () => selectChanges(queries, after, limit)),
        ),
      ),
    async openSnapshot() {
      const snapshot = await untilFree(() => openSnapshot(reader, path, () => snapshots.delete(snapshot)));
      snapshots.add(snapshot);
      return snapshot;
    },

    async close() {
      // Readers first: the last connection to close moves the log into the file, which is the writer thread's work.
      for (const snapshot of snapshots) await snapshot.close();
      reader.close();
      await writer.close();
    },
  };
}

function pack(writes: readonly PropertyWrite[]) {
  return packWrites(writes.map(makeStoredWrite));
}

function openSnapshot(
  reader: ReturnType<typeof makeReaderSession>,
  path: string,
  onClose: () => void,
): Snapshot {
  // The schema is checked on the way.
  return reader.run(() => {
    const database = openReader(path);
    try {
      return startSnapshot(database, onClose);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function assertStorableQuote(quote: QuoteRow): void {
  for (const value of Object.values(quote)) if (typeof value === 'string') assertStorableText(value);
}
