/** Writing properties: a whole batch in a few statements, whatever its size. */
import type { ClientBase } from 'pg';
import type { WriteOutcome } from '../../domain/ledger/stored-write.ts';
import { noteChanges } from './postgres-changes.ts';
import {
  contentHash,
  decideOutcome,
  lastOfEach,
  type StoredContent,
  type StoredWrite,
} from '../../domain/ledger/stored-write.ts';
import { bytesArray, intArray, textArray } from '../engine/postgres/binary-array.ts';
import { takeRevision } from '../history/postgres.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';
import type { Stamp } from './change-row.ts';

export interface PlannedWrite {
  readonly write: StoredWrite;
  readonly hash: string;
  /** Other sources have layers of the property too. */
  readonly isLayered?: boolean;
  /** Withdraws the property in the same transaction, so that nobody ever sees it. */
  readonly isWithdrawn?: boolean;
}

export function planWrites(writes: readonly StoredWrite[]): PlannedWrite[] {
  return writes.map((write) => ({ write, hash: contentHash(write) }));
}

/** The outcome of each write after those before it; an id may occur more than once. */
export async function compareWrites(
  client: ClientBase,
  planned: readonly PlannedWrite[],
): Promise<WriteOutcome[]> {
  const contents = await selectContents(
    client,
    planned.map(({ write }) => write.propertyId),
  );
  return planned.map(({ write: { propertyId }, hash }) => {
    const outcome = decideOutcome(contents.get(propertyId), hash);
    contents.set(propertyId, { contentHash: hash });
    return outcome;
  });
}

/** Within a transaction that holds the lock of the revision. */
export async function applyWrites(
  client: ClientBase,
  planned: readonly PlannedWrite[],
  nowMs: number,
): Promise<WriteOutcome[]> {
  const outcomes = await compareWrites(client, planned);
  const changing = lastOfEach(planned.filter((_write, index) => !isUnchanged(outcomes[index])));
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

export function isUnchanged(outcome: WriteOutcome | undefined): boolean {
  return outcome === 'unchanged';
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
  planned: readonly PlannedWrite[],
  { revision, nowMs }: Stamp,
): Promise<void> {
  const writes = planned.map(({ write }) => write);
  await noteChanges(
    client,
    planned.map(({ write, isWithdrawn }) => ({
      propertyId: write.propertyId,
      write: isWithdrawn === true ? undefined : write,
    })),
    { revision, nowMs },
  );
  const ids = textArray(writes.map((write) => write.propertyId));
  await client.query({
    name: 'put-properties',
    text: `
      INSERT INTO properties
        (property_id, revision, source, withdrawn, changed_at_ms, content_hash, lowest_rates, document, layered)
      SELECT property_id, $2, source, 0, $3, content_hash, lowest_rates, document, layered
      FROM unnest($1::text[], $4::text[], $5::text[], $6::bytea[], $7::text[], $8::int[])
        AS written (property_id, source, content_hash, lowest_rates, document, layered)
      ON CONFLICT (property_id) DO UPDATE SET
        revision = excluded.revision, source = excluded.source, withdrawn = 0,
        changed_at_ms = excluded.changed_at_ms, content_hash = excluded.content_hash,
        lowest_rates = excluded.lowest_rates, document = excluded.document, layered = excluded.layered`,
    values: [
      ids,
      revision,
      nowMs,
      textArray(writes.map((write) => write.source)),
      textArray(planned.map(({ hash }) => hash)),
      bytesArray(writes.map((write) => write.lowestRates)),
      textArray(writes.map((write) => write.document)),
      intArray(planned.map(({ isLayered }) => (isLayered === true ? 1 : 0))),
    ],
  });
  await client.query({
    name: 'delete-types',
    text: `
      DELETE FROM inventory_types t
      USING unnest($1::text[], $2::int[]) AS written (property_id, type_count)
      WHERE t.property_id = written.property_id AND t.position >= written.type_count`,
    values: [ids, intArray(writes.map((write) => write.types.length))],
  });
  await putTypes(client, writes);
  await putDetails(client, writes);
}

async function putDetails(client: ClientBase, writes: readonly StoredWrite[]): Promise<void> {
  const withoutDetails = writes.filter(({ details }) => details === null);
  if (withoutDetails.length > 0)
    await deleteDetails(
      client,
      withoutDetails.map(({ propertyId }) => propertyId),
    );
  const withDetails = writes.filter(({ details }) => typeof details === 'string');
  if (withDetails.length === 0) return;
  await client.query({
    name: 'put-details',
    text: `
      INSERT INTO property_details AS stored (property_id, details)
      SELECT * FROM unnest($1::text[], $2::text[])
      ON CONFLICT (property_id) DO UPDATE SET details = excluded.details
      WHERE stored.details <> excluded.details`,
    values: [
      textArray(withDetails.map(({ propertyId }) => propertyId)),
      textArray(withDetails.map(({ details }) => details ?? '')),
    ],
  });
}

async function deleteDetails(client: ClientBase, propertyIds: readonly string[]): Promise<void> {
  await client.query({
    name: 'delete-details',
    text: 'DELETE FROM property_details WHERE property_id = ANY ($1::text[])',
    values: [textArray(propertyIds)],
  });
}

async function putTypes(client: ClientBase, writes: readonly StoredWrite[]): Promise<void> {
  const types = writes.flatMap((write) =>
    write.types.map((type, position) => ({ ...type, propertyId: write.propertyId, position })),
  );
  await client.query({
    name: 'put-types',
    text: `
      INSERT INTO inventory_types AS stored (property_id, position, inventory_type_id, nights, rates)
      SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::bytea[], $5::bytea[])
      ON CONFLICT (property_id, position) DO UPDATE SET
        inventory_type_id = excluded.inventory_type_id, nights = excluded.nights, rates = excluded.rates
      WHERE stored.inventory_type_id <> excluded.inventory_type_id
        OR stored.nights <> excluded.nights OR stored.rates <> excluded.rates`,
    values: [
      textArray(types.map((type) => type.propertyId)),
      intArray(types.map((type) => type.position)),
      textArray(types.map((type) => type.inventoryTypeId)),
      bytesArray(types.map((type) => type.nights)),
      bytesArray(types.map((type) => type.rates)),
    ],
  });
}
