/**
 * Writing documents with their calendars: most replace all that is stored of their property; those of properties of
 * which several sources have layers are combined with these.
 */
import type { ClientBase } from 'pg';
import type { WriteOutcome } from '../catalogue/store.ts';
import { needLayers, type StoredWrite } from '../catalogue/stored-write.ts';
import {
  applyWrites,
  compareWrites,
  isUnchanged,
  planWrites,
  selectContents,
} from '../catalogue/postgres-writes.ts';
import { lockRevision } from '../history/postgres.ts';
import { isAnyClosedForAge } from './postgres-freshness.ts';
import { confirmWrites } from './postgres-history.ts';
import { applyLayeredWrites, compareLayeredWrites } from './postgres-writes.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';

export async function applyPropertyWrites(
  client: ClientBase,
  writes: readonly StoredWrite[],
  nowMs: number,
): Promise<WriteOutcome[]> {
  if (writes.length === 0) return [];
  const before = await comparePropertyWrites(client, writes);
  // A second import of the same file takes the lock of the revision from nobody.
  if (before.every(isUnchanged) && (await confirmUnchanged(client, writes, nowMs))) return before;
  return inWriteTransaction(client, async () => ({
    result: await applyLocked(client, writes, nowMs),
    isCommitted: true,
  }));
}

/** False, and nothing is confirmed, when a property was closed for its age since the comparison: it has to be opened. */
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

/** What each write would do after those before it; an id may come more than once. */
export async function comparePropertyWrites(
  client: ClientBase,
  writes: readonly StoredWrite[],
): Promise<WriteOutcome[]> {
  return (await needStoredLayers(client, writes))
    ? compareLayeredWrites(client, writes)
    : compareWrites(client, planWrites(writes));
}

async function applyLocked(
  client: ClientBase,
  writes: readonly StoredWrite[],
  nowMs: number,
): Promise<WriteOutcome[]> {
  await lockRevision(client);
  if (await needStoredLayers(client, writes)) return applyLayeredWrites(client, writes, nowMs);
  await confirmWrites(client, writes, nowMs);
  return applyWrites(client, planWrites(writes), nowMs);
}

async function needStoredLayers(client: ClientBase, writes: readonly StoredWrite[]): Promise<boolean> {
  const ids = writes.map(({ propertyId }) => propertyId);
  const contents = await selectContents(client, ids);
  return needLayers(writes, (propertyId) => contents.get(propertyId));
}
