/**
 * Reading layers, messages and mappings. Statements are prepared once per connection; every one goes by an index.
 */
import type { DatabaseSync } from 'node:sqlite';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import { type PropertyState, writtenLayers } from '../layers/layered-property.ts';
import type { StoredKey } from '../layers/plan-rows.ts';
import {
  type LayerRow,
  type StateRow,
  type StoredKeyRow,
  type StoredMapping,
  type StoredMessage,
  type StoredSaid,
  toKey,
  toMapping,
  toMessageRow,
  toSaid,
  toState,
} from '../layers/supply-rows.ts';
import type { StoredProperty } from '../port/catalogue-store.ts';
import type {
  Confirmation,
  LayeredStored,
  MessageFilter,
  SaidOfProperty,
  SupplyMapping,
  SupplyMessageRow,
} from '../port/supply-store.ts';

export function prepareSupplyQueries(database: DatabaseSync) {
  return {
    state: database.prepare(`
      SELECT p.property_id, p.source, p.changed_at_ms, p.content_hash, p.lowest_rates, p.layered,
        t.inventory_type_id, t.nights, t.rates, CASE WHEN t.position = 0 THEN p.document END AS document
      FROM properties p LEFT JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ?
      ORDER BY t.position`),
    layers: database.prepare(`
      SELECT property_id, inventory_type_id, source, changed_at_ms, nights, rates FROM calendar_layers
      WHERE property_id = ?
      ORDER BY inventory_type_id, source`),
    confirmations: database.prepare(`
      SELECT c.source, max(c.confirmed_at_ms, coalesce(s.confirmed_at_ms, 0)) AS confirmed_at_ms
      FROM supply_confirmations c
        LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
      WHERE c.property_id = ?
      ORDER BY c.source`),
    key: database.prepare(`
      SELECT used_at_ms, body_hash, outcome FROM supply_keys WHERE source = ? AND idempotency_key = ?`),
    mapping: database.prepare('SELECT * FROM supply_mappings WHERE source = ? AND external_key = ?'),
    mappings: database.prepare(`
      SELECT * FROM supply_mappings WHERE ? IS NULL OR source = ? ORDER BY source, external_key`),
    said: database.prepare(`
      SELECT m.message_id, m.source, m.received_at_ms, p.said
      FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
      WHERE p.property_id = ?
      ORDER BY p.message_id DESC
      LIMIT ?`),
    messages: database.prepare('SELECT * FROM supply_messages ORDER BY message_id DESC LIMIT ?'),
    messagesOfSource: database.prepare(`
      SELECT * FROM supply_messages WHERE source = ? ORDER BY message_id DESC LIMIT ?`),
    messagesOfProperty: database.prepare(`
      SELECT m.* FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
      WHERE p.property_id = ? AND (? IS NULL OR m.source = ?)
      ORDER BY p.message_id DESC
      LIMIT ?`),
  };
}

export type SupplyQueries = ReturnType<typeof prepareSupplyQueries>;

export function selectState(queries: SupplyQueries, propertyId: string): PropertyState | undefined {
  const rows = queries.state.all(propertyId) as unknown as StateRow[];
  const isLayered = rows[0]?.layered === 1;
  const layers = isLayered ? (queries.layers.all(propertyId) as unknown as LayerRow[]) : [];
  return toState(rows, layers);
}

export function selectKey(
  { key }: SupplyQueries,
  source: string,
  idempotencyKey: string,
): StoredKey | undefined {
  const row = key.get(source, idempotencyKey) as unknown as StoredKeyRow | undefined;
  return row && toKey(row);
}

/** Within a transaction, so that the tables show one state. */
export function selectLayers(
  queries: SupplyQueries,
  propertyId: string,
  stored: StoredProperty | undefined,
): LayeredStored | undefined {
  const state = selectState(queries, propertyId);
  if (stored === undefined || state === undefined) return undefined;
  return { stored, layers: writtenLayers(state), confirmations: selectConfirmations(queries, propertyId) };
}

function selectConfirmations({ confirmations }: SupplyQueries, propertyId: string): Confirmation[] {
  return confirmations.all(propertyId).map((row) => ({
    source: String(row['source']),
    confirmedAtMs: Number(row['confirmed_at_ms']),
  }));
}

/** By any source but the desk; 0 when none did. */
export function selectConfirmedAtMs(queries: SupplyQueries, propertyId: string): number {
  const confirmed = selectConfirmations(queries, propertyId).filter(({ source }) => source !== MANUAL_SOURCE);
  return Math.max(0, ...confirmed.map(({ confirmedAtMs }) => confirmedAtMs));
}

export function selectMessages(
  queries: SupplyQueries,
  { source, propertyId, limit }: MessageFilter,
): SupplyMessageRow[] {
  const of = source ?? null;
  const rows =
    propertyId !== undefined
      ? queries.messagesOfProperty.all(propertyId, of, of, limit)
      : of === null
        ? queries.messages.all(limit)
        : queries.messagesOfSource.all(of, limit);
  return (rows as unknown as StoredMessage[]).map(toMessageRow);
}

export function selectSaid(queries: SupplyQueries, propertyId: string, limit: number): SaidOfProperty[] {
  return (queries.said.all(propertyId, limit) as unknown as StoredSaid[]).map(toSaid);
}

export function selectMappings(queries: SupplyQueries, source: string | undefined): SupplyMapping[] {
  const rows = queries.mappings.all(source ?? null, source ?? null) as unknown as StoredMapping[];
  return rows.map(toMapping);
}

export function selectMappingsOf(
  queries: SupplyQueries,
  source: string,
  externalKeys: readonly string[],
): SupplyMapping[] {
  return externalKeys
    .map((key) => queries.mapping.get(source, key) as unknown as StoredMapping | undefined)
    .filter((row) => row !== undefined)
    .map(toMapping);
}
