/**
 * Applying supply messages; runs in the writer thread, each function within a write transaction.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { SettledProperty } from './layered-property.ts';
import { SupplyPlanner } from './supply-plan.ts';
import { type ConfirmedRow, type DeletedHistory, laterId } from './plan-rows.ts';
import { formatMessage } from './supply-rows.ts';
import type { WriteOutcome } from '../catalogue/store.ts';
import type { StoredWrite } from '../catalogue/stored-write.ts';
import type { SupplyAnswer, SupplyMessage } from './store.ts';
import {
  applyWithdrawals,
  type CatalogueWriteStatements,
  findContent,
  putProperty,
} from '../catalogue/sqlite-writes.ts';
import { takeRevision } from '../history/sqlite.ts';
import {
  prepareSupplyQueries,
  selectConfirmedAtMs,
  selectKey,
  selectState,
  type SupplyQueries,
} from './sqlite-queries.ts';

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
    putMessage: database.prepare(`
      INSERT INTO supply_messages
        (message_id, source, kind, received_at_ms, verdict, revision, changed, unchanged, detail, entries)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    putSourceHistory: database.prepare(`
      INSERT INTO supply_message_properties (message_id, property_id, said) VALUES (?, ?, ?)`),
    putKey: database.prepare(`
      INSERT OR REPLACE INTO supply_keys (source, idempotency_key, used_at_ms, body_hash, outcome)
      VALUES (?, ?, ?, ?, ?)`),
    deleteKeys: database.prepare(`
      DELETE FROM supply_keys WHERE rowid IN (
        SELECT rowid FROM supply_keys WHERE used_at_ms < ? ORDER BY used_at_ms LIMIT ?)`),
    oldestKept: database.prepare(
      'SELECT message_id FROM supply_messages ORDER BY message_id DESC LIMIT 1 OFFSET ?',
    ),
    deleteSourceHistory: database.prepare(`
      DELETE FROM supply_message_properties WHERE message_id IN (
        SELECT message_id FROM supply_messages WHERE message_id < ? ORDER BY message_id LIMIT ?)`),
    deleteMessages: database.prepare(`
      DELETE FROM supply_messages WHERE message_id IN (
        SELECT message_id FROM supply_messages WHERE message_id < ? ORDER BY message_id LIMIT ?)`),
  };
}

export type SupplyWriteStatements = CatalogueWriteStatements & {
  readonly supply: ReturnType<typeof prepareSupplyWrites>;
};

export function applySupplyMessages(
  statements: SupplyWriteStatements,
  database: DatabaseSync,
  messages: readonly SupplyMessage[],
  nowMs: number,
): SupplyAnswer[] {
  const { supply } = statements;
  const planner = preparePlanner(supply.queries);
  // This thread has nobody to pause for.
  for (const message of messages) planner.take(message).forEach(() => undefined);
  for (const { propertyId, source } of planner.abandoned) supply.deleteLayersOf.run(propertyId, source);
  const revision = putSettled(statements, database, settledOf(planner), nowMs);
  if (planner.withdrawnIds.length > 0) applyWithdrawals(statements, database, planner.withdrawnIds, nowMs);
  for (const { propertyId, source } of planner.unconfirmed) supply.unconfirm.run(propertyId, source);
  confirmAll(supply, planner.confirmed());
  const sealed = planner.seal(
    planner.withdrawnIds.length === 0 ? revision : Number(supply.revision.get()?.['revision']),
  );
  for (const { message, answer } of sealed) rememberMessage(supply, message, answer);
  for (const { messageId, propertyId, change } of planner.kept.rows)
    supply.putSourceHistory.run(messageId, propertyId, textOf(change));
  return sealed.map(({ answer }) => answer);
}

/** Documents of properties of which several sources have layers, or that keep what is there. */
export function applyLayeredWrites(
  statements: SupplyWriteStatements,
  database: DatabaseSync,
  writes: readonly StoredWrite[],
  nowMs: number,
): WriteOutcome[] {
  const planner = preparePlanner(statements.supply.queries);
  const outcomes = writes.map((write) => planner.write(write, nowMs));
  for (const { propertyId, source } of planner.unconfirmed)
    statements.supply.unconfirm.run(propertyId, source);
  confirmAll(statements.supply, planner.confirmed());
  putSettled(statements, database, settledOf(planner), nowMs);
  return outcomes;
}

export function compareLayeredWrites(
  { supply }: SupplyWriteStatements,
  writes: readonly StoredWrite[],
): WriteOutcome[] {
  const planner = preparePlanner(supply.queries);
  return writes.map((write) => planner.write(write, 0));
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

function confirmAll({ confirm }: SupplyWriteStatements['supply'], confirmed: readonly ConfirmedRow[]): void {
  for (const { propertyId, source, atMs } of confirmed) confirm.run(propertyId, source, atMs);
}

/** Messages are deleted by id, which grows with time. */
export function deleteHistory(
  { deleteKeys, oldestKept, deleteSourceHistory, deleteMessages }: SupplyWriteStatements['supply'],
  before: DeletedHistory,
): number {
  const keys = deleteKeys.run(before.keysMs, before.limit);
  const kept = before.messagesMax === 0 ? undefined : oldestKept.get(before.messagesMax - 1);
  const messageId = laterId(before.messageId, kept?.['message_id']);
  deleteSourceHistory.run(messageId, before.limit);
  const messages = deleteMessages.run(messageId, before.limit);
  return Number(keys.changes) + Number(messages.changes);
}

function preparePlanner(queries: SupplyQueries): SupplyPlanner {
  return new SupplyPlanner({
    findState: (propertyId) => selectState(queries, propertyId),
    findKey: (source, key) => selectKey(queries, source, key),
    findConfirmedAtMs: (propertyId) => selectConfirmedAtMs(queries, propertyId),
  });
}

function settledOf(planner: SupplyPlanner): SettledProperty[] {
  return [...planner.settle()].filter((settled) => settled !== undefined);
}

/** Returns the revision of the change, or the newest when nothing has changed. */
function putSettled(
  statements: SupplyWriteStatements,
  database: DatabaseSync,
  settled: readonly SettledProperty[],
  nowMs: number,
): number {
  const { supply } = statements;
  if (settled.length === 0) return Number(supply.revision.get()?.['revision']);
  const revision = takeRevision(database);
  for (const { content, hash, layers } of settled) {
    const { propertyId } = content;
    putProperty(statements, content, hash, { revision, nowMs, isLayered: layers.length > 0 });
    supply.deleteLayers.run(propertyId);
    for (const { inventoryTypeId, source, changedAtMs, nights, rates } of layers) {
      supply.putLayer.run(propertyId, inventoryTypeId, source, changedAtMs, nights, rates);
    }
  }
  return revision;
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

function rememberMessage(
  { putMessage, putKey }: SupplyWriteStatements['supply'],
  message: SupplyMessage,
  answer: SupplyAnswer,
): void {
  if (answer.kind !== 'done' || answer.isReplayed) return;
  const { outcome } = answer;
  const row = formatMessage(message, outcome);
  putMessage.run(
    row.message_id,
    row.source,
    row.kind,
    row.received_at_ms,
    row.verdict,
    row.revision,
    row.changed,
    row.unchanged,
    row.detail,
    row.entries,
  );
  const { source, receivedAtMs, idempotency } = message;
  if (idempotency === null || outcome.verdict === 'refused') return;
  putKey.run(source, idempotency.key, receivedAtMs, idempotency.bodyHash, JSON.stringify(outcome));
}
