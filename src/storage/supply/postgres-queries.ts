/**
 * Reading layers, messages and mappings. Statements are named, so that each connection plans them once.
 */
import type { ClientBase } from 'pg';
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
  type StoredMessage,
  type StoredPlace,
  type StoredHistoryEntry,
  toKey,
  toMessageRow,
  toPlace,
  toHistoryEntry,
  toSourceProperties,
  toState,
} from './supply-rows.ts';
import { messageIdsOf } from './message-id.ts';
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
import { textArray } from '../engine/postgres/binary-array.ts';
import { selectDetails, selectProperties } from '../catalogue/postgres.ts';

const OWN = MESSAGE_COLUMNS.join(', ');
const OF_MESSAGE = MESSAGE_COLUMNS.map((column) => `m.${column}`).join(', ');

/** Those that exist or existed, by id. */
export async function selectStates(
  client: ClientBase,
  propertyIds: readonly string[],
): Promise<Map<string, PropertyState | undefined>> {
  const values = [textArray(propertyIds)];
  const { rows } = await client.query<StateRow>({
    name: 'supply-states',
    text: `
      SELECT p.property_id, p.source, p.changed_at_ms, p.content_hash, p.layered,
        t.inventory_type_id, t.nights, t.rates,
        CASE WHEN t.position = 0 THEN p.lowest_rates END AS lowest_rates,
        CASE WHEN t.position = 0 THEN p.document END AS document
      FROM properties p LEFT JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ANY ($1::text[])
      ORDER BY p.property_id, t.position`,
    values,
  });
  const layers = rows.some((row) => row.layered === 1) ? await selectLayerRows(client, propertyIds) : [];
  const layersOf = Map.groupBy(layers, (row) => row.property_id);
  const rowsOf = Map.groupBy(rows, (row) => row.property_id);
  return new Map(
    Array.from(rowsOf, ([propertyId, own]) => [propertyId, toState(own, layersOf.get(propertyId) ?? [])]),
  );
}

async function selectLayerRows(client: ClientBase, propertyIds: readonly string[]): Promise<LayerRow[]> {
  const { rows } = await client.query<LayerRow>({
    name: 'supply-layers',
    text: `
      SELECT property_id, inventory_type_id, source, changed_at_ms, nights, rates FROM calendar_layers
      WHERE property_id = ANY ($1::text[])
      ORDER BY property_id, inventory_type_id, source`,
    values: [textArray(propertyIds)],
  });
  return rows;
}

/** Within a transaction, so that the tables show one state. */
export async function selectLayers(
  client: ClientBase,
  propertyId: string,
): Promise<LayeredStored | undefined> {
  const [stored] = await selectProperties(client, [propertyId]);
  const state = (await selectStates(client, [propertyId])).get(propertyId);
  if (stored === undefined || state === undefined) return undefined;
  const { rows } = await client.query<{ source: string; confirmed_at_ms: number }>({
    name: 'supply-confirmations',
    text: `
      SELECT c.source, greatest(c.confirmed_at_ms, s.confirmed_at_ms) AS confirmed_at_ms
      FROM supply_confirmations c
        LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
      WHERE c.property_id = $1
      ORDER BY c.source`,
    values: [propertyId],
  });
  const confirmations: Confirmation[] = rows.map((row) => ({
    source: row.source,
    confirmedAtMs: row.confirmed_at_ms,
  }));
  const details = await selectDetails(client, propertyId);
  return { stored, details, layers: writtenLayers(state), confirmations };
}

export async function selectKey(
  client: ClientBase,
  source: string,
  key: string,
): Promise<StoredKey | undefined> {
  const { rows } = await client.query<StoredKeyRow>({
    name: 'supply-key',
    text: 'SELECT used_at_ms, body_hash, outcome FROM supply_keys WHERE source = $1 AND idempotency_key = $2',
    values: [source, key],
  });
  return rows[0] && toKey(rows[0]);
}

export async function selectMessages(
  client: ClientBase,
  { source, propertyId, limit, ...received }: MessageFilter,
): Promise<SupplyMessageRow[]> {
  const [from, until] = messageIdsOf(received);
  const { rows } =
    propertyId === undefined
      ? await client.query<StoredMessage>(
          `SELECT ${OWN} FROM supply_messages
           WHERE ($1::text IS NULL OR source = $1) AND message_id >= $3 AND message_id < $4
           ORDER BY message_id DESC LIMIT $2`,
          [source ?? null, limit, from, until],
        )
      : await client.query<StoredMessage>(
          `SELECT ${OF_MESSAGE} FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
           WHERE p.property_id = $1 AND ($2::text IS NULL OR m.source = $2)
             AND p.message_id >= $4 AND p.message_id < $5
           ORDER BY p.message_id DESC
           LIMIT $3`,
          [propertyId, source ?? null, limit, from, until],
        );
  return rows.map(toMessageRow);
}

export async function selectEntries(
  client: ClientBase,
  messageIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<EntriesRow>(
    `SELECT message_id, entries FROM supply_messages
     WHERE message_id = ANY ($1::text[]) AND entries IS NOT NULL`,
    [textArray(messageIds)],
  );
  return new Map(rows.map((row) => [row.message_id, row.entries]));
}

export async function selectLayerSources(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ source: string }>(`${LAYER_SOURCES} ${SOURCES_LISTED_MAX}`);
  return rows.map(({ source }) => source);
}

/** Each part ends at the limit: none of them may be read to its end. */
export async function selectSourceProperties(
  client: ClientBase,
  source: string,
  after: string,
  limit: number,
): Promise<SourceProperty[]> {
  const { rows } = await client.query<SourcePropertyRow>(
    `SELECT property_id, max(owns_document) AS owns_document FROM (
       (SELECT DISTINCT property_id, 0 AS owns_document FROM calendar_layers
        WHERE source = $1 AND property_id > $2 ORDER BY property_id LIMIT $3)
       UNION ALL
       (SELECT property_id, 0 FROM supply_confirmations
        WHERE source = $1 AND property_id > $2 ORDER BY property_id LIMIT $3)
       UNION ALL
       (SELECT property_id, 1 FROM properties
        WHERE source = $1 AND property_id > $2 AND withdrawn = 0 ORDER BY property_id LIMIT $3)
     ) AS spoken_of
     GROUP BY property_id ORDER BY property_id LIMIT $3`,
    [source, after, limit],
  );
  const last = rows.at(-1)?.property_id ?? after;
  const layers = await client.query<LayerRow>(
    `SELECT property_id, inventory_type_id, source, changed_at_ms, nights, rates FROM calendar_layers
     WHERE source = $1 AND property_id > $2 AND property_id <= $3
     ORDER BY property_id, inventory_type_id`,
    [source, after, last],
  );
  return toSourceProperties(rows, layers.rows);
}

export async function selectSourceHistory(
  client: ClientBase,
  propertyId: string,
  limit: number,
): Promise<SourceHistoryEntry[]> {
  const { rows } = await client.query<StoredHistoryEntry>(
    `SELECT m.message_id, m.source, m.received_at_ms, p.said
     FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
     WHERE p.property_id = $1
     ORDER BY p.message_id DESC
     LIMIT $2`,
    [propertyId, limit],
  );
  return rows.map(toHistoryEntry);
}

export async function selectMappingsOf(
  client: ClientBase,
  source: string,
  externalKeys: readonly string[],
): Promise<MappedPlace[]> {
  const { rows } = await client.query<StoredPlace>({
    name: 'supply-places',
    // A document is long, and many names lead to one property.
    text: `
      WITH found AS MATERIALIZED (
        SELECT * FROM supply_mappings WHERE source = $1 AND external_key = ANY ($2::text[])
      ), priced AS MATERIALIZED (
        SELECT property_id, document::json ->> 'currency' AS currency FROM properties
        WHERE property_id IN (SELECT property_id FROM found)
      )
      SELECT found.*, priced.currency FROM found LEFT JOIN priced USING (property_id)`,
    values: [source, textArray(externalKeys)],
  });
  return rows.map(toPlace);
}
