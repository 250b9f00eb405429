/**
 * Reading layers, messages and mappings. Statements are named, so that each connection plans them once.
 */
import type { ClientBase } from 'pg';
import { type PropertyState, writtenLayers } from '../../layers/layered-property.ts';
import type { StoredKey } from '../../layers/plan-rows.ts';
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
} from '../../layers/supply-rows.ts';
import type {
  Confirmation,
  LayeredStored,
  MessageFilter,
  SaidOfProperty,
  SupplyMapping,
  SupplyMessageRow,
} from '../../port/supply-store.ts';
import { textArray } from '../binary-array.ts';
import { selectProperties } from '../catalogue-queries.ts';

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
  return { stored, layers: writtenLayers(state), confirmations };
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
  { source, propertyId, limit }: MessageFilter,
): Promise<SupplyMessageRow[]> {
  const { rows } =
    propertyId === undefined
      ? await client.query<StoredMessage>(
          `SELECT * FROM supply_messages WHERE $1::text IS NULL OR source = $1 ORDER BY message_id DESC LIMIT $2`,
          [source ?? null, limit],
        )
      : await client.query<StoredMessage>(
          `SELECT m.* FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
           WHERE p.property_id = $1 AND ($2::text IS NULL OR m.source = $2)
           ORDER BY p.message_id DESC
           LIMIT $3`,
          [propertyId, source ?? null, limit],
        );
  return rows.map(toMessageRow);
}

export async function selectSaid(
  client: ClientBase,
  propertyId: string,
  limit: number,
): Promise<SaidOfProperty[]> {
  const { rows } = await client.query<StoredSaid>(
    `SELECT m.message_id, m.source, m.received_at_ms, p.said
     FROM supply_message_properties p JOIN supply_messages m ON m.message_id = p.message_id
     WHERE p.property_id = $1
     ORDER BY p.message_id DESC
     LIMIT $2`,
    [propertyId, limit],
  );
  return rows.map(toSaid);
}

export async function selectMappings(
  client: ClientBase,
  source: string | undefined,
): Promise<SupplyMapping[]> {
  const { rows } = await client.query<StoredMapping>(
    'SELECT * FROM supply_mappings WHERE $1::text IS NULL OR source = $1 ORDER BY source, external_key',
    [source ?? null],
  );
  return rows.map(toMapping);
}

export async function selectMappingsOf(
  client: ClientBase,
  source: string,
  externalKeys: readonly string[],
): Promise<SupplyMapping[]> {
  const { rows } = await client.query<StoredMapping>({
    name: 'supply-mappings',
    text: 'SELECT * FROM supply_mappings WHERE source = $1 AND external_key = ANY ($2::text[])',
    values: [source, textArray(externalKeys)],
  });
  return rows.map(toMapping);
}
