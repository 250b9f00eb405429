/**
 * Reading layers and mappings. Statements are named, so that each connection plans them once.
 */
import type { ClientBase } from 'pg';
import { type PropertyState, writtenLayers } from '../../domain/ledger/layered-property.ts';
import { selectDetails, selectProperties } from '../catalogue/postgres.ts';
import { textArray } from '../engine/postgres/binary-array.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import { selectConfirmations } from './sql.ts';
import type { LayeredStored, FoundMapping } from './store.ts';
import {
  type LayerRow,
  type StateRow,
  type FoundMappingRow,
  toFoundMapping,
  toState,
} from './supply-rows.ts';

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
  const confirmations = await runPostgresProgram(client, selectConfirmations(propertyId));
  const details = await selectDetails(client, propertyId);
  return { stored, details, layers: writtenLayers(state), confirmations };
}

export async function selectMappingsOf(
  client: ClientBase,
  source: string,
  externalKeys: readonly string[],
): Promise<FoundMapping[]> {
  const { rows } = await client.query<FoundMappingRow>({
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
  return rows.map(toFoundMapping);
}
