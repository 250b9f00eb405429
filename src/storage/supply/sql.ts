/**
 * Reads of supply outside transactions, and deletion of its history. Reads over all properties go slice by slice, by
 * key; every statement uses an index.
 */
import { MANUAL_SOURCE, SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import type { SourceHistoryEntry, SupplyOutcome } from '../../domain/ledger/message.ts';
import type { KeyName, StoredKey } from '../../domain/ledger/rows.ts';
import { commit } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { change, ordinary, type Program, rows, SKIP_LOCKED } from '../portable-sql/program.ts';
import { firstMessageIdAt, messageIdsOf } from './message-id.ts';
import {
  type Confirmation,
  type ConfirmedSupply,
  type MessageFilter,
  type SourceProperty,
  SOURCES_LISTED_MAX,
  type SupplyAgeLimits,
  type SupplyMessageRow,
  type SupplyStore,
} from './store.ts';
import { type LayerRow, toLayer } from './supply-rows.ts';

export type SupplyReads = Pick<
  SupplyStore,
  | 'findSupplyKey'
  | 'listConfirmations'
  | 'listSupplyAgeLimits'
  | 'listSupplyMessages'
  | 'readMessageEntries'
  | 'listLayerSources'
  | 'listSourceProperties'
  | 'listSourceHistory'
  | 'deleteSupplyHistory'
>;

function supplyReads({ read, write }: RunnerOf<typeof WRITES>): SupplyReads {
  return {
    findSupplyKey: (source, key) => read(selectKey({ source, key })),
    listConfirmations: (after, limit) => read(selectConfirmed(after, limit)),
    listSupplyAgeLimits: (afterId, limit) => read(selectAgeLimits(afterId, limit)),
    listSupplyMessages: (filter) => read(selectMessages(filter)),
    readMessageEntries: (messageIds) => read(selectEntries(messageIds)),
    listLayerSources: () => read(selectLayerSources()),
    listSourceProperties: (source, afterId, limit) => read(selectSourceProperties(source, afterId, limit)),
    listSourceHistory: (propertyId, limit) => read(selectSourceHistory(propertyId, limit)),
    deleteSupplyHistory: (before) => write(deleteHistory, before),
  };
}

export function* selectKey({ source, key }: KeyName): Program<StoredKey | undefined> {
  const [row] = yield* rows<{ used_at_ms: number; body_hash: string; outcome: string }>(
    'SELECT used_at_ms, body_hash, outcome FROM supply_keys WHERE source = ? AND idempotency_key = ?',
    [source, key],
    'supply-key',
  );
  if (row === undefined) return undefined;
  const outcome = JSON.parse(row.outcome) as SupplyOutcome;
  return { usedAtMs: row.used_at_ms, bodyHash: row.body_hash, outcome };
}

// Confirmations: by a source for one property, or for everything that the source confirmed before.

const CONFIRMED_AT =
  'CASE WHEN s.confirmed_at_ms > c.confirmed_at_ms THEN s.confirmed_at_ms ELSE c.confirmed_at_ms END';
const CONFIRMATIONS = `supply_confirmations c
  LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source`;

interface ConfirmedColumns {
  readonly property_id: string;
  readonly source: string;
  readonly confirmed_at_ms: number;
}

/** By source. */
export function* selectConfirmations(propertyId: string): Program<Confirmation[]> {
  const found = yield* rows<ConfirmedColumns>(
    `SELECT c.source, ${CONFIRMED_AT} AS confirmed_at_ms FROM ${CONFIRMATIONS}
     WHERE c.property_id = ? ORDER BY c.source`,
    [propertyId],
    'supply-confirmations',
  );
  return found.map(({ source, confirmed_at_ms }) => ({ source, confirmedAtMs: confirmed_at_ms }));
}

function* selectConfirmed(
  after: Pick<ConfirmedSupply, 'propertyId' | 'source'>,
  limit: number,
): Program<ConfirmedSupply[]> {
  const found = yield* rows<ConfirmedColumns>(
    `SELECT c.property_id, c.source, ${CONFIRMED_AT} AS confirmed_at_ms
     FROM ${CONFIRMATIONS} JOIN properties p ON p.property_id = c.property_id AND p.withdrawn = 0
     WHERE (c.property_id, c.source) > (?, ?)
     ORDER BY c.property_id, c.source
     LIMIT ?`,
    [after.propertyId, after.source, limit],
    'supply-confirmed',
  );
  return found.map(({ property_id, source, confirmed_at_ms }) => {
    return { propertyId: property_id, source, confirmedAtMs: confirmed_at_ms };
  });
}

/** Searching for the text is cheaper than parsing the document as JSON, and few documents have the field. */
function* selectAgeLimits(afterId: string, limit: number): Program<SupplyAgeLimits> {
  const found = yield* rows<{
    readonly property_id: string;
    readonly hours: string | number | null;
    readonly confirmed_at_ms: number | null;
    readonly is_closed: number;
  }>(
    `SELECT p.property_id, p.hours,
       CASE WHEN p.hours IS NOT NULL THEN (
         SELECT max(${CONFIRMED_AT}) FROM ${CONFIRMATIONS}
         WHERE c.property_id = p.property_id AND c.source <> '${MANUAL_SOURCE}') END AS confirmed_at_ms,
       CASE WHEN p.hours IS NOT NULL AND EXISTS (
         SELECT 1 FROM calendar_layers l
         WHERE l.property_id = p.property_id AND l.source = '${SUPPLY_AGE_SOURCE}') THEN 1 ELSE 0 END AS is_closed
     FROM (
       SELECT property_id, CASE WHEN document LIKE '%"maxSupplyAgeHours":%'
         THEN json(document) ->> 'maxSupplyAgeHours' END AS hours
       FROM properties WHERE property_id > ? ORDER BY property_id LIMIT ?) AS p
     ORDER BY p.property_id`,
    [afterId, limit],
    'supply-age-limits',
  );
  const limits = found
    .filter(({ hours }) => hours !== null)
    .map(({ property_id, hours, confirmed_at_ms, is_closed }) => ({
      propertyId: property_id,
      maxSupplyAgeHours: Number(hours),
      confirmedAtMs: confirmed_at_ms ?? 0,
      isClosed: is_closed === 1,
    }));
  return { limits, lastId: found.length < limit ? undefined : found.at(-1)!.property_id };
}

// Messages. Entries are read separately: a list of messages does not need them.

const MESSAGE_COLUMNS = `
  m.message_id AS "messageId", m.source, m.kind, m.received_at_ms AS "receivedAtMs", m.verdict, m.revision, m.changed,
  m.unchanged, m.detail`;
/** Few messages concern one property. SQLite reads the left table of a CROSS JOIN first; PostgreSQL chooses. */
const MESSAGES_OF_PROPERTY = 'supply_message_properties p CROSS JOIN supply_messages m';

function* selectMessages({
  source,
  propertyId,
  kinds = [],
  limit,
  ...received
}: MessageFilter): Program<SupplyMessageRow[]> {
  const [from, until] = messageIdsOf(received);
  const [tables, id] =
    propertyId === undefined
      ? ['supply_messages m WHERE TRUE', 'm.message_id']
      : [`${MESSAGES_OF_PROPERTY} WHERE m.message_id = p.message_id AND p.property_id = ?`, 'p.message_id'];
  const found = yield* rows<SupplyMessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM ${tables}
       ${source === undefined ? '' : 'AND m.source = ?'}
       ${kinds.length === 0 ? '' : `AND m.kind IN (${placesOf(kinds)})`} AND ${id} >= ? AND ${id} < ?
     ORDER BY ${id} DESC
     LIMIT ?`,
    [...[propertyId, source].filter((value) => value !== undefined), ...kinds, from, until, limit],
  );
  return found.map((row) => ({ ...row }));
}

function* selectEntries(messageIds: readonly string[]): Program<Map<string, string>> {
  if (messageIds.length === 0) return new Map();
  const found = yield* rows<{ readonly message_id: string; readonly entries: string }>(
    `SELECT message_id, entries FROM supply_messages
     WHERE message_id IN (${placesOf(messageIds)}) AND entries IS NOT NULL`,
    messageIds,
  );
  return new Map(found.map((row) => [row.message_id, row.entries]));
}

function* selectSourceHistory(propertyId: string, limit: number): Program<SourceHistoryEntry[]> {
  const found = yield* rows<SourceHistoryEntry>(
    `SELECT m.message_id AS "messageId", m.source, m.kind, m.received_at_ms AS "receivedAtMs", p.said AS change
     FROM ${MESSAGES_OF_PROPERTY}
     WHERE m.message_id = p.message_id AND p.property_id = ?
     ORDER BY p.message_id DESC
     LIMIT ?`,
    [propertyId, limit],
  );
  return found.map((row) => ({ ...row }));
}

// Sources.

/** Skips from one source to the next: the cost depends on the number of sources, not of layers. */
function* selectLayerSources(): Program<string[]> {
  const found = yield* rows<{ readonly source: string }>(
    `WITH RECURSIVE found (source) AS (
       SELECT min(source) FROM calendar_layers
       UNION ALL
       SELECT (SELECT min(l.source) FROM calendar_layers l WHERE l.source > found.source)
       FROM found WHERE found.source IS NOT NULL
     )
     SELECT source FROM found WHERE source IS NOT NULL LIMIT ${SOURCES_LISTED_MAX}`,
  );
  return found.map(({ source }) => source);
}

/** Includes the layers of the source. Each part has the limit, so none is read to its end. */
function* selectSourceProperties(source: string, afterId: string, limit: number): Program<SourceProperty[]> {
  const part = [source, afterId, limit];
  const found = yield* rows<LayerRow & { readonly owner_id: string; readonly owns_document: number }>(
    `SELECT spoken_of.property_id AS owner_id, spoken_of.owns_document, l.*
     FROM (
       SELECT property_id, max(owns_document) AS owns_document FROM (
         SELECT * FROM (
           SELECT DISTINCT property_id, 0 AS owns_document FROM calendar_layers
           WHERE source = ? AND property_id > ? ORDER BY property_id LIMIT ?) AS layered
         UNION ALL SELECT * FROM (
           SELECT property_id, 0 FROM supply_confirmations
           WHERE source = ? AND property_id > ? ORDER BY property_id LIMIT ?) AS confirmed
         UNION ALL SELECT * FROM (
           SELECT property_id, 1 FROM properties
           WHERE source = ? AND property_id > ? AND withdrawn = 0 ORDER BY property_id LIMIT ?) AS owned
       ) AS parts
       GROUP BY property_id ORDER BY property_id LIMIT ?
     ) AS spoken_of LEFT JOIN calendar_layers l ON l.property_id = spoken_of.property_id AND l.source = ?
     ORDER BY spoken_of.property_id, l.inventory_type_id`,
    [...part, ...part, ...part, limit, source],
  );
  return Array.from(
    Map.groupBy(found, (row) => row.owner_id),
    ([propertyId, own]) => ({
      propertyId,
      ownsDocument: own[0]!.owns_document === 1,
      layers: own.filter((row) => (row.inventory_type_id as string | null) !== null).map(toLayer),
    }),
  );
}

// Deletion of history. Messages are deleted by id, which grows with time.

const deleteHistory = ordinary(
  'deleteSupplyHistory',
  function* (before: Parameters<SupplyStore['deleteSupplyHistory']>[0]) {
    // Skips keys that are locked because they are in use, without waiting.
    const keyCount = yield* change(
      `DELETE FROM supply_keys WHERE (source, idempotency_key) IN (
         SELECT source, idempotency_key FROM supply_keys WHERE used_at_ms < ? ORDER BY used_at_ms LIMIT ?
         ${SKIP_LOCKED})`,
      [before.keysMs, before.limit],
    );
    const oldest = yield* selectOldestKept(before.messagesMax);
    const dated = firstMessageIdAt(before.messagesMs);
    const found = yield* rows<{ readonly message_id: string }>(
      'SELECT message_id FROM supply_messages WHERE message_id < ? ORDER BY message_id LIMIT ?',
      [oldest !== undefined && oldest > dated ? oldest : dated, before.limit],
    );
    const ids = found.map(({ message_id }) => message_id);
    if (ids.length === 0) return commit(keyCount);
    const inIds = `WHERE message_id IN (${placesOf(ids)})`;
    yield* change(`DELETE FROM supply_message_properties ${inIds}`, ids);
    return commit(keyCount + (yield* change(`DELETE FROM supply_messages ${inIds}`, ids)));
  },
);

const WRITES = [deleteHistory];

export const supplyConcern = concern(WRITES, supplyReads);

/** The oldest of the newest `messagesMax` messages. Undefined if there are fewer, or for 0, which keeps any number. */
function* selectOldestKept(messagesMax: number): Program<string | undefined> {
  if (messagesMax === 0) return undefined;
  const [row] = yield* rows<{ readonly message_id: string }>(
    'SELECT message_id FROM supply_messages ORDER BY message_id DESC LIMIT 1 OFFSET ?',
    [messagesMax - 1],
  );
  return row?.message_id;
}

function placesOf(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
