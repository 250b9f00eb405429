/**
 * The tables of supply on PostgreSQL: whatever the size of a batch, a handful of statements per piece. The row of the
 * revision is locked before anything is read, so messages of all senders follow one another.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import type { PropertyState, SettledProperty } from '../../domain/ledger/layered-property.ts';
import type { SupplyAnswer, SupplyMessage } from '../../domain/ledger/message.ts';
import type { Remembered, Settlement } from '../../domain/ledger/planner.ts';
import type {
  ConfirmedRow,
  Needed,
  SourceHistoryRow,
  StoredKey,
  SupplyRows,
} from '../../domain/ledger/rows.ts';
import { type SupplyTables, type SupplySteps, settleMessages } from '../../domain/ledger/settle-messages.ts';
import type { Stamp } from '../catalogue/change-row.ts';
import { putProperties, withdrawAll } from '../catalogue/postgres-writes.ts';
import { bigintArray, bytesArray, textArray } from '../engine/postgres/binary-array.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';
import { lockRevision, takeRevision } from '../history/postgres.ts';
import type { Revision } from '../history/revision.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import { selectStates } from './postgres-queries.ts';
import { selectKey } from './sql.ts';
import { formatMessage, MESSAGE_COLUMNS } from './supply-rows.ts';

/** Each piece is built and read in one turn of the event loop. */
const PIECE_PROPERTIES_MAX = 50;
const PIECE_BYTES_MAX = 512 * 1024;
const PIECE_ROWS_MAX = 1_000;
/** Long work between two statements is cut into slices of so long, that leave the event loop free. */
const SLICE_MS_MAX = 3;

export async function applySupplyMessages(
  client: ClientBase,
  messages: readonly SupplyMessage[],
  nowMs: number,
): Promise<SupplyAnswer[]> {
  return inWriteTransaction(client, async () => {
    const tables = openTables(client, { revision: await lockRevision(client), nowMs });
    return { result: await runStepsWithPauses(settleMessages(messages), tables), isCommitted: true };
  });
}

/** As `runSteps`, with pauses. */
export async function runStepsWithPauses<T>(steps: SupplySteps<T>, tables: SupplyTables): Promise<T> {
  let startedAtMs = performance.now();
  let step = steps.next();
  while (step.done !== true) {
    const answer = await step.value?.(tables);
    if (performance.now() - startedAtMs > SLICE_MS_MAX) {
      await nextTurn();
      startedAtMs = performance.now();
    }
    step = steps.next(answer);
  }
  return step.value;
}

/** Within a transaction that holds the lock of the revision, which is that of `newest`, where anything is saved. */
export function openTables(client: ClientBase, newest: Stamp): SupplyTables {
  return {
    load: (needed) => load(client, needed),
    save: (settlement) => save(client, settlement, newest),
    remember: (remembered) => remember(client, remembered),
  };
}

/** Everything in advance. */
async function load(client: ClientBase, { propertyIds, keys, conditionalIds }: Needed): Promise<SupplyRows> {
  const states = new Map<string, PropertyState | undefined>();
  const ids = [...new Set(propertyIds)];
  for (let start = 0; start < ids.length; start += PIECE_PROPERTIES_MAX) {
    const found = await selectStates(client, ids.slice(start, start + PIECE_PROPERTIES_MAX));
    for (const [propertyId, state] of found) states.set(propertyId, state);
  }
  const storedKeys = new Map<string, StoredKey | undefined>();
  for (const { source, key } of keys)
    storedKeys.set(`${source}\n${key}`, await runPostgresProgram(client, selectKey({ source, key })));
  const confirmed = await lockConfirmed(client, conditionalIds);
  return {
    findState: (propertyId) => states.get(propertyId),
    findKey: (source, key) => storedKeys.get(`${source}\n${key}`),
    findConfirmedAtMs: (propertyId) => confirmed.get(propertyId) ?? 0,
  };
}

/**
 * When any source but `manual` last confirmed each property; those that none did are not in it. Within a transaction
 * that holds the lock of the revision: imports that change nothing confirm without that lock, so the rows are locked
 * too, in the order in which they are written.
 */
async function lockConfirmed(
  client: ClientBase,
  propertyIds: readonly string[],
): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  if (propertyIds.length === 0) return newest;
  const { rows } = await client.query<{ property_id: string; confirmed_at_ms: number }>({
    name: 'lock-confirmed',
    text: `
      SELECT c.property_id, greatest(c.confirmed_at_ms, s.confirmed_at_ms) AS confirmed_at_ms
      FROM supply_confirmations c
        LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
      WHERE c.property_id = ANY ($1::text[]) AND c.source <> '${MANUAL_SOURCE}'
      ORDER BY c.property_id, c.source
      FOR UPDATE OF c`,
    values: [textArray(propertyIds)],
  });
  for (const { property_id, confirmed_at_ms } of rows) {
    newest.set(property_id, Math.max(newest.get(property_id) ?? 0, confirmed_at_ms));
  }
  return newest;
}

async function save(
  client: ClientBase,
  { abandoned, settled, withdrawnIds, unconfirmed, confirmed }: Settlement,
  { revision: newest, nowMs }: Stamp,
): Promise<Revision> {
  const isChange = settled.length > 0 || withdrawnIds.length > 0;
  const revision = isChange ? await takeRevision(client) : newest;
  await deleteOfSources(client, 'calendar_layers', abandoned);
  await putSettled(client, settled, withdrawnIds, { revision, nowMs });
  if (withdrawnIds.length > 0) await withdrawAll(client, withdrawnIds, { revision, nowMs });
  await deleteOfSources(client, 'supply_confirmations', unconfirmed);
  await putConfirmed(client, confirmed);
  return revision;
}

/** Confirmations, or layers of properties that were withdrawn: nothing else writes those. */
async function deleteOfSources(
  client: ClientBase,
  table: 'supply_confirmations' | 'calendar_layers',
  rows: readonly Omit<ConfirmedRow, 'atMs'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `DELETE FROM ${table} WHERE (property_id, source) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [textArray(rows.map((row) => row.propertyId)), textArray(rows.map((row) => row.source))],
  );
}

async function putSettled(
  client: ClientBase,
  settled: readonly SettledProperty[],
  withdrawnIds: readonly string[],
  stamp: Stamp,
): Promise<void> {
  const pieces = inPieces(settled, {
    countMax: PIECE_PROPERTIES_MAX,
    bytesMax: PIECE_BYTES_MAX,
    bytesOf: ({ content }) => content.document.length,
  });
  for (const piece of pieces) {
    const planned = piece.map(({ content, hash, layers }) => ({
      write: content,
      hash,
      isLayered: layers.length > 0,
      isWithdrawn: withdrawnIds.includes(content.propertyId),
    }));
    await putProperties(client, planned, stamp);
    await putLayers(client, piece);
  }
}

async function putLayers(client: ClientBase, settled: readonly SettledProperty[]): Promise<void> {
  await client.query({
    name: 'delete-layers',
    text: 'DELETE FROM calendar_layers WHERE property_id = ANY ($1::text[])',
    values: [textArray(settled.map(({ content }) => content.propertyId))],
  });
  const layers = settled.flatMap(({ content: { propertyId }, layers: own }) =>
    own.map((layer) => ({ ...layer, propertyId })),
  );
  if (layers.length === 0) return;
  await client.query({
    name: 'put-layers',
    text: `
      INSERT INTO calendar_layers (property_id, inventory_type_id, source, changed_at_ms, nights, rates)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[], $6::bytea[])`,
    values: [
      textArray(layers.map((layer) => layer.propertyId)),
      textArray(layers.map((layer) => layer.inventoryTypeId)),
      textArray(layers.map((layer) => layer.source)),
      bigintArray(layers.map((layer) => layer.changedAtMs)),
      bytesArray(layers.map((layer) => layer.nights)),
      bytesArray(layers.map((layer) => layer.rates)),
    ],
  });
}

/** In the order of ids: two writers that meet wait for each other in one direction only. */
export async function putConfirmed(client: ClientBase, confirmed: readonly ConfirmedRow[]): Promise<void> {
  for (let start = 0; start < confirmed.length; start += PIECE_ROWS_MAX) {
    const rows = confirmed.slice(start, start + PIECE_ROWS_MAX);
    await client.query({
      name: 'confirm',
      text: `
        INSERT INTO supply_confirmations AS stored (property_id, source, confirmed_at_ms)
        SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
        ON CONFLICT (property_id, source) DO UPDATE SET
          confirmed_at_ms = greatest(stored.confirmed_at_ms, excluded.confirmed_at_ms)`,
      values: [
        textArray(rows.map((row) => row.propertyId)),
        textArray(rows.map((row) => row.source)),
        bigintArray(rows.map((row) => row.atMs)),
      ],
    });
  }
}

async function remember(client: ClientBase, { messages, keys, history }: Remembered): Promise<void> {
  const rows = messages.map(formatMessage);
  await client.query({
    name: 'put-messages',
    text: `
      INSERT INTO supply_messages (${MESSAGE_COLUMNS})
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::text[], $10::text[])`,
    values: [
      textArray(rows.map((row) => row[0])),
      textArray(rows.map((row) => row[1])),
      textArray(rows.map((row) => row[2])),
      bigintArray(rows.map((row) => row[3])),
      textArray(rows.map((row) => row[4])),
      bigintArray(rows.map((row) => row[5])),
      bigintArray(rows.map((row) => row[6])),
      bigintArray(rows.map((row) => row[7])),
      textArray(rows.map((row) => row[8])),
      rows.map((row) => row[9]),
    ],
  });
  for (const { source, key, usedAtMs, bodyHash, outcome } of keys) {
    await client.query({
      name: 'put-supply-key',
      text: `
        INSERT INTO supply_keys (source, idempotency_key, used_at_ms, body_hash, outcome) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (source, idempotency_key) DO UPDATE SET
          used_at_ms = excluded.used_at_ms, body_hash = excluded.body_hash, outcome = excluded.outcome`,
      values: [source, key, usedAtMs, bodyHash, JSON.stringify(outcome)],
    });
  }
  await putSourceHistory(client, history);
}

async function putSourceHistory(client: ClientBase, history: readonly SourceHistoryRow[]): Promise<void> {
  const pieces = inPieces(history, {
    countMax: PIECE_ROWS_MAX,
    bytesMax: PIECE_BYTES_MAX,
    bytesOf: (row) => row.change.length,
  });
  for (const rows of pieces) {
    await client.query({
      name: 'put-source-history',
      text: `
        INSERT INTO supply_message_properties (message_id, property_id, said)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
      values: [
        textArray(rows.map((row) => row.messageId)),
        textArray(rows.map((row) => row.propertyId)),
        textArray(rows.map((row) => row.change)),
      ],
    });
  }
}

/** Pieces of at most `countMax` items and about `bytesMax` bytes; an item that is larger is a piece by itself. */
function* inPieces<T>(
  items: readonly T[],
  { countMax, bytesMax, bytesOf }: PieceOptions<T>,
): Generator<readonly T[], void> {
  let piece: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = bytesOf(item);
    if (piece.length > 0 && (piece.length >= countMax || bytes + itemBytes > bytesMax)) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(item);
    bytes += itemBytes;
  }
  if (piece.length > 0) yield piece;
}

interface PieceOptions<T> {
  readonly countMax: number;
  readonly bytesMax: number;
  readonly bytesOf: (item: T) => number;
}
