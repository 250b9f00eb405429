/** Supply on SQLite: messages, what they left behind, and documents, which are combined with their layers. */
import type { Clock } from '../../runtime/clock.ts';
import { type PackedWrites, packWrites, unpackWrites } from '../catalogue/packed-writes.ts';
import { type CatalogueQueries, selectDetails, selectProperty } from '../catalogue/sqlite.ts';
import { applyWrites, compareWrites, findContent, planWrites } from '../catalogue/sqlite-writes.ts';
import { makeStoredWrite, needLayers } from '../catalogue/stored-write.ts';
import type { CatalogueStore, PropertyWrite, WriteOutcome } from '../catalogue/store.ts';
import { createBatches } from '../engine/batches.ts';
import type { Session } from '../engine/sqlite/session.ts';
import { type WriteContext } from '../engine/sqlite/write-context.ts';
import { inReadTransaction } from '../engine/sqlite/transactions.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import type { MappingStore } from './mappings.ts';
import { firstMessageIdAt } from './message-id.ts';
import { memoryOf } from './property-change.ts';
import { type FreshnessQueries, selectAgeLimits, selectConfirmed } from './sqlite-freshness.ts';
import {
  selectEntries,
  selectKey,
  selectLayers,
  selectLayerSources,
  selectMappingsOf,
  selectMessages,
  selectSourceHistory,
  selectSourceProperties,
  type SupplyQueries,
} from './sqlite-queries.ts';
import {
  applyLayeredWrites,
  applySupplyMessages,
  compareLayeredWrites,
  confirmWrites,
  deleteHistory,
  type SupplyWriteStatements,
} from './sqlite-writes.ts';
import type { SupplyAnswer, SupplyMessage, SupplyStore } from './store.ts';

/** A commit with so many keeps quotes waiting for some 20 ms. */
const SUPPLY_MESSAGES_PER_COMMIT_MAX = 100;
/** A message may wait for large ones of other senders, and for an import of another process. */
const SUPPLY_WAIT_MS = 30_000;

export interface SqliteSupplyOptions {
  readonly reader: Session<
    CatalogueQueries & { readonly supply: SupplyQueries; readonly freshness: FreshnessQueries }
  >;
  readonly writer: Remote<ReturnType<typeof supplyOperations>>;
  readonly clock: Clock;
}

export function sqliteSupply({
  reader,
  writer,
  clock,
}: SqliteSupplyOptions): Omit<SupplyStore, keyof MappingStore> {
  return {
    applySupply: createBatches({
      run: (messages: readonly SupplyMessage[]) =>
        writer.applySupply([messages, clock()], memoryOf(messages)),
      batchMax: SUPPLY_MESSAGES_PER_COMMIT_MAX,
      batchesAtOnce: 1,
      waitMs: SUPPLY_WAIT_MS,
    }),
    findSupplyKey: async (source, key) => reader.run(({ supply }) => selectKey(supply, source, key)),
    findLayers: async (propertyId) =>
      reader.run((queries, database) =>
        inReadTransaction(database, () =>
          selectLayers(
            queries.supply,
            propertyId,
            selectProperty(queries, propertyId),
            selectDetails(queries, propertyId),
          ),
        ),
      ),
    listConfirmations: async (after, limit) =>
      reader.run(({ freshness }) => selectConfirmed(freshness, after, limit)),
    listSupplyAgeLimits: async (afterId, limit) =>
      reader.run(({ freshness }) => selectAgeLimits(freshness, afterId, limit)),
    listSupplyMessages: async (filter) => reader.run(({ supply }) => selectMessages(supply, filter)),
    readMessageEntries: async (messageIds) => reader.run(({ supply }) => selectEntries(supply, messageIds)),
    listLayerSources: async () => reader.run(({ supply }) => selectLayerSources(supply)),
    listSourceProperties: async (source, afterId, limit) =>
      reader.run((queries, database) =>
        inReadTransaction(database, () => selectSourceProperties(queries.supply, source, afterId, limit)),
      ),
    listSourceHistory: async (propertyId, limit) =>
      reader.run(({ supply }) => selectSourceHistory(supply, propertyId, limit)),
    deleteSupplyHistory: ({ messagesMs, ...before }) =>
      writer.deleteSupplyHistory([{ messageId: firstMessageIdAt(messagesMs), ...before }]),
    findSupplyMappings: async (source, externalKeys) =>
      reader.run(({ supply }) => selectMappingsOf(supply, source, externalKeys)),
  };
}

export function sqliteDocuments(
  writer: Remote<ReturnType<typeof supplyOperations>>,
  clock: Clock,
): Pick<CatalogueStore, 'writeProperties' | 'compareProperties'> {
  const pack = (writes: readonly PropertyWrite[]) => packWrites(writes.map(makeStoredWrite));
  return {
    async writeProperties(writes) {
      const packed = pack(writes);
      return writer.writeProperties([packed, clock()], [packed.bytes.buffer]);
    },
    async compareProperties(writes) {
      const packed = pack(writes);
      return writer.compareProperties([packed], [packed.bytes.buffer]);
    },
  };
}

export function supplyOperations({ run, transact }: WriteContext<SupplyWriteStatements>) {
  return {
    writeProperties(packed: PackedWrites, nowMs: number): readonly WriteOutcome[] {
      const writes = unpackWrites(packed);
      // Hashing everything takes its time: not while others wait for the lock.
      const planned = planWrites(writes);
      return transact(
        (statements, database) => {
          if (needLayers(writes, (propertyId) => findContent(statements, propertyId)))
            return applyLayeredWrites(statements, database, writes, nowMs);
          confirmWrites(statements, writes, nowMs);
          return applyWrites(statements, database, planned, nowMs);
        },
        { needsRoom: true },
      );
    },
    compareProperties: (packed: PackedWrites): readonly WriteOutcome[] =>
      run((statements) => {
        const writes = unpackWrites(packed);
        return needLayers(writes, (propertyId) => findContent(statements, propertyId))
          ? compareLayeredWrites(statements, writes)
          : compareWrites(statements, planWrites(writes));
      }),
    /** In one transaction; one that is wrong in itself fails them all. */
    applySupply: (messages: readonly SupplyMessage[], nowMs: number): readonly SupplyAnswer[] =>
      transact((statements, database) => applySupplyMessages(statements, database, messages, nowMs), {
        needsRoom: true,
      }),
    deleteSupplyHistory: (before: Parameters<typeof deleteHistory>[1]) =>
      transact(({ supply }) => deleteHistory(supply, before)),
  };
}
