/**
 * The PostgreSQL adapter: three small pools of connections to one primary.
 */
import { selectAgeLimits, selectConfirmed } from '../postgres/supply/freshness-queries.ts';
import type { ClientBase } from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import { assertStorableRow } from '../access-rows.ts';
import { assertStorableText } from '../storable-text.ts';
import type { Snapshot } from '../port/catalogue-store.ts';
import type { QuoteRow } from '../port/quote-store.ts';
import type { Storage } from '../storage.ts';
import { makeStoredWrite } from '../stored-write.ts';
import { selectAccess, selectAccessMark, selectHandoffKeys } from '../postgres/access-queries.ts';
import {
  putCredentials,
  putHandoffKey,
  putOperatorToken,
  putPartner,
  updatePartner,
  retireHandoffKey,
} from '../postgres/access-writes.ts';
import {
  selectChanges,
  selectProperties,
  selectPropertyIds,
  selectRevision,
} from '../postgres/catalogue-queries.ts';
import { applyWithdrawals } from '../postgres/catalogue-writes.ts';
import { applyPropertyWrites, comparePropertyWrites } from '../postgres/supply/property-writes.ts';
import { DECISION_BATCHES_AT_ONCE, DECISION_WAIT_MS } from '../postgres/connection/connections.ts';
import { migrateSchema, POSTGRES_SCHEMA_VERSION, readSchemaVersion } from '../postgres/migrate.ts';
import type { PostgresTarget } from '../postgres/connection/postgres-url.ts';
import { selectQuote } from '../postgres/quote-queries.ts';
import { deleteExpiredQuotes, recordVisits, selectAttribution } from '../postgres/attribution.ts';
import { insertQuotes } from '../postgres/quote-writes.ts';
import { openSession } from '../postgres/session.ts';
import { lendSnapshot } from '../postgres/snapshot.ts';
import { claimTask } from '../postgres/task-claims.ts';
import {
  selectKey,
  selectLayers,
  selectMappings,
  selectMappingsOf,
  selectMessages,
  selectSaid,
} from '../postgres/supply/supply-queries.ts';
import {
  deleteFeed,
  insertFeed,
  saveFeedState,
  selectDueFeeds,
  selectFeed,
  selectFeeds,
  summarizeFeeds,
} from '../postgres/supply/feeds.ts';
import { putMappings } from '../postgres/supply/mapping-writes.ts';
import { deleteHistory } from '../postgres/supply/supply-history.ts';
import { isLarge, makeSupplyLink } from '../postgres/supply/supply-link.ts';
import { applySupplyMessages } from '../postgres/supply/supply-writes.ts';
import { makeBatches } from '../batches.ts';
import { firstMessageIdAt } from '../message-id.ts';
import type { LayeredStored, SupplyMessage } from '../port/supply-store.ts';

const PROPERTIES_PER_BATCH_MAX = 20;
const QUOTES_PER_BATCH_MAX = 200;
const SUPPLY_MESSAGES_PER_COMMIT_MAX = 100;
/** A message may wait for large ones of other senders, and for an import of another process. */
const SUPPLY_WAIT_MS = 30_000;

export interface PostgresOptions {
  /** The same as `target`, for threads: they can't be handed what reads certificates. */
  readonly databaseUrl: string;
  readonly target: PostgresTarget;
  readonly clock: Clock;
}

/** Resolves also when the schema is missing or another; rejects with `StorageUnavailable`. */
export async function openPostgresStorage(options: PostgresOptions): Promise<Storage> {
  const { databaseUrl, target, clock } = options;
  const session = openSession(target);
  const findProperty = makeBatches({
    run: (propertyIds: readonly string[]) =>
      session.decide((client) => selectProperties(client, propertyIds)),
    batchMax: PROPERTIES_PER_BATCH_MAX,
    batchesAtOnce: DECISION_BATCHES_AT_ONCE,
    waitMs: DECISION_WAIT_MS,
  });
  const insertQuote = makeBatches({
    run: (quotes: readonly QuoteRow[]) => session.decide((client) => insertQuotes(client, quotes)),
    batchMax: QUOTES_PER_BATCH_MAX,
    batchesAtOnce: DECISION_BATCHES_AT_ONCE,
    waitMs: DECISION_WAIT_MS,
  });
  const largeMessages = makeSupplyLink(databaseUrl);
  const applySupply = makeBatches({
    run: (messages: readonly SupplyMessage[]) =>
      isLarge(messages)
        ? largeMessages.apply(messages, clock())
        : session.run((client) => applySupplyMessages(client, messages, clock())),
    batchMax: SUPPLY_MESSAGES_PER_COMMIT_MAX,
    // They lock the same row: a second batch could only wait for the first.
    batchesAtOnce: 1,
    waitMs: SUPPLY_WAIT_MS,
  });
  const snapshots = new Set<Snapshot>();
  const schemaState = () =>
    session.runRaw(async (client) => ({
      version: await readSchemaVersion(client),
      latest: POSTGRES_SCHEMA_VERSION,
    }));

  try {
    await schemaState();
  } catch (error) {
    await session.end();
    throw error;
  }

  return {
    schemaState,
    migrate: () => session.runRaw((client) => migrateSchema(client, clock())),

    async writeProperties(writes) {
      const stored = writes.map(makeStoredWrite);
      return session.run((client) => applyPropertyWrites(client, stored, clock()));
    },
    async compareProperties(writes) {
      const stored = writes.map(makeStoredWrite);
      return session.run((client) => comparePropertyWrites(client, stored));
    },
    withdrawProperties: (propertyIds) =>
      session.run((client) => applyWithdrawals(client, propertyIds, clock())),
    listPropertyIds: (source, afterId, limit) =>
      session.run((client) => selectPropertyIds(client, source, afterId, limit)),
    findProperty,

    readAccess: () => session.follow(selectAccess),
    readHandoffKeys: () => session.follow(selectHandoffKeys),
    async putPartner(partner) {
      assertStorableRow(partner);
      await session.run((client) => putPartner(client, partner));
    },
    async updatePartner(partnerId, changes) {
      assertStorableRow(changes);
      return session.run((client) => updatePartner(client, partnerId, changes));
    },
    async putCredentials(credentials) {
      credentials.forEach(assertStorableRow);
      await session.run((client) => putCredentials(client, credentials));
    },
    async putHandoffKey(key, { unlessAnyExists }) {
      assertStorableRow(key);
      return session.run((client) => putHandoffKey(client, key, unlessAnyExists));
    },
    retireHandoffKey: (keyId, atMs) => session.run((client) => retireHandoffKey(client, keyId, atMs)),
    async putOperatorToken(token) {
      assertStorableRow(token);
      await session.run((client) => putOperatorToken(client, token));
    },

    async insertQuote(quote) {
      assertStorableQuote(quote);
      await insertQuote(quote);
    },
    findQuote: (quoteId) => session.run((client) => selectQuote(client, quoteId)),
    deleteExpiredQuotes: (expiredBeforeMs, limit) =>
      session.run((client) => deleteExpiredQuotes(client, expiredBeforeMs, limit)),

    async recordVisits(visits) {
      if (visits.length > 0) await session.run((client) => recordVisits(client, visits));
    },
    readAttribution: (first, last) => session.run((client) => selectAttribution(client, first, last)),

    claimTask: (task, holder, term) => session.run((client) => claimTask(client, task, holder, term)),

    applySupply,
    findSupplyKey: (source, key) => session.run((client) => selectKey(client, source, key)),
    findLayers: (propertyId) => session.run((client) => readLayers(client, propertyId)),
    listConfirmations: (after, limit) => session.run((client) => selectConfirmed(client, after, limit)),
    listSupplyAgeLimits: (afterId, limit) => session.run((client) => selectAgeLimits(client, afterId, limit)),
    listSupplyMessages: (filter) => session.run((client) => selectMessages(client, filter)),
    listSaidOfProperty: (propertyId, limit) => session.run((client) => selectSaid(client, propertyId, limit)),
    deleteSupplyHistory: ({ messagesMs, keysMs, limit }) =>
      session.run((client) =>
        deleteHistory(client, { messageId: firstMessageIdAt(messagesMs), keysMs, limit }),
      ),
    async putSupplyMappings(mappings) {
      for (const mapping of mappings) Object.values(mapping).forEach(assertStorableText);
      await session.run((client) => putMappings(client, mappings));
    },
    findSupplyMappings: (source, externalKeys) =>
      session.run((client) => selectMappingsOf(client, source, externalKeys)),
    listSupplyMappings: (source) => session.run((client) => selectMappings(client, source)),

    async insertFeed(feed) {
      assertStorableRow(feed);
      await session.run((client) => insertFeed(client, feed));
    },
    async saveFeedState(feedId, state) {
      assertStorableRow(state);
      return session.run((client) => saveFeedState(client, feedId, state));
    },
    deleteFeed: (feedId, source) => session.run((client) => deleteFeed(client, feedId, source)),
    findFeed: (feedId) => session.run((client) => selectFeed(client, feedId)),
    listFeeds: () => session.run(selectFeeds),
    summarizeFeeds: () => session.run(summarizeFeeds),
    listDueFeeds: (nowMs, limit) => session.run((client) => selectDueFeeds(client, nowMs, limit)),

    readRevision: () => session.follow(selectRevision),
    readAccessMark: () => session.follow(selectAccessMark),
    readPropertyChanges: (after, limit) => session.follow((client) => selectChanges(client, after, limit)),
    async openSnapshot() {
      const snapshot = await lendSnapshot(session, () => snapshots.delete(snapshot));
      snapshots.add(snapshot);
      return snapshot;
    },

    poolUse: () => session.poolUse(),

    async close() {
      // Both at once: the bound of the latter also ends a snapshot that waits for its next rows.
      const parts = [session.end(), largeMessages.end()];
      await Promise.all([...parts, ...Array.from(snapshots, (snapshot) => snapshot.close())]);
    },
  };
}

/** In one view, so that document and layers belong together. */
async function readLayers(client: ClientBase, propertyId: string): Promise<LayeredStored | undefined> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await selectLayers(client, propertyId);
  } finally {
    await client.query('COMMIT');
  }
}

function assertStorableQuote(quote: QuoteRow): void {
  for (const value of Object.values(quote)) if (typeof value === 'string') assertStorableText(value);
}
