/**
 * Reading properties on the main thread; every statement goes by an index.
 */
import type { DatabaseSync } from 'node:sqlite';
import { pageOfChanges } from './change-cursor.ts';
import {
  collectChanges,
  type FollowedRow,
  type ListedRow,
  type StoredRow,
  toListed,
  toStoredProperty,
} from './property-rows.ts';
import type { ChangeCursor, ListedProperty, PropertyChanges, StoredProperty } from './store.ts';
import type { Revision } from '../history/revision.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import { type DetailsRow, parseDetails } from './stored-details.ts';
import { prepareHistoryQueries, selectHistory } from '../history/sqlite.ts';

export function prepareCatalogueQueries(database: DatabaseSync) {
  return {
    ...prepareHistoryQueries(database),
    property: database.prepare(`
      SELECT p.property_id, p.revision, p.content_hash, p.source, p.changed_at_ms, p.lowest_rates, t.nights, t.rates,
        CASE t.position WHEN 0 THEN p.document END AS document
      FROM properties p JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ?
      ORDER BY t.position`),
    details: database.prepare('SELECT details FROM property_details WHERE property_id = ?'),
    propertyState: database.prepare('SELECT revision, content_hash FROM properties WHERE property_id = ?'),
    propertyIds: database.prepare(`
      SELECT property_id FROM properties
      WHERE source = ? AND property_id > ? AND withdrawn = 0
      ORDER BY property_id
      LIMIT ?`),
    listed: database.prepare(`
      SELECT property_id, source, revision, changed_at_ms, document FROM properties
      WHERE property_id > ? AND withdrawn = 0
      ORDER BY property_id
      LIMIT ?`),
    listedOfSource: database.prepare(`
      SELECT property_id, source, revision, changed_at_ms, document FROM properties
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

/** Distinguishes two states of a property; with the hash, because the database may have gone back. */
export interface PropertyState {
  readonly revision: Revision;
  readonly content_hash: string | null;
}

export type CatalogueQueries = ReturnType<typeof prepareCatalogueQueries>;

export function selectProperty(
  { property }: CatalogueQueries,
  propertyId: string,
): StoredProperty | undefined {
  return toStoredProperty(property.all(propertyId) as unknown as StoredRow[]);
}

export function selectDetails(
  { details }: Pick<CatalogueQueries, 'details'>,
  propertyId: string,
): PropertyDetails | undefined {
  const row = details.get(propertyId) as unknown as DetailsRow | undefined;
  return row && parseDetails(row.details);
}

export function selectPropertyIds(
  { propertyIds }: CatalogueQueries,
  source: string,
  afterId: string,
  limit: number,
): string[] {
  return propertyIds.all(source, afterId, limit).map((row) => String(row['property_id']));
}

export function selectListed(
  { listed, listedOfSource }: CatalogueQueries,
  afterId: string,
  limit: number,
  source: string | undefined,
): ListedProperty[] {
  const rows = source === undefined ? listed.all(afterId, limit) : listedOfSource.all(source, afterId, limit);
  return (rows as unknown as ListedRow[]).map(toListed);
}

/** Within a transaction: the history must be the one that the rows show. Throws `HistoryLost`. */
export function selectChanges(
  queries: CatalogueQueries,
  after: ChangeCursor,
  limit: number,
): PropertyChanges {
  const newest = selectHistory(queries.history, after.history);
  const ids = queries.changedIds.all(after.revision, after.propertyId, limit + 1);
  const rows = ids
    .slice(0, limit)
    .flatMap((row) => queries.followed.all(row['property_id'] ?? null) as unknown as FollowedRow[]);
  return pageOfChanges(collectChanges(rows), ids.length > limit, newest);
}
