/** Brings the rows of changes up to date: those of a batch in two statements, before its properties are written. */
import type { ClientBase } from 'pg';
import type { StoredWrite } from '../../domain/ledger/stored-write.ts';
import { bigintArray, textArray } from '../engine/postgres/binary-array.ts';
import type { Revision } from '../history/revision.ts';
import {
  advanceRow,
  type ChangeColumns,
  type ChangeRow,
  COLUMNS,
  contentStateOf,
  formatChangeRow,
  type FoundColumns,
  isSettled,
  settleRow,
  type Stamp,
  toChangeRow,
} from './change-row.ts';
import type { StoredRow } from './property-rows.ts';

/** A property that is written, or withdrawn where there is no `write`. */
export interface NotedChange {
  readonly propertyId: string;
  readonly write: StoredWrite | undefined;
}

/** Within a transaction that holds the lock of the revision, before the properties are written; each id once. */
export async function noteChanges(
  client: ClientBase,
  changes: readonly NotedChange[],
  { revision, nowMs }: Stamp,
): Promise<void> {
  const rows = await findRows(
    client,
    changes.map(({ propertyId }) => propertyId),
  );
  const columns = changes.map(({ propertyId, write }) =>
    formatChangeRow(
      advanceRow(rows.get(propertyId), { content: write && contentStateOf(write), revision, nowMs }),
    ),
  );
  await client.query({
    name: 'put-changes',
    text: `
      INSERT INTO property_changes (property_id, ${COLUMNS.join(', ')})
      SELECT * FROM unnest($1::text[], ${COLUMNS.map((column, index) => `$${index + 2}::${TYPES[column]}[]`).join(', ')})
      ON CONFLICT (property_id) DO UPDATE SET
        ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    values: [
      textArray(changes.map(({ propertyId }) => propertyId)),
      ...COLUMNS.map((column) => arrayOf(column, columns)),
    ],
  });
}

const TYPES: Readonly<Record<keyof ChangeColumns, 'bigint' | 'text'>> = {
  row_revision: 'bigint',
  content_revision: 'bigint',
  calendar_revision: 'bigint',
  content_digest: 'text',
  calendar_digest: 'text',
  visible_to: 'text',
  views: 'text',
  viewed_at_ms: 'bigint',
};

function arrayOf(column: keyof ChangeColumns, rows: readonly ChangeColumns[]): Buffer {
  const values = rows.map((row) => row[column]);
  return TYPES[column] === 'text'
    ? textArray(values as readonly (string | null)[])
    : bigintArray(values as readonly (number | null)[]);
}

type FoundRow = FoundColumns & { readonly property_id: string; readonly revision: Revision };

/** Settled; of properties that are there. */
async function findRows(
  client: ClientBase,
  propertyIds: readonly string[],
): Promise<ReadonlyMap<string, ChangeRow>> {
  const { rows } = await client.query<FoundRow>({
    name: 'changes-of',
    text: `
      SELECT p.property_id, p.revision, ${COLUMNS.map((column) => `c.${column}`).join(', ')}
      FROM properties p LEFT JOIN property_changes c ON c.property_id = p.property_id
      WHERE p.property_id = ANY ($1::text[])`,
    values: [textArray(propertyIds)],
  });
  const found = new Map<string, ChangeRow>();
  const left = new Map<string, ChangeRow | undefined>();
  for (const columns of rows) {
    const row = toChangeRow(columns);
    if (isSettled(row, columns.revision)) found.set(columns.property_id, row);
    else left.set(columns.property_id, row);
  }
  for (const [propertyId, row] of await settleRows(client, left)) found.set(propertyId, row);
  return found;
}

interface StoredStateRow extends Omit<StoredRow, 'lowest_rates' | 'source'> {
  readonly inventory_type_id: string | null;
}

async function settleRows(
  client: ClientBase,
  left: ReadonlyMap<string, ChangeRow | undefined>,
): Promise<readonly (readonly [string, ChangeRow])[]> {
  if (left.size === 0) return [];
  const { rows } = await client.query<StoredStateRow>({
    name: 'unsettled-changes',
    text: `
      SELECT p.property_id, p.revision, p.changed_at_ms, t.inventory_type_id, t.nights, t.rates,
        CASE WHEN coalesce(t.position, 0) = 0 THEN p.document END AS document
      FROM properties p LEFT JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ANY ($1::text[])
      ORDER BY p.property_id, t.position`,
    values: [textArray([...left.keys()])],
  });
  return [...Map.groupBy(rows, (row) => row.property_id)].map(([propertyId, own]) => {
    const { revision, changed_at_ms: changedAtMs, document } = own[0]!;
    const types = own.flatMap(({ inventory_type_id: inventoryTypeId, nights, rates }) =>
      inventoryTypeId === null || nights === null || rates === null
        ? []
        : [{ inventoryTypeId, nights, rates }],
    );
    return [propertyId, settleRow(left.get(propertyId), { revision, changedAtMs, document, types })];
  });
}
