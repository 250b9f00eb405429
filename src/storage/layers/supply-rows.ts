/**
 * Rows of the supply tables, as both adapters select them and write them.
 */
import type {
  SaidOfProperty,
  StoredLayer,
  SupplyMapping,
  SupplyMessage,
  SupplyMessageRow,
  SupplyOutcome,
  SupplyVerdict,
} from '../port/supply-store.ts';
import type { StoredWrite } from '../stored-write.ts';
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
export function formatMessage(message: SupplyMessage, outcome: SupplyOutcome): StoredMessage {
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
  };
}

export interface StoredSaid {
  readonly message_id: string;
  readonly source: string;
  readonly received_at_ms: number;
  readonly said: string;
}

export function toSaid(row: StoredSaid): SaidOfProperty {
  return {
    messageId: row.message_id,
    source: row.source,
    receivedAtMs: row.received_at_ms,
    said: row.said,
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

export function toMapping(row: StoredMapping): SupplyMapping {
  return {
    source: row.source,
    externalKey: row.external_key,
    propertyId: row.property_id,
    inventoryTypeId: row.inventory_type_id,
  };
}
