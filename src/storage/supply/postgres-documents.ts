/**
 * Writing documents with their calendars. Most replace everything stored of their property; if several sources have
 * layers on it, the document is combined with those.
 */
import type { ClientBase } from 'pg';
import { SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import { compareDocuments, settleDocuments } from '../../domain/ledger/settle-messages.ts';
import {
  needLayers,
  planWrites,
  type StoredWrite,
  type WriteOutcome,
} from '../../domain/ledger/stored-write.ts';
import { applyWrites, compareWrites, selectContents } from '../catalogue/postgres-writes.ts';
import { lockRevision } from '../history/postgres.ts';
import { textArray } from '../engine/postgres/binary-array.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';
import { openTables, putConfirmed, runStepsWithPauses } from './postgres-writes.ts';

const NOTHING_SAVED = { revision: 0, nowMs: 0 };

export async function applyPropertyWrites(
  client: ClientBase,
  writes: readonly StoredWrite[],
  nowMs: number,
): Promise<WriteOutcome[]> {
  if (writes.length === 0) return [];
  const before = await comparePropertyWrites(client, writes);
  // Importing the same file again takes no lock on the revision.
  const isUnchanged = before.every((outcome) => outcome === 'unchanged');
  if (isUnchanged && (await confirmUnchanged(client, writes, nowMs))) return before;
  return inWriteTransaction(client, async () => ({
    result: await applyLocked(client, writes, nowMs),
    isCommitted: true,
  }));
}

/** False, and confirms nothing, if a property was closed for its age since the comparison: it has to be opened. */
async function confirmUnchanged(
  client: ClientBase,
  writes: readonly StoredWrite[],
  nowMs: number,
): Promise<boolean> {
  return inWriteTransaction(client, async () => {
    await confirmWrites(client, writes, nowMs);
    const ids = writes.map(({ propertyId }) => propertyId);
    const isUpToDate = !(await isAnyClosedForAge(client, ids));
    return { result: isUpToDate, isCommitted: isUpToDate };
  });
}

/** The outcome of each write after those before it; an id may occur more than once. */
export async function comparePropertyWrites(
  client: ClientBase,
  writes: readonly StoredWrite[],
): Promise<WriteOutcome[]> {
  return (await needStoredLayers(client, writes))
    ? runStepsWithPauses(compareDocuments(writes), openTables(client, NOTHING_SAVED))
    : compareWrites(client, planWrites(writes));
}

async function applyLocked(
  client: ClientBase,
  writes: readonly StoredWrite[],
  nowMs: number,
): Promise<WriteOutcome[]> {
  const tables = openTables(client, { revision: await lockRevision(client), nowMs });
  if (await needStoredLayers(client, writes))
    return runStepsWithPauses(settleDocuments(writes, nowMs), tables);
  await confirmWrites(client, writes, nowMs);
  return applyWrites(client, planWrites(writes), nowMs);
}

async function needStoredLayers(client: ClientBase, writes: readonly StoredWrite[]): Promise<boolean> {
  const ids = writes.map(({ propertyId }) => propertyId);
  const contents = await selectContents(client, ids);
  return needLayers(writes, (propertyId) => contents.get(propertyId));
}

/** A document confirms the property for its source, changed or not; confirmations of a former source are deleted. */
async function confirmWrites(
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

/** Whether any of the properties is closed because its sources were silent. */
async function isAnyClosedForAge(client: ClientBase, propertyIds: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'any-closed-for-age',
    text: `
      SELECT 1 FROM calendar_layers
      WHERE property_id = ANY ($1::text[]) AND source = '${SUPPLY_AGE_SOURCE}' LIMIT 1`,
    values: [textArray(propertyIds)],
  });
  return rowCount !== 0;
}
