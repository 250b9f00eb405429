/**
 * Writing properties; runs in the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  changingWrites,
  decideOutcomes,
  type PlannedWrite,
  type StoredContent,
  type StoredWrite,
  type WriteOutcome,
} from '../../domain/ledger/stored-write.ts';
import { upsertRowText, valuesOf } from '../engine/written-table.ts';
import { takeRevision } from '../history/sqlite.ts';
import { noteChange, prepareChangeWrites } from './sqlite-changes.ts';
import { INVENTORY_TYPES, PROPERTIES, PROPERTY_DETAILS } from './written-property.ts';

export function prepareCatalogueWrites(database: DatabaseSync) {
  return {
    ...prepareChangeWrites(database),
    findContent: database.prepare(
      'SELECT content_hash, source, layered FROM properties WHERE property_id = ?',
    ),
    putProperty: database.prepare(upsertRowText(PROPERTIES)),
    putType: database.prepare(upsertRowText(INVENTORY_TYPES)),
    putDetails: database.prepare(upsertRowText(PROPERTY_DETAILS)),
    deleteDetails: database.prepare('DELETE FROM property_details WHERE property_id = ?'),
    deleteTypes: database.prepare('DELETE FROM inventory_types WHERE property_id = ? AND position >= ?'),
    withdraw: database.prepare(`
      UPDATE properties
      SET revision = ?, withdrawn = 1, changed_at_ms = ?, content_hash = NULL, lowest_rates = NULL, document = NULL
      WHERE property_id = ?`),
    // Another source's layer stays: it records a manual closure, which applies again if the property returns.
    deleteOwnLayer: database.prepare(`
      DELETE FROM calendar_layers
      WHERE property_id = ?1 AND source = (SELECT source FROM properties WHERE property_id = ?1)`),
    deleteConfirmations: database.prepare('DELETE FROM supply_confirmations WHERE property_id = ?'),
  };
}

export type CatalogueWriteStatements = ReturnType<typeof prepareCatalogueWrites>;

export function compareWrites(
  statements: CatalogueWriteStatements,
  planned: readonly PlannedWrite[],
): WriteOutcome[] {
  return decideOutcomes(planned, (propertyId) => findContent(statements, propertyId));
}

/** Within a write transaction. */
export function applyWrites(
  statements: CatalogueWriteStatements,
  database: DatabaseSync,
  planned: readonly PlannedWrite[],
  nowMs: number,
): WriteOutcome[] {
  const outcomes = compareWrites(statements, planned);
  const changing = changingWrites(planned, outcomes);
  if (changing.length === 0) return outcomes;
  const revision = takeRevision(database);
  for (const { write, hash } of changing)
    putProperty(statements, write, hash, { revision, nowMs, isLayered: false });
  return outcomes;
}

/** Within a write transaction; returns how many of the ids were not withdrawn yet. */
export function applyWithdrawals(
  statements: CatalogueWriteStatements,
  database: DatabaseSync,
  propertyIds: readonly string[],
  nowMs: number,
): number {
  const present = [...new Set(propertyIds)].filter((propertyId) => isPresent(statements, propertyId));
  if (present.length === 0) return 0;
  const revision = takeRevision(database);
  for (const propertyId of present) {
    noteChange(statements, propertyId, undefined, { revision, nowMs });
    statements.withdraw.run(revision, nowMs, propertyId);
    statements.deleteTypes.run(propertyId, 0);
    statements.deleteDetails.run(propertyId);
    statements.deleteOwnLayer.run(propertyId);
    statements.deleteConfirmations.run(propertyId);
  }
  return present.length;
}

/** The rows of a property and its inventory types as they are to be. */
export function putProperty(
  statements: CatalogueWriteStatements,
  write: StoredWrite,
  hash: string,
  stamp: {
    readonly revision: number;
    readonly nowMs: number;
    readonly isLayered: boolean;
    /** Withdraws the property in the same transaction, so that nobody ever sees it. */
    readonly isWithdrawn?: boolean;
  },
): void {
  const { propertyId, details, types } = write;
  const { isLayered, isWithdrawn = false } = stamp;
  noteChange(statements, propertyId, isWithdrawn ? undefined : write, stamp);
  statements.putProperty.run(...valuesOf(PROPERTIES, { write, hash, stamp, isLayered }));
  for (const [position, type] of types.entries())
    statements.putType.run(...valuesOf(INVENTORY_TYPES, { ...type, propertyId, position }));
  statements.deleteTypes.run(propertyId, types.length);
  if (details === null) statements.deleteDetails.run(propertyId);
  else if (details !== undefined)
    statements.putDetails.run(...valuesOf(PROPERTY_DETAILS, { propertyId, details }));
}

function isPresent(statements: CatalogueWriteStatements, propertyId: string): boolean {
  const stored = findContent(statements, propertyId);
  return stored !== undefined && stored.contentHash !== null;
}

export function findContent(statements: CatalogueWriteStatements, propertyId: string): StoredContent {
  const row = statements.findContent.get(propertyId) as
    | { content_hash: string | null; source: string; layered: number }
    | undefined;
  return row && { contentHash: row.content_hash, source: row.source, isLayered: row.layered === 1 };
}
