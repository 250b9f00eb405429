/** Supply on SQLite: messages, and documents, which are combined with their layers. */
import {
  compareDocuments,
  settleDocuments,
  settleMessages,
  runSteps,
} from '../../domain/ledger/settle-messages.ts';
import type { SupplyAnswer, SupplyMessage } from '../../domain/ledger/message.ts';
import { memoryOf } from '../../domain/ledger/property-change.ts';
import {
  makeStoredWrite,
  needLayers,
  planWrites,
  type PropertyWrite,
  type WriteOutcome,
} from '../../domain/ledger/stored-write.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type PackedWrites, packWrites, unpackWrites } from '../catalogue/packed-writes.ts';
import { type CatalogueQueries, selectDetails, selectProperty } from '../catalogue/sqlite.ts';
import { applyWrites, compareWrites, findContent } from '../catalogue/sqlite-writes.ts';
import type { CatalogueStore } from '../catalogue/store.ts';
import { createBatches } from '../engine/batches.ts';
import type { Session } from '../engine/sqlite/session.ts';
import { type WriteContext } from '../engine/sqlite/write-context.ts';
import { inReadTransaction } from '../engine/sqlite/transactions.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import { selectLayers, selectMappingsOf, type SupplyQueries } from './sqlite-queries.ts';
import { confirmWrites, openTables, type SupplyWriteStatements } from './sqlite-writes.ts';
import { SUPPLY_BATCHES, type SupplyEngine } from './store.ts';

export interface SqliteSupplyOptions {
  readonly reader: Session<CatalogueQueries & { readonly supply: SupplyQueries }>;
  readonly writer: Remote<ReturnType<typeof supplyOperations>>;
  readonly clock: Clock;
}

export function sqliteSupply({ reader, writer, clock }: SqliteSupplyOptions): SupplyEngine {
  return {
    applySupply: createBatches({
      ...SUPPLY_BATCHES,
      run: (messages: readonly SupplyMessage[]) =>
        writer.applySupply([messages, clock()], memoryOf(messages)),
    }),
    findLayers: async (propertyId) =>
      reader.run((queries, database) =>
        inReadTransaction(database, () =>
          selectLayers(
            queries.supply,
            database,
            selectProperty(queries, propertyId),
            selectDetails(queries, propertyId),
          ),
        ),
      ),
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
            return runSteps(settleDocuments(writes, nowMs), openTables(statements, database, nowMs));
          confirmWrites(statements, writes, nowMs);
          return applyWrites(statements, database, planned, nowMs);
        },
        { needsRoom: true },
      );
    },
    compareProperties: (packed: PackedWrites): readonly WriteOutcome[] =>
      run((statements, database) => {
        const writes = unpackWrites(packed);
        return needLayers(writes, (propertyId) => findContent(statements, propertyId))
          ? runSteps(compareDocuments(writes), openTables(statements, database, 0))
          : compareWrites(statements, planWrites(writes));
      }),
    /** In one transaction; one that is wrong in itself fails them all. */
    applySupply: (messages: readonly SupplyMessage[], nowMs: number): readonly SupplyAnswer[] =>
      transact(
        (statements, database) => runSteps(settleMessages(messages), openTables(statements, database, nowMs)),
        { needsRoom: true },
      ),
  };
}
