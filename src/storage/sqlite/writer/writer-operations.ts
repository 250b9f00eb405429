/**
 * What the writer thread does, one operation at a time, on the one connection that writes.
 */
import type { DatabaseSync } from 'node:sqlite';
import type {
  CredentialRow,
  HandoffKeyRow,
  OperatorTokenRow,
  PartnerChanges,
  PartnerRow,
} from '../../port/access-store.ts';
import type { WriteOutcome } from '../../port/catalogue-store.ts';
import type { QuoteRow } from '../../port/quote-store.ts';
import type { TaskStore } from '../../port/task-store.ts';
import { type SchemaState, StorageUnavailable } from '../../storage.ts';
import { selectHandoffKeys } from '../access-queries.ts';
import {
  putCredentials,
  putHandoffKey,
  putOperatorToken,
  putPartner,
  updatePartner,
  retireHandoffKey,
} from '../access-writes.ts';
import {
  applyWithdrawals,
  applyWrites,
  compareWrites,
  findContent,
  planWrites,
  prepareCatalogueWrites,
} from '../catalogue-writes.ts';
import type { HandoffVisit } from '../../port/attribution-store.ts';
import { recordVisits } from '../attribution.ts';
import { type FileOptions, openWriter } from '../connection.ts';
import { assertRoom, releaseReserve } from '../file/disk-room.ts';
import { migrateSchema, readSchemaState, SQLITE_SCHEMA_VERSION } from '../migrate.ts';
import { type PackedWrites, unpackWrites } from './packed-writes.ts';
import { deleteExpiredQuotes, insertQuotes, prepareQuoteWrites } from '../quote-writes.ts';
import { deleteFeed, insertFeed, saveFeedState } from '../supply/feeds.ts';
import { makeSession } from '../session.ts';
import { claimTask } from '../task-claims.ts';
import {
  applyLayeredWrites,
  applySupplyMessages,
  compareLayeredWrites,
  confirmWrites,
  deleteHistory,
  prepareSupplyWrites,
  putMappings,
} from './supply-writes.ts';
import { inWriteTransaction } from '../transactions.ts';
import { needLayers } from '../../stored-write.ts';
import type { Feed, FeedState } from '../../port/feed-store.ts';
import type { SupplyAnswer, SupplyMapping, SupplyMessage } from '../../port/supply-store.ts';

/** How long an import or a command waits for the write lock of another process. */
const LOCK_WAIT_MS = 10_000;
/** Visits are tried again later; a quote that waits behind them has less than two seconds. */
const VISITS_LOCK_WAIT_MS = 250;

export interface WriterOperations {
  /** Creates the file where there is none. */
  open(): SchemaState;
  migrate(nowMs: number): SchemaState;
  writeProperties(packed: PackedWrites, nowMs: number): readonly WriteOutcome[];
  compareProperties(packed: PackedWrites): readonly WriteOutcome[];
  withdrawProperties(propertyIds: readonly string[], nowMs: number): number;
  putPartner(partner: PartnerRow): void;
  updatePartner(partnerId: string, changes: PartnerChanges): PartnerRow | undefined;
  putCredentials(credentials: readonly CredentialRow[]): void;
  putHandoffKey(key: HandoffKeyRow, unlessAnyExists: boolean): readonly HandoffKeyRow[];
  retireHandoffKey(keyId: string, atMs: number): readonly HandoffKeyRow[];
  putOperatorToken(token: OperatorTokenRow): void;
  /** In one transaction; those refused, by index. */
  insertQuotes(quotes: readonly QuoteRow[], lockWaitMs: number): ReadonlyMap<number, string>;
  deleteExpiredQuotes(expiredBeforeMs: number, limit: number): number;
  recordVisits(visits: readonly HandoffVisit[]): void;
  claimTask(task: string, holder: string, term: Parameters<TaskStore['claimTask']>[2]): boolean;
  /** In one transaction; one that is wrong in itself fails them all. */
  applySupply(messages: readonly SupplyMessage[], nowMs: number): readonly SupplyAnswer[];
  deleteSupplyHistory(before: Parameters<typeof deleteHistory>[1]): number;
  putSupplyMappings(mappings: readonly SupplyMapping[]): void;
  insertFeed(feed: Feed): void;
  saveFeedState(feedId: string, state: FeedState): boolean;
  deleteFeed(feedId: string, source: string): boolean;
  close(): void;
}

export function makeWriterOperations(file: FileOptions): WriterOperations {
  const session = makeSession({
    open: () => openWriter(file),
    prepare: (database) => ({
      ...prepareCatalogueWrites(database),
      insertQuote: prepareQuoteWrites(database),
      supply: prepareSupplyWrites(database),
    }),
    schemaVersion: SQLITE_SCHEMA_VERSION,
  });

  return {
    open: () => session.runRaw(readSchemaState),
    migrate: (nowMs) => session.runRaw((database) => migrateSchema(database, nowMs)),

    writeProperties: (packed, nowMs) =>
      session.run((statements, database) => {
        const writes = unpackWrites(packed);
        const planned = planWrites(writes);
        assertRoom(file.path);
        return inWriteTransaction(database, LOCK_WAIT_MS, () => {
          if (needLayers(writes, (propertyId) => findContent(statements, propertyId)))
            return applyLayeredWrites(statements, database, writes, nowMs);
          confirmWrites(statements, writes, nowMs);
          return applyWrites(statements, database, planned, nowMs);
        });
      }),
    compareProperties: (packed) =>
      session.run((statements) => {
        const writes = unpackWrites(packed);
        return needLayers(writes, (propertyId) => findContent(statements, propertyId))
          ? compareLayeredWrites(statements, writes)
          : compareWrites(statements, planWrites(writes));
      }),
    withdrawProperties: (propertyIds, nowMs) =>
      session.run((statements, database) => {
        const write = () => applyWithdrawals(statements, database, propertyIds, nowMs);
        return inWriteTransaction(database, LOCK_WAIT_MS, write);
      }),

    putPartner: (partner) => administer((database) => putPartner(database, partner)),
    updatePartner: (partnerId, changes) =>
      administer((database) => updatePartner(database, partnerId, changes)),
    putCredentials: (credentials) => administer((database) => putCredentials(database, credentials)),
    putHandoffKey: (key, unlessAnyExists) =>
      administer((database) => {
        putHandoffKey(database, key, unlessAnyExists);
        return selectHandoffKeys(database);
      }),
    retireHandoffKey: (keyId, atMs) =>
      administer((database) => {
        retireHandoffKey(database, keyId, atMs);
        return selectHandoffKeys(database);
      }),
    putOperatorToken: (token) => administer((database) => putOperatorToken(database, token)),

    insertQuotes: (quotes, lockWaitMs) =>
      session.run(({ insertQuote }, database) => {
        assertRoom(file.path);
        return inWriteTransaction(database, lockWaitMs, () => insertQuotes(insertQuote, quotes));
      }),
    deleteExpiredQuotes: (expiredBeforeMs, limit) =>
      transact((database) => deleteExpiredQuotes(database, expiredBeforeMs, limit)),
    recordVisits: (visits) =>
      session.run((_statements, database) => {
        assertRoom(file.path);
        inWriteTransaction(database, VISITS_LOCK_WAIT_MS, () => recordVisits(database, visits));
      }),
    claimTask: (task, holder, term) => transact((database) => claimTask(database, task, holder, term)),
    applySupply: (messages, nowMs) =>
      session.run((statements, database) => {
        assertRoom(file.path);
        const write = () => applySupplyMessages(statements, database, messages, nowMs);
        return inWriteTransaction(database, LOCK_WAIT_MS, write);
      }),
    deleteSupplyHistory: (before) =>
      session.run(({ supply }, database) =>
        inWriteTransaction(database, LOCK_WAIT_MS, () => deleteHistory(supply, before)),
      ),
    putSupplyMappings: (mappings) =>
      session.run(({ supply }, database) =>
        inWriteTransaction(database, LOCK_WAIT_MS, () => putMappings(supply, mappings)),
      ),
    insertFeed: (feed) => administer((database) => insertFeed(database, feed)),
    saveFeedState: (feedId, state) => transact((database) => saveFeedState(database, feedId, state)),
    deleteFeed: (feedId, source) => administer((database) => deleteFeed(database, feedId, source)),
    close: () => session.close(),
  };

  /** What an operator must be able to do on a full disk. */
  function administer<T>(write: (database: DatabaseSync) => T): T {
    try {
      return transact(write);
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || !releaseReserve(file.path)) throw error;
      return transact(write);
    }
  }

  function transact<T>(write: (database: DatabaseSync) => T): T {
    return session.run((_statements, database) =>
      inWriteTransaction(database, LOCK_WAIT_MS, () => write(database)),
    );
  }
}
