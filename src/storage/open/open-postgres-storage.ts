/**
 * The PostgreSQL adapter: three small pools of connections to one primary.
 */
import type { Clock } from '../../runtime/clock.ts';
import { assertStorableRow } from '../access-rows.ts';
import { assertStorableText } from '../storable-text.ts';
import type { QuoteRow, Snapshot, Storage } from '../storage.ts';
import { makeStoredWrite } from '../stored-write.ts';
import { selectAccess, selectAccessMark, selectHandoffKeys } from '../postgres/access-queries.ts';
import {
  putCredentials,
  putHandoffKey,
  putOperatorToken,
  putPartner,
  retireHandoffKey,
} from '../postgres/access-writes.ts';
import {
  selectChanges,
  selectProperties,
  selectPropertyIds,
  selectRevision,
} from '../postgres/catalogue-queries.ts';
import { applyWithdrawals, applyWrites, compareWrites, planWrites } from '../postgres/catalogue-writes.ts';
import { makeBatches } from '../postgres/batches.ts';
import { DECISION_BATCHES_AT_ONCE, DECISION_WAIT_MS } from '../postgres/connection/connections.ts';
import { migrateSchema, POSTGRES_SCHEMA_VERSION, readSchemaVersion } from '../postgres/migrate.ts';
import type { PostgresTarget } from '../postgres/connection/postgres-url.ts';
import { selectQuote } from '../postgres/quote-queries.ts';
import { deleteExpiredQuotes, recordVisits, selectAttribution } from '../postgres/attribution.ts';
import { insertQuotes } from '../postgres/quote-writes.ts';
import { openSession, type Session } from '../postgres/session.ts';
import { startSnapshot } from '../postgres/snapshot.ts';
import { claimTask } from '../postgres/task-claims.ts';

const PROPERTIES_PER_BATCH_MAX = 20;
const QUOTES_PER_BATCH_MAX = 200;

export interface PostgresOptions {
  readonly target: PostgresTarget;
  readonly clock: Clock;
}

/** Resolves also when the schema is missing or another; rejects with `StorageUnavailable`. */
export async function openPostgresStorage({ target, clock }: PostgresOptions): Promise<Storage> {
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
      const planned = planWrites(writes.map(makeStoredWrite));
      return session.run((client) => applyWrites(client, planned, clock()));
    },
    async compareProperties(writes) {
      const planned = planWrites(writes.map(makeStoredWrite));
      return session.run((client) => compareWrites(client, planned));
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

    readRevision: () => session.follow(selectRevision),
    readAccessMark: () => session.follow(selectAccessMark),
    readPropertyChanges: (after, limit) => session.follow((client) => selectChanges(client, after, limit)),
    async openSnapshot() {
      const snapshot = await openSnapshot(session, () => snapshots.delete(snapshot));
      snapshots.add(snapshot);
      return snapshot;
    },

    poolUse: () => session.poolUse(),

    async close() {
      // Both at once: the bound of the latter also ends a snapshot that waits for its next rows.
      await Promise.all([session.end(), ...Array.from(snapshots, (snapshot) => snapshot.close())]);
    },
  };
}

/** The connection is lent until the snapshot is closed. */
function openSnapshot(session: Session, onClose: () => void): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    session
      .run(async (client) => {
        const snapshot = await startSnapshot(client);
        resolve(snapshot);
        await snapshot.closed;
        onClose();
      })
      .catch(reject);
  });
}

function assertStorableQuote(quote: QuoteRow): void {
  for (const value of Object.values(quote)) if (typeof value === 'string') assertStorableText(value);
}
