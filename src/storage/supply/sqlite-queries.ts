/**
 * Reading layers and mappings. Statements are prepared once per connection; every one goes by an index.
 */
import type { DatabaseSync } from 'node:sqlite';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import { type PropertyState, writtenLayers } from '../../domain/ledger/layered-property.ts';
import type { StoredProperty } from '../catalogue/store.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import { selectConfirmations } from './sql.ts';
import type { LayeredStored, FoundMapping } from './store.ts';
import { type LayerRow, type StateRow, type StoredMapping, toFoundMapping, toState } from './supply-rows.ts';

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
    mapping: database.prepare('SELECT * FROM supply_mappings WHERE source = ? AND external_key = ?'),
    currency: database.prepare(
      "SELECT document ->> 'currency' AS currency FROM properties WHERE property_id = ?",
    ),
  };
}

export type SupplyQueries = ReturnType<typeof prepareSupplyQueries>;

export function selectState(queries: SupplyQueries, propertyId: string): PropertyState | undefined {
  const rows = queries.state.all(propertyId) as unknown as StateRow[];
  const isLayered = rows[0]?.layered === 1;
  const layers = isLayered ? (queries.layers.all(propertyId) as unknown as LayerRow[]) : [];
  return toState(rows, layers);
}

/** Within a transaction, so that the tables show one state. */
export function selectLayers(
  queries: SupplyQueries,
  database: DatabaseSync,
  stored: StoredProperty | undefined,
  details: PropertyDetails | undefined,
): LayeredStored | undefined {
  if (stored === undefined) return undefined;
  const { propertyId } = stored.property;
  const state = selectState(queries, propertyId);
  if (state === undefined) return undefined;
  const confirmations = runProgram(database, selectConfirmations(propertyId));
  return { stored, details, layers: writtenLayers(state), confirmations };
}

/** By any source but `manual`; 0 when none did. */
export function selectConfirmedAtMs(database: DatabaseSync, propertyId: string): number {
  const confirmed = runProgram(database, selectConfirmations(propertyId)).filter(
    ({ source }) => source !== MANUAL_SOURCE,
  );
  return Math.max(0, ...confirmed.map(({ confirmedAtMs }) => confirmedAtMs));
}

export function selectMappingsOf(
  queries: SupplyQueries,
  source: string,
  externalKeys: readonly string[],
): FoundMapping[] {
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
    .map((row) => toFoundMapping({ ...row, currency: currencyOf(row.property_id) }));
}
