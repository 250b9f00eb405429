/** Supply on PostgreSQL: messages, what they left behind, and documents, which are combined with their layers. */
import type { Clock } from '../../runtime/clock.ts';
import { makeStoredWrite } from '../catalogue/stored-write.ts';
import type { CatalogueStore } from '../catalogue/store.ts';
import { createBatches } from '../engine/batches.ts';
import type { Session } from '../engine/postgres/session.ts';
import { inReadTransaction } from '../engine/postgres/transactions.ts';
import type { MappingStore } from './mappings.ts';
import { firstMessageIdAt } from './message-id.ts';
import { applyPropertyWrites, comparePropertyWrites } from './postgres-documents.ts';
import { selectAgeLimits, selectConfirmed } from './postgres-freshness.ts';
import { deleteHistory } from './postgres-history.ts';
import {
  selectEntries,
  selectKey,
  selectLayers,
  selectLayerSources,
  selectMappingsOf,
  selectMessages,
  selectSourceHistory,
  selectSourceProperties,
} from './postgres-queries.ts';
import { applySupplyMessages } from './postgres-writes.ts';
import type { SupplyMessage, SupplyStore } from './store.ts';
import { isLarge, type SupplyLink } from './supply-link.ts';

const SUPPLY_MESSAGES_PER_COMMIT_MAX = 100;
/** A message may wait for large ones of other senders, and for an import of another process. */
const SUPPLY_WAIT_MS = 30_000;

export interface PostgresSupplyOptions {
  readonly session: Session;
  readonly largeMessages: SupplyLink;
  readonly clock: Clock;
}

export function postgresSupply({
  session,
  largeMessages,
  clock,
}: PostgresSupplyOptions): Omit<SupplyStore, keyof MappingStore> {
  return {
    applySupply: createBatches({
      run: (messages: readonly SupplyMessage[]) =>
        isLarge(messages)
          ? largeMessages.apply(messages, clock())
          : session.run((client) => applySupplyMessages(client, messages, clock())),
      batchMax: SUPPLY_MESSAGES_PER_COMMIT_MAX,
      // They lock the same row: a second batch could only wait for the first.
      batchesAtOnce: 1,
      waitMs: SUPPLY_WAIT_MS,
    }),
    findSupplyKey: (source, key) => session.run((client) => selectKey(client, source, key)),
    // Document and layers belong together.
    findLayers: (propertyId) =>
      session.run((client) => inReadTransaction(client, () => selectLayers(client, propertyId))),
    listConfirmations: (after, limit) => session.run((client) => selectConfirmed(client, after, limit)),
    listSupplyAgeLimits: (afterId, limit) => session.run((client) => selectAgeLimits(client, afterId, limit)),
    listSupplyMessages: (filter) => session.run((client) => selectMessages(client, filter)),
    readMessageEntries: (messageIds) => session.run((client) => selectEntries(client, messageIds)),
    listLayerSources: () => session.run(selectLayerSources),
    listSourceProperties: (source, afterId, limit) =>
      session.run((client) =>
        inReadTransaction(client, () => selectSourceProperties(client, source, afterId, limit)),
      ),
    listSourceHistory: (propertyId, limit) =>
      session.run((client) => selectSourceHistory(client, propertyId, limit)),
    deleteSupplyHistory: ({ messagesMs, ...before }) =>
      session.run((client) => deleteHistory(client, { messageId: firstMessageIdAt(messagesMs), ...before })),
    findSupplyMappings: (source, externalKeys) =>
      session.run((client) => selectMappingsOf(client, source, externalKeys)),
  };
}

export function postgresDocuments(
  session: Session,
  clock: Clock,
): Pick<CatalogueStore, 'writeProperties' | 'compareProperties'> {
  return {
    async writeProperties(writes) {
      const stored = writes.map(makeStoredWrite);
      return session.run((client) => applyPropertyWrites(client, stored, clock()));
    },
    async compareProperties(writes) {
      const stored = writes.map(makeStoredWrite);
      return session.run((client) => comparePropertyWrites(client, stored));
    },
  };
}
