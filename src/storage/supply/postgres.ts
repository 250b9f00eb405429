/** Supply on PostgreSQL: messages, and documents, which are combined with their layers. */
import type { SupplyMessage } from '../../domain/ledger/message.ts';
import { makeStoredWrite } from '../../domain/ledger/stored-write.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { CatalogueStore } from '../catalogue/store.ts';
import { createBatches } from '../engine/batches.ts';
import type { Session } from '../engine/postgres/session.ts';
import { inReadTransaction } from '../engine/postgres/transactions.ts';
import { applyPropertyWrites, comparePropertyWrites } from './postgres-documents.ts';
import { selectLayers, selectMappingsOf } from './postgres-queries.ts';
import { applySupplyMessages } from './postgres-writes.ts';
import { SUPPLY_BATCHES, type SupplyEngine } from './store.ts';
import { isLarge, type SupplyLink } from './supply-link.ts';

export interface PostgresSupplyOptions {
  readonly session: Session;
  readonly largeMessages: SupplyLink;
  readonly clock: Clock;
}

export function postgresSupply({ session, largeMessages, clock }: PostgresSupplyOptions): SupplyEngine {
  return {
    applySupply: createBatches({
      ...SUPPLY_BATCHES,
      run: (messages: readonly SupplyMessage[]) =>
        isLarge(messages)
          ? largeMessages.apply(messages, clock())
          : session.run((client) => applySupplyMessages(client, messages, clock())),
    }),
    // Document and layers belong together.
    findLayers: (propertyId) =>
      session.run((client) => inReadTransaction(client, () => selectLayers(client, propertyId))),
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
