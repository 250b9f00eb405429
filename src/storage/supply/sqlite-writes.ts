/**
 * The tables of supply on SQLite; runs in the writer thread, each function within a write transaction.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Remembered, Settlement } from '../../domain/ledger/planner.ts';
import type { SupplyTables } from '../../domain/ledger/settle-messages.ts';
import type { StoredWrite } from '../../domain/ledger/stored-write.ts';
import {
  applyWithdrawals,
  type CatalogueWriteStatements,
  findContent,
  putProperty,
} from '../catalogue/sqlite-writes.ts';
import { takeRevision } from '../history/sqlite.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import { selectKey } from './sql.ts';
import { prepareSupplyQueries, selectConfirmedAtMs, selectState } from './sqlite-queries.ts';
import { formatMessage, MESSAGE_COLUMNS } from './supply-rows.ts';

export function prepareSupplyWrites(database: DatabaseSync) {
  return {
    queries: prepareSupplyQueries(database),
    revision: database.prepare('SELECT revision FROM revision'),
    deleteLayers: database.prepare('DELETE FROM calendar_layers WHERE property_id = ?'),
    deleteLayersOf: database.prepare('DELETE FROM calendar_layers WHERE property_id = ? AND source = ?'),
    putLayer: database.prepare(`
      INSERT INTO calendar_layers (property_id, inventory_type_id, source, changed_at_ms, nights, rates)
      VALUES (?, ?, ?, ?, ?, ?)`),
    confirm: database.prepare(`
      INSERT INTO supply_confirmations (property_id, source, confirmed_at_ms) VALUES (?, ?, ?)
      ON CONFLICT (property_id, source) DO UPDATE SET
        confirmed_at_ms = max(confirmed_at_ms, excluded.confirmed_at_ms)`),
    unconfirm: database.prepare('DELETE FROM supply_confirmations WHERE property_id = ? AND source = ?'),
    putMessage: database.prepare(
      `INSERT INTO supply_messages (${MESSAGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    putSourceHistory: database.prepare(`
      INSERT INTO supply_message_properties (message_id, property_id, said) VALUES (?, ?, ?)`),
    putKey: database.prepare(`
      INSERT OR REPLACE INTO supply_keys (source, idempotency_key, used_at_ms, body_hash, outcome)
      VALUES (?, ?, ?, ?, ?)`),
  };
}

export type SupplyWriteStatements = CatalogueWriteStatements & {
  readonly supply: ReturnType<typeof prepareSupplyWrites>;
};

export function openTables(
  statements: SupplyWriteStatements,
  database: DatabaseSync,
  nowMs: number,
): SupplyTables {
  const { supply } = statements;
  return {
    // Each row when it is asked for: a read costs no more alone than with others.
    load: () => ({
      findState: (propertyId) => selectState(supply.queries, propertyId),
      findKey: (source, key) => runProgram(database, selectKey({ source, key })),
      findConfirmedAtMs: (propertyId) => selectConfirmedAtMs(database, propertyId),
    }),
    save: (settlement) => save(statements, database, settlement, nowMs),
    remember: (remembered) => remember(supply, remembered),
  };
}

function save(
  statements: SupplyWriteStatements,
  database: DatabaseSync,
  { abandoned, settled, withdrawnIds, unconfirmed, confirmed }: Settlement,
  nowMs: number,
): number {
  const { supply } = statements;
  for (const { propertyId, source } of abandoned) supply.deleteLayersOf.run(propertyId, source);
  const revision = settled.length === 0 ? 0 : takeRevision(database);
  for (const { content, hash, layers } of settled) {
    const { propertyId } = content;
    const isWithdrawn = withdrawnIds.includes(propertyId);
    putProperty(statements, content, hash, { revision, nowMs, isLayered: layers.length > 0, isWithdrawn });
    supply.deleteLayers.run(propertyId);
    for (const { inventoryTypeId, source, changedAtMs, nights, rates } of layers) {
      supply.putLayer.run(propertyId, inventoryTypeId, source, changedAtMs, nights, rates);
    }
  }
  if (withdrawnIds.length > 0) applyWithdrawals(statements, database, withdrawnIds, nowMs);
  for (const { propertyId, source } of unconfirmed) supply.unconfirm.run(propertyId, source);
  for (const { propertyId, source, atMs } of confirmed) supply.confirm.run(propertyId, source, atMs);
  const isNewest = settled.length > 0 && withdrawnIds.length === 0;
  return isNewest ? revision : Number(supply.revision.get()?.['revision']);
}

function remember(
  { putMessage, putKey, putSourceHistory }: SupplyWriteStatements['supply'],
  { messages, keys, history }: Remembered,
): void {
  for (const message of messages) putMessage.run(...formatMessage(message));
  for (const { source, key, usedAtMs, bodyHash, outcome } of keys)
    putKey.run(source, key, usedAtMs, bodyHash, JSON.stringify(outcome));
  for (const {
    messageId,
    propertyId,
    change: { buffer, byteOffset, byteLength },
  } of history) {
    const change = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
    putSourceHistory.run(messageId, propertyId, change);
  }
}

/** A document confirms the property for its source, changed or not; confirmations of a former source are deleted. */
export function confirmWrites(
  statements: SupplyWriteStatements,
  writes: readonly StoredWrite[],
  nowMs: number,
): void {
  for (const { propertyId, source } of writes) {
    const former = findContent(statements, propertyId)?.source;
    if (former !== undefined && former !== source) statements.supply.unconfirm.run(propertyId, former);
    statements.supply.confirm.run(propertyId, source, nowMs);
  }
}
