/**
 * Rows of the supply tables, as both adapters select them and write them.
 */
import type {
  SourceHistoryEntry,
  SourceProperty,
  StoredLayer,
  MappedPlace,
  SupplyMapping,
  SupplyMessage,
  SupplyMessageRow,
  SupplyOutcome,
  SupplyVerdict,
} from './store.ts';
import type { StoredWrite } from '../catalogue/stored-write.ts';
import type { PropertyState } from './layered-property.ts';
import type { StoredKey } from './plan-rows.ts';

/** A property joined with its inventory types, by position; a tombstone is one row without a type. */
export interface StateRow {
  readonly property_id: string;
  readonly source: string;
  readonly changed_at_ms: number;
  readonly content_hash: string | null;
  readonly lowest_rates: Uint8Array | null;
  /** Null in the rows of the second and later types, and in a tombstone. */
  readonly document: string | null;
  readonly layered: number;
  readonly inventory_type_id: string | null;
  readonly nights: Uint8Array | null;
  readonly rates: Uint8Array | null;
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

export interface StoredMessage {
  readonly message_id: string;
  readonly source: string;
  readonly kind: string;
  readonly received_at_ms: number;
  readonly verdict: string;
  readonly revision: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly detail: string;
}

/** Of `supply_messages`: not the entries, which a list of messages does not need. */
export const MESSAGE_COLUMNS = [
  'message_id',
  'source',
  'kind',
  'received_at_ms',
  'verdict',
  'revision',
  'changed',
  'unchanged',
  'detail',
] as const satisfies readonly (keyof StoredMessage)[];

/** The limit comes behind it. Hops from one source to the next, so that it costs as much as there are sources and not layers. */
export const LAYER_SOURCES = `
  WITH RECURSIVE found (source) AS (
    SELECT min(source) FROM calendar_layers
    UNION ALL
    SELECT (SELECT min(l.source) FROM calendar_layers l WHERE l.source > found.source)
    FROM found WHERE found.source IS NOT NULL
  )
  SELECT source FROM found WHERE source IS NOT NULL LIMIT `;

export interface EntriesRow {
  readonly message_id: string;
  readonly entries: string;
}

export function toMessageRow(row: StoredMessage): SupplyMessageRow {
  return {
    messageId: row.message_id,
    source: row.source,
    kind: row.kind,
    receivedAtMs: row.received_at_ms,
    verdict: row.verdict as SupplyVerdict,
    revision: row.revision,
    changed: row.changed,
    unchanged: row.unchanged,
    detail: row.detail,
  };
}

/** The row that a message leaves behind. */
export function formatMessage(
  message: SupplyMessage,
  outcome: SupplyOutcome,
): StoredMessage & { readonly entries: string | null } {
  const { verdict, revision, changed, unchanged, note, refused, refusals } = outcome;
  return {
    message_id: message.messageId,
    source: message.source,
    kind: message.kind,
    received_at_ms: message.receivedAtMs,
    verdict,
    revision,
    changed,
    unchanged,
    detail: JSON.stringify({ note: JSON.parse(note) as unknown, refused, refusals }),
    entries: message.entries ?? null,
  };
}

export interface StoredHistoryEntry {
  readonly message_id: string;
  readonly source: string;
  readonly received_at_ms: number;
  readonly said: string;
}

export function toHistoryEntry(row: StoredHistoryEntry): SourceHistoryEntry {
  return {
    messageId: row.message_id,
    source: row.source,
    receivedAtMs: row.received_at_ms,
    change: row.said,
  };
}

export interface StoredKeyRow {
  readonly used_at_ms: number;
  readonly body_hash: string;
  readonly outcome: string;
}

export function toKey(row: StoredKeyRow): StoredKey {
  return {
    usedAtMs: row.used_at_ms,
    bodyHash: row.body_hash,
    outcome: JSON.parse(row.outcome) as SupplyOutcome,
  };
}

export interface StoredMapping {
  readonly source: string;
  readonly external_key: string;
  readonly property_id: string;
  readonly inventory_type_id: string;
}

export interface StoredPlace extends StoredMapping {
  readonly currency: string | null;
}

export function toPlace(row: StoredPlace): MappedPlace {
  return { ...toMapping(row), currency: row.currency };
}

export interface SourcePropertyRow {
  readonly property_id: string;
  readonly owns_document: number;
}

/** `layers` are those of the source. */
export function toSourceProperties(
  rows: readonly SourcePropertyRow[],
  layers: readonly LayerRow[],
): SourceProperty[] {
  const layersOf = Map.groupBy(layers, (layer) => layer.property_id);
  return rows.map((row) => ({
    propertyId: row.property_id,
    ownsDocument: row.owns_document === 1,
    layers: (layersOf.get(row.property_id) ?? []).map(toLayer),
  }));
}

export function toMapping(row: StoredMapping): SupplyMapping {
  return {
    source: row.source,
    externalKey: row.external_key,
    propertyId: row.property_id,
    inventoryTypeId: row.inventory_type_id,
  };
}
