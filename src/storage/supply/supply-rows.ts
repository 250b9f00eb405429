/**
 * Rows of the supply tables, as both adapters select them and write them.
 */
import type { PropertyState } from '../../domain/ledger/layered-property.ts';
import type { StoredLayer } from '../../domain/ledger/message.ts';
import type { Remembered } from '../../domain/ledger/planner.ts';
import type { StoredWrite } from '../../domain/ledger/stored-write.ts';
import type { StoredRow } from '../catalogue/property-rows.ts';
import type { FoundMapping, SupplyMapping } from './store.ts';

/** A property joined with its inventory types, by position; a tombstone is one row without a type. */
export interface StateRow extends Omit<StoredRow, 'revision'> {
  readonly content_hash: string | null;
  readonly layered: number;
  readonly inventory_type_id: string | null;
}

export interface LayerRow {
  readonly property_id: string;
  readonly inventory_type_id: string;
  readonly source: string;
  readonly changed_at_ms: number;
  readonly nights: Uint8Array;
  readonly rates: Uint8Array;
}

export function toState(rows: readonly StateRow[], layers: readonly LayerRow[]): PropertyState | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    content: first.document === null ? undefined : toContent(rows, first.document),
    contentHash: first.content_hash,
    changedAtMs: first.changed_at_ms,
    layers: layers.map(toLayer),
  };
}

function toContent(rows: readonly StateRow[], document: string): StoredWrite {
  const { property_id, source, lowest_rates } = rows[0]!;
  return {
    propertyId: property_id,
    source,
    document,
    lowestRates: lowest_rates!,
    types: rows.map(({ inventory_type_id, nights, rates }) => ({
      inventoryTypeId: inventory_type_id!,
      nights: nights!,
      rates: rates!,
    })),
    keptTypeIds: [],
    isOwnOnly: false,
  };
}

export function toLayer(row: LayerRow): StoredLayer {
  const { inventory_type_id: inventoryTypeId, source, changed_at_ms: changedAtMs, nights, rates } = row;
  return { inventoryTypeId, source, changedAtMs, nights, rates };
}

/** The row that a message leaves behind, in the order of `MESSAGE_COLUMNS`. */
export function formatMessage({ message, outcome }: Remembered['messages'][number]) {
  const { note, refused, refusals, hidden, setByHand } = outcome;
  return [
    message.messageId,
    message.source,
    message.kind,
    message.receivedAtMs,
    outcome.verdict,
    outcome.revision,
    outcome.changed,
    outcome.unchanged,
    JSON.stringify({ note: JSON.parse(note) as unknown, refused, refusals, hidden, setByHand }),
    message.entries ?? null,
  ] as const;
}

export const MESSAGE_COLUMNS =
  'message_id, source, kind, received_at_ms, verdict, revision, changed, unchanged, detail, entries';

export interface StoredMapping {
  readonly source: string;
  readonly external_key: string;
  readonly property_id: string;
  readonly inventory_type_id: string;
}

export interface FoundMappingRow extends StoredMapping {
  readonly currency: string | null;
}

export function toFoundMapping(row: FoundMappingRow): FoundMapping {
  return { ...toMapping(row), currency: row.currency };
}

export function toMapping(row: StoredMapping): SupplyMapping {
  return {
    source: row.source,
    externalKey: row.external_key,
    propertyId: row.property_id,
    inventoryTypeId: row.inventory_type_id,
  };
}
