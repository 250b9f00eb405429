/**
 * Reading properties on the main thread; every statement goes by an index.
 */
import type { DatabaseSync } from 'node:sqlite';
import { pageOfChanges } from '../change-cursor.ts';
import { collectChanges, type FollowedRow, type StoredRow, toStoredProperty } from '../property-rows.ts';
import type { ChangeCursor, PropertyChanges, StoredProperty } from '../port/catalogue-store.ts';
import type { Revision } from '../port/revision.ts';

export function prepareCatalogueQueries(database: DatabaseSync) {
  return {
    revision: database.prepare('SELECT revision FROM revision'),
    property: database.prepare(`
      SELECT p.property_id, p.revision, p.source, p.changed_at_ms, p.lowest_rates, t.nights, t.rates,
        CASE t.position WHEN 0 THEN p.document END AS document
      FROM properties p JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ?
      ORDER BY t.position`),
    propertyRevision: database.prepare('SELECT revision FROM properties WHERE property_id = ?'),
    propertyIds: database.prepare(`
      SELECT property_id FROM properties
      WHERE source = ? AND property_id > ? AND withdrawn = 0
      ORDER BY property_id
      LIMIT ?`),
    changedIds: database.prepare(`
      SELECT property_id FROM properties
      WHERE (revision, property_id) > (?, ?)
      ORDER BY revision, property_id
      LIMIT ?`),
    followed: database.prepare(`
      SELECT p.property_id, p.revision, p.lowest_rates, t.nights,
        CASE WHEN t.position = 0 THEN p.document END AS document
      FROM properties p LEFT JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ?
      ORDER BY t.position`),
  };
}

export type CatalogueQueries = ReturnType<typeof prepareCatalogueQueries>;

export function selectRevision(revision: CatalogueQueries['revision']): Revision {
  return Number(revision.get()?.['revision']);
}

export function selectProperty(
  { property }: CatalogueQueries,
  propertyId: string,
): StoredProperty | undefined {
  return toStoredProperty(property.all(propertyId) as unknown as StoredRow[]);
}

export function selectPropertyIds(
  { propertyIds }: CatalogueQueries,
  source: string,
  afterId: string,
  limit: number,
): string[] {
  return propertyIds.all(source, afterId, limit).map((row) => String(row['property_id']));
}

/** Within a transaction: the revision must be the one that the rows show. */
export function selectChanges(
  queries: CatalogueQueries,
  after: ChangeCursor,
  limit: number,
): PropertyChanges {
  const ids = queries.changedIds.all(after.revision, after.propertyId, limit + 1);
  const rows = ids
    .slice(0, limit)
    .flatMap((row) => queries.followed.all(row['property_id'] ?? null) as unknown as FollowedRow[]);
  return pageOfChanges(collectChanges(rows), ids.length > limit, selectRevision(queries.revision));
}
