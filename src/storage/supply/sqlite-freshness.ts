/** Reading how fresh supply is. What goes through all properties does so slice by slice, by their keys. */
import type { DatabaseSync } from 'node:sqlite';
import { MANUAL_SOURCE, SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import type { ConfirmedSupply, SupplyAgeLimits } from './store.ts';

export function prepareFreshnessQueries(database: DatabaseSync) {
  return {
    confirmed: database.prepare(`
      SELECT c.property_id, c.source, max(c.confirmed_at_ms, coalesce(s.confirmed_at_ms, 0)) AS confirmed_at_ms
      FROM supply_confirmations c
        JOIN properties p ON p.property_id = c.property_id AND p.withdrawn = 0
        LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
      WHERE (c.property_id, c.source) > (?, ?)
      ORDER BY c.property_id, c.source
      LIMIT ?`),
    // Looking for the text costs a tenth of reading the document as JSON, and few documents have the field.
    ageLimits: database.prepare(`
      SELECT p.property_id, p.hours,
        CASE WHEN p.hours IS NULL THEN 0 ELSE coalesce((
          SELECT max(max(c.confirmed_at_ms, coalesce(s.confirmed_at_ms, 0)))
          FROM supply_confirmations c
            LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
          WHERE c.property_id = p.property_id AND c.source <> '${MANUAL_SOURCE}'), 0) END AS confirmed_at_ms,
        p.hours IS NOT NULL AND EXISTS (
          SELECT 1 FROM calendar_layers l
          WHERE l.property_id = p.property_id AND l.source = '${SUPPLY_AGE_SOURCE}') AS is_closed
      FROM (
        SELECT property_id, CASE WHEN instr(document, '"maxSupplyAgeHours":') > 0
          THEN document ->> '$.maxSupplyAgeHours' END AS hours
        FROM properties WHERE property_id > ? ORDER BY property_id LIMIT ?) p
      ORDER BY p.property_id`),
  };
}

export type FreshnessQueries = ReturnType<typeof prepareFreshnessQueries>;

export function selectConfirmed(
  { confirmed }: FreshnessQueries,
  after: Pick<ConfirmedSupply, 'propertyId' | 'source'>,
  limit: number,
): ConfirmedSupply[] {
  return confirmed.all(after.propertyId, after.source, limit).map((row) => ({
    propertyId: String(row['property_id']),
    source: String(row['source']),
    confirmedAtMs: Number(row['confirmed_at_ms']),
  }));
}

export function selectAgeLimits(
  { ageLimits }: FreshnessQueries,
  afterId: string,
  limit: number,
): SupplyAgeLimits {
  const rows = ageLimits.all(afterId, limit);
  const limits = rows
    .filter((row) => row['hours'] !== null)
    .map((row) => ({
      propertyId: String(row['property_id']),
      maxSupplyAgeHours: Number(row['hours']),
      confirmedAtMs: Number(row['confirmed_at_ms']),
      isClosed: row['is_closed'] === 1,
    }));
  return { limits, lastId: rows.length < limit ? undefined : String(rows.at(-1)!['property_id']) };
}
