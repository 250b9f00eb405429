/**
 * What messages leave behind: themselves with their verdicts, which property they changed, the keys they were
 * sent under, and what they confirmed.
 */
import type { ClientBase } from 'pg';
import type { SupplyPlanner } from './supply-plan.ts';
import { type ConfirmedRow, type DeletedHistory, laterId, type SourceHistoryRow } from './plan-rows.ts';
import { formatMessage } from './supply-rows.ts';
import type { StoredWrite } from '../catalogue/stored-write.ts';
import { bigintArray, textArray } from '../engine/postgres/binary-array.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';
import { inPieces } from './slices.ts';

/** Each piece is built in one turn of the event loop. */
const PIECE_BYTES_MAX = 512 * 1024;
const PIECE_ROWS_MAX = 1_000;

/** A document confirms the property for its source, changed or not; confirmations of a former source are deleted. */
export async function confirmWrites(
  client: ClientBase,
  writes: readonly StoredWrite[],
  nowMs: number,
): Promise<void> {
  await client.query({
    name: 'unconfirm',
    text: `
      DELETE FROM supply_confirmations c
      USING unnest($1::text[], $2::text[]) AS written (property_id, source), properties p
      WHERE p.property_id = written.property_id AND p.source <> written.source
        AND c.property_id = p.property_id AND c.source = p.source`,
    values: [
      textArray(writes.map(({ propertyId }) => propertyId)),
      textArray(writes.map(({ source }) => source)),
    ],
  });
  const rows = new Map(
    writes.map(({ propertyId, source }) => [`${propertyId}\n${source}`, { propertyId, source, atMs: nowMs }]),
  );
  await putConfirmed(
    client,
    [...rows.values()].toSorted((a, b) => (a.propertyId < b.propertyId ? -1 : 1)),
  );
}

export async function deleteConfirmed(
  client: ClientBase,
  rows: readonly Omit<ConfirmedRow, 'atMs'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `DELETE FROM supply_confirmations
     WHERE (property_id, source) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [textArray(rows.map((row) => row.propertyId)), textArray(rows.map((row) => row.source))],
  );
}

/** Of properties that were withdrawn: nothing else writes the layers of those. */
export async function deleteLayers(
  client: ClientBase,
  rows: readonly Omit<ConfirmedRow, 'atMs'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `DELETE FROM calendar_layers
     WHERE (property_id, source) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [textArray(rows.map((row) => row.propertyId)), textArray(rows.map((row) => row.source))],
  );
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

type Sealed = ReturnType<SupplyPlanner['seal']>;

export async function putMessages(client: ClientBase, sealed: Sealed): Promise<void> {
  const done = sealed.flatMap(({ message, answer }) =>
    answer.kind === 'done' && !answer.isReplayed ? [{ message, outcome: answer.outcome }] : [],
  );
  const rows = done.map(({ message, outcome }) => formatMessage(message, outcome));
  await client.query({
    name: 'put-messages',
    text: `
      INSERT INTO supply_messages
        (message_id, source, kind, received_at_ms, verdict, revision, changed, unchanged, detail, entries)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::text[], $10::text[])`,
    values: [
      textArray(rows.map((row) => row.message_id)),
      textArray(rows.map((row) => row.source)),
      textArray(rows.map((row) => row.kind)),
      bigintArray(rows.map((row) => row.received_at_ms)),
      textArray(rows.map((row) => row.verdict)),
      bigintArray(rows.map((row) => row.revision)),
      bigintArray(rows.map((row) => row.changed)),
      bigintArray(rows.map((row) => row.unchanged)),
      textArray(rows.map((row) => row.detail)),
      rows.map((row) => row.entries),
    ],
  });
  for (const { message, outcome } of done) {
    const { source, receivedAtMs, idempotency } = message;
    if (idempotency === null || outcome.verdict === 'refused') continue;
    await client.query({
      name: 'put-supply-key',
      text: `
        INSERT INTO supply_keys (source, idempotency_key, used_at_ms, body_hash, outcome) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (source, idempotency_key) DO UPDATE SET
          used_at_ms = excluded.used_at_ms, body_hash = excluded.body_hash, outcome = excluded.outcome`,
      values: [source, idempotency.key, receivedAtMs, idempotency.bodyHash, JSON.stringify(outcome)],
    });
  }
}

export async function putSourceHistory(
  client: ClientBase,
  history: readonly SourceHistoryRow[],
): Promise<void> {
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

/** A key that is just being used again is locked: it stays, and nobody waits for it. */
export async function deleteHistory(
  client: ClientBase,
  { messageId, messagesMax, keysMs, limit }: DeletedHistory,
): Promise<number> {
  return inWriteTransaction(client, async () => {
    const keys = await client.query(
      `DELETE FROM supply_keys WHERE (source, idempotency_key) IN (
         SELECT source, idempotency_key FROM supply_keys WHERE used_at_ms < $1 ORDER BY used_at_ms LIMIT $2
         FOR UPDATE SKIP LOCKED)`,
      [keysMs, limit],
    );
    const kept = await client.query<{ message_id: string }>(
      'SELECT message_id FROM supply_messages ORDER BY message_id DESC LIMIT 1 OFFSET $1',
      [Math.max(0, messagesMax - 1)],
    );
    const oldestKept = messagesMax === 0 ? undefined : kept.rows[0]?.message_id;
    const messages = await client.query<{ message_id: string }>(
      `DELETE FROM supply_messages WHERE message_id IN (
         SELECT message_id FROM supply_messages WHERE message_id < $1 ORDER BY message_id LIMIT $2)
       RETURNING message_id`,
      [laterId(messageId, oldestKept), limit],
    );
    await client.query('DELETE FROM supply_message_properties WHERE message_id = ANY ($1::text[])', [
      textArray(messages.rows.map((row) => row.message_id)),
    ]);
    return { result: (keys.rowCount ?? 0) + messages.rows.length, isCommitted: true };
  });
}
