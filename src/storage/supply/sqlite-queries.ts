/**
 * Reading layers, messages and mappings. Statements are prepared once per connection; every one goes by an index.
 */
import type { DatabaseSync } from 'node:sqlite';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import { type PropertyState, writtenLayers } from './layered-property.ts';
import type { StoredKey } from './plan-rows.ts';
import {
  type EntriesRow,
  LAYER_SOURCES,
  type LayerRow,
  MESSAGE_COLUMNS,
  type SourcePropertyRow,
  type StateRow,
  type StoredKeyRow,
  type StoredMapping,
  type StoredMessage,
  type StoredHistoryEntry,
  toKey,
  toMessageRow,
  toPlace,
  toHistoryEntry,
  toSourceProperties,
  toState,
} from './supply-rows.ts';
import { messageIdsOf } from './message-id.ts';
import type { StoredProperty } from '../catalogue/store.ts';
import {
  type Confirmation,
  type LayeredStored,
  type MappedPlace,
  type MessageFilter,
  type SourceHistoryEntry,
  type SourceProperty,
  SOURCES_LISTED_MAX,
  type SupplyMessageRow,
} from './store.ts';

const OWN = MESSAGE_COLUMNS.join(', ');
const OF_MESSAGE = MESSAGE_COLUMNS.map((column) => `m.${column}`).join(', ');

export function prepareSupplyQueries(database: DatabaseSync) {
  return {
    ...prepareMessageQueries(database),
    ...prepareSourceQueries(database),
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
    currency: database.prepare(
      "SELECT document ->> 'currency' AS currency FROM properties WHERE property_id = ?",
    ),
    sourceHistory: database.prepare(`
      SELECT m.message_id, m.source, m.received_at_ms, p.said
      FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
      WHERE p.property_id = ?
      ORDER BY p.message_id DESC
      LIMIT ?`),
  };
}

function prepareMessageQueries(database: DatabaseSync) {
  return {
    messages: database.prepare(`
      SELECT ${OWN} FROM supply_messages WHERE message_id >= ? AND message_id < ?
      ORDER BY message_id DESC LIMIT ?`),
    messagesOfSource: database.prepare(`
      SELECT ${OWN} FROM supply_messages WHERE source = ? AND message_id >= ? AND message_id < ?
      ORDER BY message_id DESC LIMIT ?`),
    messagesOfProperty: database.prepare(`
      SELECT ${OF_MESSAGE} FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
      WHERE p.property_id = ? AND p.message_id >= ? AND p.message_id < ? AND (? IS NULL OR m.source = ?)
      ORDER BY p.message_id DESC
      LIMIT ?`),
    entries: database.prepare(
      'SELECT message_id, entries FROM supply_messages WHERE message_id = ? AND entries IS NOT NULL',
    ),
  };
}

function prepareSourceQueries(database: DatabaseSync) {
  return {
    layerSources: database.prepare(`${LAYER_SOURCES} ${SOURCES_LISTED_MAX}`),
    // Each part ends at the limit: none of them may be read to its end.
    sourceProperties: database.prepare(`
      SELECT property_id, max(owns_document) AS owns_document FROM (
        SELECT * FROM (
          SELECT DISTINCT property_id, 0 AS owns_document FROM calendar_layers
          WHERE source = :source AND property_id > :after ORDER BY property_id LIMIT :limit)
        UNION ALL SELECT * FROM (
          SELECT property_id, 0 FROM supply_confirmations
          WHERE source = :source AND property_id > :after ORDER BY property_id LIMIT :limit)
        UNION ALL SELECT * FROM (
          SELECT property_id, 1 FROM properties
          WHERE source = :source AND property_id > :after AND withdrawn = 0 ORDER BY property_id LIMIT :limit)
      )
      GROUP BY property_id ORDER BY property_id LIMIT :limit`),
    sourceLayers: database.prepare(`
      SELECT property_id, inventory_type_id, source, changed_at_ms, nights, rates FROM calendar_layers
      WHERE source = ? AND property_id > ? AND property_id <= ?
      ORDER BY property_id, inventory_type_id`),
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
  details: PropertyDetails | undefined,
): LayeredStored | undefined {
  const state = selectState(queries, propertyId);
  if (stored === undefined || state === undefined) return undefined;
  const confirmations = selectConfirmations(queries, propertyId);
  return { stored, details, layers: writtenLayers(state), confirmations };
}

function selectConfirmations({ confirmations }: SupplyQueries, propertyId: string): Confirmation[] {
  return confirmations.all(propertyId).map((row) => ({
    source: String(row['source']),
    confirmedAtMs: Number(row['confirmed_at_ms']),
  }));
}

/** By any source but `manual`; 0 when none did. */
export function selectConfirmedAtMs(queries: SupplyQueries, propertyId: string): number {
  const confirmed = selectConfirmations(queries, propertyId).filter(({ source }) => source !== MANUAL_SOURCE);
  return Math.max(0, ...confirmed.map(({ confirmedAtMs }) => confirmedAtMs));
}

export function selectMessages(
  queries: SupplyQueries,
  { source, propertyId, limit, ...received }: MessageFilter,
): SupplyMessageRow[] {
  const of = source ?? null;
  const [from, until] = messageIdsOf(received);
  const rows =
    propertyId !== undefined
      ? queries.messagesOfProperty.all(propertyId, from, until, of, of, limit)
      : of === null
        ? queries.messages.all(from, until, limit)
        : queries.messagesOfSource.all(of, from, until, limit);
  return (rows as unknown as StoredMessage[]).map(toMessageRow);
}

export function selectEntries(
  { entries }: SupplyQueries,
  messageIds: readonly string[],
): Map<string, string> {
  const rows = messageIds.map((messageId) => entries.get(messageId) as EntriesRow | undefined);
  return new Map(rows.filter((row) => row !== undefined).map((row) => [row.message_id, row.entries]));
}

export function selectLayerSources({ layerSources }: SupplyQueries): string[] {
  return layerSources.all().map((row) => String(row['source']));
}

export function selectSourceProperties(
  { sourceProperties, sourceLayers }: SupplyQueries,
  source: string,
  after: string,
  limit: number,
): SourceProperty[] {
  const rows = sourceProperties.all({ source, after, limit }) as unknown as SourcePropertyRow[];
  const last = rows.at(-1)?.property_id ?? after;
  return toSourceProperties(rows, sourceLayers.all(source, after, last) as unknown as LayerRow[]);
}

export function selectSourceHistory(
  queries: SupplyQueries,
  propertyId: string,
  limit: number,
): SourceHistoryEntry[] {
  return (queries.sourceHistory.all(propertyId, limit) as unknown as StoredHistoryEntry[]).map(
    toHistoryEntry,
  );
}

export function selectMappingsOf(
  queries: SupplyQueries,
  source: string,
  externalKeys: readonly string[],
): MappedPlace[] {
  const currencies = new Map<string, string | null>();
  // A document is long, and many names lead to one property.
  const currencyOf = (propertyId: string): string | null => {
    const known = currencies.get(propertyId);
    if (known !== undefined) return known;
    const row = queries.currency.get(propertyId) as { readonly currency: string | null } | undefined;
    const currency = row?.currency ?? null;
    currencies.set(propertyId, currency);
    return currency;
  };
  return externalKeys
    .map((key) => queries.mapping.get(source, key) as unknown as StoredMapping | undefined)
    .filter((row) => row !== undefined)
    .map((row) => toPlace({ ...row, currency: currencyOf(row.property_id) }));
}
