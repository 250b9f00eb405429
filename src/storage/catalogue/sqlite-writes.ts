/**
 * Writing properties; runs in the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { WriteOutcome } from '../../domain/ledger/stored-write.ts';
import {
  contentHash,
  decideOutcome,
  lastOfEach,
  type StoredContent,
  type StoredWrite,
} from '../../domain/ledger/stored-write.ts';
import { noteChange, prepareChangeWrites } from './sqlite-changes.ts';
import { takeRevision } from '../history/sqlite.ts';

interface PlannedWrite {
  readonly write: StoredWrite;
  readonly hash: string;
}

export function prepareCatalogueWrites(database: DatabaseSync) {
  return {
    ...prepareChangeWrites(database),
    findContent: database.prepare(
      'SELECT content_hash, source, layered FROM properties WHERE property_id = ?',
    ),
    putProperty: database.prepare(`
      INSERT INTO properties
        (property_id, revision, source, withdrawn, changed_at_ms, content_hash, lowest_rates, document, layered)
      VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)
      ON CONFLICT (property_id) DO UPDATE SET
        revision = excluded.revision, source = excluded.source, withdrawn = 0,
        changed_at_ms = excluded.changed_at_ms, content_hash = excluded.content_hash,
        lowest_rates = excluded.lowest_rates, document = excluded.document, layered = excluded.layered`),
    putType: database.prepare(`
      INSERT INTO inventory_types (property_id, position, inventory_type_id, nights, rates)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (property_id, position) DO UPDATE SET
        inventory_type_id = excluded.inventory_type_id, nights = excluded.nights, rates = excluded.rates
      WHERE inventory_type_id <> excluded.inventory_type_id OR nights <> excluded.nights OR rates <> excluded.rates`),
    putDetails: database.prepare(`
      INSERT INTO property_details (property_id, details) VALUES (?, ?)
      ON CONFLICT (property_id) DO UPDATE SET details = excluded.details WHERE details <> excluded.details`),
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

export function planWrites(writes: readonly StoredWrite[]): PlannedWrite[] {
  return writes.map((write) => ({ write, hash: contentHash(write) }));
}

/** The outcome of each write after those before it; an id may occur more than once. */
export function compareWrites(
  statements: CatalogueWriteStatements,
  planned: readonly PlannedWrite[],
): WriteOutcome[] {
  const writtenBefore = new Map<string, StoredContent>();
  return planned.map(({ write: { propertyId }, hash }) => {
    const stored = writtenBefore.get(propertyId) ?? findContent(statements, propertyId);
    writtenBefore.set(propertyId, { contentHash: hash });
    return decideOutcome(stored, hash);
  });
}

/** Within a write transaction. */
export function applyWrites(
  statements: CatalogueWriteStatements,
  database: DatabaseSync,
  planned: readonly PlannedWrite[],
  nowMs: number,
): WriteOutcome[] {
  const outcomes = compareWrites(statements, planned);
  const changing = lastOfEach(planned.filter((_write, index) => outcomes[index] !== 'unchanged'));
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
  const { propertyId, source, document, details, lowestRates, types } = write;
  const { revision, nowMs, isLayered, isWithdrawn = false } = stamp;
  noteChange(statements, propertyId, isWithdrawn ? undefined : write, stamp);
  statements.putProperty.run(
    propertyId,
    revision,
    source,
    nowMs,
    hash,
    lowestRates,
    document,
    isLayered ? 1 : 0,
  );
  for (const [position, { inventoryTypeId, nights, rates }] of types.entries()) {
    statements.putType.run(propertyId, position, inventoryTypeId, nights, rates);
  }
  statements.deleteTypes.run(propertyId, types.length);
  if (details === null) statements.deleteDetails.run(propertyId);
  else if (details !== undefined) statements.putDetails.run(propertyId, details);
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
