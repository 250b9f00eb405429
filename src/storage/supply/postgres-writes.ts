/**
 * Applying supply messages: a batch in one transaction, whatever its size in a handful of statements per piece. The
 * row of the revision is locked before anything is read, so messages of all senders follow one another.
 */
import type { ClientBase } from 'pg';
import { inPieces, inSlices } from './slices.ts';
import type { PropertyState, SettledProperty } from './layered-property.ts';
import { SupplyPlanner } from './supply-plan.ts';
import { conditionalIdsOf, propertyIdsOf, type StoredKey } from './plan-rows.ts';
import type { WriteOutcome } from '../catalogue/store.ts';
import type { StoredWrite } from '../catalogue/stored-write.ts';
import type { SupplyAnswer, SupplyMessage } from './store.ts';
import { bigintArray, bytesArray, textArray } from '../engine/postgres/binary-array.ts';
import { putProperties, withdrawAll } from '../catalogue/postgres-writes.ts';
import { lockRevision, takeRevision } from '../history/postgres.ts';
import {
  deleteConfirmed,
  deleteLayers,
  putConfirmed,
  putMessages,
  putSourceHistory,
} from './postgres-history.ts';
import { lockConfirmed } from './postgres-freshness.ts';
import { selectKey, selectStates } from './postgres-queries.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';

/** Each piece is built and read in one turn of the event loop. */
const PIECE_PROPERTIES_MAX = 50;
const PIECE_BYTES_MAX = 512 * 1024;

export async function applySupplyMessages(
  client: ClientBase,
  messages: readonly SupplyMessage[],
  nowMs: number,
): Promise<SupplyAnswer[]> {
  return inWriteTransaction(client, async () => {
    const newest = await lockRevision(client);
    const planner = await preparePlanner(client, messages.flatMap(propertyIdsOf), messages);
    for (const message of messages) await inSlices(planner.take(message));
    const settled = (await inSlices(planner.settle())).filter((one) => one !== undefined);
    const { withdrawnIds } = planner;
    const isChange = settled.length > 0 || withdrawnIds.length > 0;
    const revision = isChange ? await takeRevision(client) : newest;
    await deleteLayers(client, planner.abandoned);
    await putSettled(client, settled, { revision, nowMs });
    if (withdrawnIds.length > 0) await withdrawAll(client, withdrawnIds, { revision, nowMs });
    await deleteConfirmed(client, planner.unconfirmed);
    await putConfirmed(client, planner.confirmed());
    const sealed = planner.seal(revision);
    await putMessages(client, sealed);
    await putSourceHistory(client, planner.kept.rows);
    return { result: sealed.map(({ answer }) => answer), isCommitted: true };
  });
}

/** Documents of properties of which several sources have layers, or that keep what is there; within a transaction. */
export async function applyLayeredWrites(
  client: ClientBase,
  writes: readonly StoredWrite[],
  nowMs: number,
): Promise<WriteOutcome[]> {
  const { planner, outcomes } = await planWrites(client, writes, nowMs);
  const settled = (await inSlices(planner.settle())).filter((one) => one !== undefined);
  await deleteConfirmed(client, planner.unconfirmed);
  await putConfirmed(client, planner.confirmed());
  if (settled.length > 0) await putSettled(client, settled, { revision: await takeRevision(client), nowMs });
  return outcomes;
}

export async function compareLayeredWrites(
  client: ClientBase,
  writes: readonly StoredWrite[],
): Promise<WriteOutcome[]> {
  return (await planWrites(client, writes, 0)).outcomes;
}

async function planWrites(client: ClientBase, writes: readonly StoredWrite[], nowMs: number) {
  const planner = await preparePlanner(
    client,
    writes.map(({ propertyId }) => propertyId),
    [],
  );
  const steps = function* (): Generator<WriteOutcome, void> {
    for (const write of writes) yield planner.write(write, nowMs);
  };
  return { planner, outcomes: await inSlices(steps()) };
}

/** With everything that the messages ask for read in advance. */
async function preparePlanner(
  client: ClientBase,
  propertyIds: readonly string[],
  messages: readonly SupplyMessage[],
): Promise<SupplyPlanner> {
  const states = new Map<string, PropertyState | undefined>();
  const ids = [...new Set(propertyIds)];
  for (let start = 0; start < ids.length; start += PIECE_PROPERTIES_MAX) {
    const found = await selectStates(client, ids.slice(start, start + PIECE_PROPERTIES_MAX));
    for (const [propertyId, state] of found) states.set(propertyId, state);
  }
  const keys = new Map<string, StoredKey | undefined>();
  for (const { source, idempotency } of messages) {
    if (idempotency === null) continue;
    keys.set(`${source}\n${idempotency.key}`, await selectKey(client, source, idempotency.key));
  }
  const confirmed = await lockConfirmed(client, messages.flatMap(conditionalIdsOf));
  return new SupplyPlanner({
    findState: (propertyId) => states.get(propertyId),
    findKey: (source, key) => keys.get(`${source}\n${key}`),
    findConfirmedAtMs: (propertyId) => confirmed.get(propertyId) ?? 0,
  });
}

async function putSettled(
  client: ClientBase,
  settled: readonly SettledProperty[],
  stamp: { readonly revision: number; readonly nowMs: number },
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
