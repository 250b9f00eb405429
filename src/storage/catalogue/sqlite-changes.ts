/** Brings the rows of changes up to date; runs in the writer thread, before the rows of the properties are written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredCalendar, StoredWrite } from '../../domain/ledger/stored-write.ts';
import {
  advanceRow,
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

export interface ChangeWriteStatements {
  readonly findChange: StatementSync;
  readonly findStored: StatementSync;
  readonly findTypes: StatementSync;
  readonly putChange: StatementSync;
}

export function prepareChangeWrites(database: DatabaseSync): ChangeWriteStatements {
  const columns = COLUMNS.map((column) => `c.${column}`).join(', ');
  return {
    findChange: database.prepare(`
      SELECT p.revision, ${columns}
      FROM properties p LEFT JOIN property_changes c ON c.property_id = p.property_id
      WHERE p.property_id = ?`),
    findStored: database.prepare('SELECT changed_at_ms, document FROM properties WHERE property_id = ?'),
    findTypes: database.prepare(
      'SELECT inventory_type_id, nights, rates FROM inventory_types WHERE property_id = ? ORDER BY position',
    ),
    putChange: database.prepare(`
      INSERT OR REPLACE INTO property_changes (property_id, ${COLUMNS.join(', ')})
      VALUES (?${', ?'.repeat(COLUMNS.length)})`),
  };
}

/** Within a write transaction, before the property is written, or withdrawn where there is no `write`. */
export function noteChange(
  statements: ChangeWriteStatements,
  propertyId: string,
  write: StoredWrite | undefined,
  { revision, nowMs }: Stamp,
): void {
  const content = write && contentStateOf(write);
  const row = advanceRow(findRow(statements, propertyId), { content, revision, nowMs });
  const columns = formatChangeRow(row);
  statements.putChange.run(propertyId, ...COLUMNS.map((column) => columns[column]));
}

/** Settled; undefined when there is no such property. */
function findRow(
  { findChange, findStored, findTypes }: ChangeWriteStatements,
  propertyId: string,
): ChangeRow | undefined {
  const found = findChange.get(propertyId) as unknown as (FoundColumns & { revision: number }) | undefined;
  if (found === undefined) return undefined;
  const { revision } = found;
  const row = toChangeRow(found);
  if (isSettled(row, revision)) return row;
  const stored = findStored.get(propertyId) as { changed_at_ms: number; document: string | null };
  const types = findTypes.all(propertyId) as unknown as StoredTypeRow[];
  return settleRow(row, {
    revision,
    changedAtMs: stored.changed_at_ms,
    document: stored.document,
    types: types.map(toStoredType),
  });
}

interface StoredTypeRow {
  readonly inventory_type_id: string;
  readonly nights: Uint8Array;
  readonly rates: Uint8Array;
}

function toStoredType({ inventory_type_id: inventoryTypeId, nights, rates }: StoredTypeRow): StoredCalendar {
  return { inventoryTypeId, nights, rates };
}
