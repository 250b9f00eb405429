/**
 * The SQLite adapter: one file, one thread that writes, connections on the main thread that read.
 */
import { resolve } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { assertStorableRow } from '../access-rows.ts';
import { makeBatches } from '../batches.ts';
import { firstMessageIdAt } from '../message-id.ts';
import { assertStorableText } from '../storable-text.ts';
import type { PropertyWrite, Snapshot } from '../port/catalogue-store.ts';
import type { Storage } from '../storage.ts';
import { makeStoredWrite } from '../stored-write.ts';
import { selectAccess, selectAccessMark, selectHandoffKeys } from '../sqlite/access-queries.ts';
import { selectAttribution } from '../sqlite/attribution.ts';
import {
  selectChanges,
  selectProperty,
  selectPropertyIds,
  selectRevision,
} from '../sqlite/catalogue-queries.ts';
import { openReader } from '../sqlite/connection.ts';
import { selectAgeLimits, selectConfirmed } from '../sqlite/supply/freshness-queries.ts';
import { readSchemaState } from '../sqlite/migrate.ts';
import { makeReserve } from '../sqlite/file/disk-room.ts';
import { protectFiles } from '../sqlite/file/file-modes.ts';
import { packWrites } from '../sqlite/writer/packed-writes.ts';
import { selectQuote } from '../sqlite/quote-queries.ts';
import { makeReaderSession, type ReaderSession } from '../sqlite/reader.ts';
import { startSnapshot } from '../sqlite/snapshot.ts';
import {
  selectKey,
  selectLayers,
  selectMappings,
  selectMappingsOf,
  selectMessages,
  selectSaid,
} from '../sqlite/supply-queries.ts';
import { selectDueFeeds, selectFeed, selectFeeds, summarizeFeeds } from '../sqlite/supply/feeds.ts';
import { inReadTransaction } from '../sqlite/transactions.ts';
import { makeWriter } from '../sqlite/writer/writer.ts';
import type { SupplyMessage } from '../port/supply-store.ts';

/** A commit with so many keeps quotes waiting for some 20 ms. */
const SUPPLY_MESSAGES_PER_COMMIT_MAX = 100;
/** A message may wait for large ones of other senders, and for an import of another process. */
const SUPPLY_WAIT_MS = 30_000;

export interface SqliteOptions {
  /** Relative to the working directory; folder and file are created. */
  readonly path: string;
  readonly clock: Clock;
  /** The file may not grow beyond so many pages; a write that would is refused as on a full disk. */
  readonly pageCountMax?: number;
  /** Takes a line about each file that more users may open than should. */
  readonly onWarning?: (message: string) => void;
  /** Makes the reserve of `disk-room.ts` where there is none. */
  readonly reservesRoom?: boolean;
}

/** Resolves also when the schema is missing or another; rejects with `StorageUnavailable`. */
export async function openSqliteStorage(options: SqliteOptions): Promise<Storage> {
  const { clock } = options;
  const path = resolve(options.path);
  const reader = makeReaderSession(path);
  // Connections of one process share what they know of the log: a new writer needs a new reader beside it.
  const writer = makeWriter({ path, pageCountMax: options.pageCountMax }, () => reader.drop());
  const snapshots = new Set<Snapshot>();
  const applySupply = makeBatches({
    run: (messages: readonly SupplyMessage[]) => writer.run('applySupply', [messages, clock()]),
    batchMax: SUPPLY_MESSAGES_PER_COMMIT_MAX,
    batchesAtOnce: 1,
    waitMs: SUPPLY_WAIT_MS,
  });

  try {
    await writer.run('open', []);
    for (const message of protectFiles(path)) options.onWarning?.(message);
    if (options.reservesRoom === true) makeReserve(path);
  } catch (error) {
    await writer.close();
    throw error;
  }

  return {
    schemaState: async () => reader.runRaw(readSchemaState),
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
    listPropertyIds: async (source, afterId, limit) =>
      reader.run((queries) => selectPropertyIds(queries, source, afterId, limit)),
    findProperty: async (propertyId) => reader.run(({ kept }) => kept.find(propertyId)),

    readAccess: async () =>
      reader.run((_queries, database) => inReadTransaction(database, () => selectAccess(database))),
    readHandoffKeys: async () => reader.run((_queries, database) => selectHandoffKeys(database)),
    async putPartner(partner) {
      assertStorableRow(partner);
      await writer.run('putPartner', [partner]);
    },
    async updatePartner(partnerId, changes) {
      assertStorableRow(changes);
      return writer.run('updatePartner', [partnerId, changes]);
    },
    async putCredentials(credentials) {
      credentials.forEach(assertStorableRow);
      await writer.run('putCredentials', [credentials]);
    },
    async putHandoffKey(key, { unlessAnyExists }) {
      assertStorableRow(key);
      return writer.run('putHandoffKey', [key, unlessAnyExists]);
    },
    retireHandoffKey: (keyId, atMs) => writer.run('retireHandoffKey', [keyId, atMs]),
    async putOperatorToken(token) {
      assertStorableRow(token);
      await writer.run('putOperatorToken', [token]);
    },

    async insertQuote(quote) {
      assertStorableRow(quote);
      await writer.insertQuote(quote);
    },
    findQuote: async (quoteId) => reader.run((queries) => selectQuote(queries.quote, quoteId)),
    deleteExpiredQuotes: (expiredBeforeMs, limit) =>
      writer.run('deleteExpiredQuotes', [expiredBeforeMs, limit]),

    async recordVisits(visits) {
      if (visits.length > 0) await writer.run('recordVisits', [visits]);
    },
    readAttribution: async (first, last) =>
      reader.run((_queries, database) => selectAttribution(database, first, last)),

    claimTask: (task, holder, term) => writer.run('claimTask', [task, holder, term]),

    applySupply,
    findSupplyKey: async (source, key) => reader.run(({ supply }) => selectKey(supply, source, key)),
    findLayers: async (propertyId) =>
      reader.run((queries, database) =>
        inReadTransaction(database, () =>
          selectLayers(queries.supply, propertyId, selectProperty(queries, propertyId)),
        ),
      ),
    listConfirmations: async (after, limit) =>
      reader.run(({ freshness }) => selectConfirmed(freshness, after, limit)),
    listSupplyAgeLimits: async (afterId, limit) =>
      reader.run(({ freshness }) => selectAgeLimits(freshness, afterId, limit)),
    listSupplyMessages: async (filter) => reader.run(({ supply }) => selectMessages(supply, filter)),
    listSaidOfProperty: async (propertyId, limit) =>
      reader.run(({ supply }) => selectSaid(supply, propertyId, limit)),
    deleteSupplyHistory: ({ messagesMs, keysMs, limit }) =>
      writer.run('deleteSupplyHistory', [{ messageId: firstMessageIdAt(messagesMs), keysMs, limit }]),
    async putSupplyMappings(mappings) {
      for (const mapping of mappings) Object.values(mapping).forEach(assertStorableText);
      await writer.run('putSupplyMappings', [mappings]);
    },
    findSupplyMappings: async (source, externalKeys) =>
      reader.run(({ supply }) => selectMappingsOf(supply, source, externalKeys)),
    listSupplyMappings: async (source) => reader.run(({ supply }) => selectMappings(supply, source)),

    async insertFeed(feed) {
      assertStorableRow(feed);
      await writer.run('insertFeed', [feed]);
    },
    async saveFeedState(feedId, state) {
      assertStorableRow(state);
      return writer.run('saveFeedState', [feedId, state]);
    },
    deleteFeed: (feedId, source) => writer.run('deleteFeed', [feedId, source]),
    findFeed: async (feedId) => reader.run(({ feeds }) => selectFeed(feeds, feedId)),
    listFeeds: async () => reader.run(({ feeds }) => selectFeeds(feeds)),
    summarizeFeeds: async () => reader.run(({ feeds }) => summarizeFeeds(feeds)),
    listDueFeeds: async (nowMs, limit) => reader.run(({ feeds }) => selectDueFeeds(feeds, nowMs, limit)),

    readRevision: async () => reader.run((queries) => selectRevision(queries.revision)),
    readAccessMark: async () => reader.run((queries) => selectAccessMark(queries.accessMark)),
    readPropertyChanges: async (after, limit) =>
      reader.run((queries, database) =>
        inReadTransaction(database, () => selectChanges(queries, after, limit)),
      ),
    async openSnapshot() {
      const snapshot = openSnapshot(reader, path, () => snapshots.delete(snapshot));
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

/** On a connection of its own; opened within the reader's session, which has checked the schema. */
function openSnapshot(reader: ReaderSession, path: string, onClose: () => void): Snapshot {
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
