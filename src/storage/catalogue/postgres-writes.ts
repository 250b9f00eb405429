/** Writing properties: a whole batch in a few statements, whatever its size. */
import type { ClientBase } from 'pg';
import {
  changingWrites,
  decideOutcomes,
  type PlannedWrite,
  type StoredContent,
  type StoredWrite,
  type WriteOutcome,
} from '../../domain/ledger/stored-write.ts';
import { intArray, textArray } from '../engine/postgres/binary-array.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';
import { upsertRows } from '../engine/postgres/upsert-rows.ts';
import { takeRevision } from '../history/postgres.ts';
import type { Stamp } from './change-row.ts';
import { noteChanges } from './postgres-changes.ts';
import { INVENTORY_TYPES, PROPERTIES, PROPERTY_DETAILS } from './written-property.ts';

export interface SettledWrite extends PlannedWrite {
  /** Other sources have layers of the property too. */
  readonly isLayered?: boolean;
  /** Withdraws the property in the same transaction, so that nobody ever sees it. */
  readonly isWithdrawn?: boolean;
}

export async function compareWrites(
  client: ClientBase,
  planned: readonly PlannedWrite[],
): Promise<WriteOutcome[]> {
  const ids = planned.map(({ write }) => write.propertyId);
  const contents = await selectContents(client, ids);
  return decideOutcomes(planned, (propertyId) => contents.get(propertyId));
}

/** Within a transaction that holds the lock of the revision. */
export async function applyWrites(
  client: ClientBase,
  planned: readonly PlannedWrite[],
  nowMs: number,
): Promise<WriteOutcome[]> {
  const outcomes = await compareWrites(client, planned);
  const changing = changingWrites(planned, outcomes);
  if (changing.length > 0) {
    await putProperties(client, changing, { revision: await takeRevision(client), nowMs });
  }
  return outcomes;
}

/** Returns how many of the ids were not withdrawn yet. */
export async function applyWithdrawals(
  client: ClientBase,
  propertyIds: readonly string[],
  nowMs: number,
): Promise<number> {
  if (propertyIds.length === 0) return 0;
  return inWriteTransaction(client, async () => {
    const revision = await takeRevision(client);
    const count = await withdrawAll(client, propertyIds, { revision, nowMs });
    return { result: count, isCommitted: count > 0 };
  });
}

/** Within a transaction; returns how many of the ids were not withdrawn yet. */
export async function withdrawAll(
  client: ClientBase,
  propertyIds: readonly string[],
  { revision, nowMs }: Stamp,
): Promise<number> {
  const present = await selectPresent(client, propertyIds);
  if (present.length === 0) return 0;
  await noteChanges(
    client,
    present.map((propertyId) => ({ propertyId, write: undefined })),
    { revision, nowMs },
  );
  const ids = textArray(present);
  await client.query({
    name: 'withdraw',
    text: `
      UPDATE properties
      SET revision = $2, withdrawn = 1, changed_at_ms = $3, content_hash = NULL, lowest_rates = NULL, document = NULL
      WHERE property_id = ANY ($1::text[])`,
    values: [ids, revision, nowMs],
  });
  await client.query('DELETE FROM inventory_types WHERE property_id = ANY ($1::text[])', [ids]);
  await deleteDetails(client, present);
  // Another source's layer stays: it records a manual closure, which applies again if the property returns.
  await client.query(
    `DELETE FROM calendar_layers l USING properties p
     WHERE p.property_id = ANY ($1::text[]) AND l.property_id = p.property_id AND l.source = p.source`,
    [ids],
  );
  await client.query('DELETE FROM supply_confirmations WHERE property_id = ANY ($1::text[])', [ids]);
  return present.length;
}

async function selectPresent(client: ClientBase, propertyIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ property_id: string }>({
    name: 'present',
    text: 'SELECT property_id FROM properties WHERE property_id = ANY ($1::text[]) AND withdrawn = 0',
    values: [textArray(propertyIds)],
  });
  return rows.map((row) => row.property_id);
}

export async function selectContents(
  client: ClientBase,
  propertyIds: readonly string[],
): Promise<Map<string, StoredContent>> {
  const { rows } = await client.query<{ property_id: string; content_hash: string | null; layered: number }>({
    name: 'contents',
    text: 'SELECT property_id, content_hash, layered FROM properties WHERE property_id = ANY ($1::text[])',
    values: [textArray(propertyIds)],
  });
  return new Map(
    rows.map(({ property_id, content_hash, layered }) => [
      property_id,
      { contentHash: content_hash, isLayered: layered === 1 },
    ]),
  );
}

/** Within a transaction; the rows of these properties and their inventory types as they are to be. */
export async function putProperties(
  client: ClientBase,
  settled: readonly SettledWrite[],
  stamp: Stamp,
): Promise<void> {
  await noteChanges(
    client,
    settled.map(({ write, isWithdrawn }) => ({
      propertyId: write.propertyId,
      write: isWithdrawn === true ? undefined : write,
    })),
    stamp,
  );
  await upsertRows(
    client,
    PROPERTIES,
    settled.map(({ write, hash, isLayered = false }) => ({ write, hash, isLayered, stamp })),
  );
  const writes = settled.map(({ write }) => write);
  await deleteTypesBehind(client, writes);
  await upsertRows(
    client,
    INVENTORY_TYPES,
    writes.flatMap(({ propertyId, types }) =>
      types.map((type, position) => ({ ...type, propertyId, position })),
    ),
  );
  await putDetails(client, writes);
}

/** The rows of types that a property has no longer. */
async function deleteTypesBehind(client: ClientBase, writes: readonly StoredWrite[]): Promise<void> {
  await client.query({
    name: 'delete-types',
    text: `
      DELETE FROM inventory_types t
      USING unnest($1::text[], $2::int[]) AS written (property_id, type_count)
      WHERE t.property_id = written.property_id AND t.position >= written.type_count`,
    values: [
      textArray(writes.map(({ propertyId }) => propertyId)),
      intArray(writes.map(({ types }) => types.length)),
    ],
  });
}

async function putDetails(client: ClientBase, writes: readonly StoredWrite[]): Promise<void> {
  const withoutDetails = writes.filter(({ details }) => details === null);
  const ids = withoutDetails.map(({ propertyId }) => propertyId);
  if (ids.length > 0) await deleteDetails(client, ids);
  const withDetails = writes.flatMap(({ propertyId, details }) =>
    typeof details === 'string' ? [{ propertyId, details }] : [],
  );
  await upsertRows(client, PROPERTY_DETAILS, withDetails);
}

async function deleteDetails(client: ClientBase, propertyIds: readonly string[]): Promise<void> {
  await client.query({
    name: 'delete-details',
    text: 'DELETE FROM property_details WHERE property_id = ANY ($1::text[])',
    values: [textArray(propertyIds)],
  });
}
