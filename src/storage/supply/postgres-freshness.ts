/** Reading how fresh supply is. What goes through all properties does so slice by slice, by their keys. */
import type { ClientBase } from 'pg';
import { MANUAL_SOURCE, SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import type { ConfirmedSupply, SupplyAgeLimits } from './store.ts';
import { textArray } from '../engine/postgres/binary-array.ts';

export async function selectConfirmed(
  client: ClientBase,
  after: Pick<ConfirmedSupply, 'propertyId' | 'source'>,
  limit: number,
): Promise<ConfirmedSupply[]> {
  const { rows } = await client.query<{ property_id: string; source: string; confirmed_at_ms: number }>({
    name: 'supply-confirmed',
    text: `
      SELECT c.property_id, c.source, greatest(c.confirmed_at_ms, s.confirmed_at_ms) AS confirmed_at_ms
      FROM supply_confirmations c
        JOIN properties p ON p.property_id = c.property_id AND p.withdrawn = 0
        LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
      WHERE (c.property_id, c.source) > ($1, $2)
      ORDER BY c.property_id, c.source
      LIMIT $3`,
    values: [after.propertyId, after.source, limit],
  });
  return rows.map((row) => ({
    propertyId: row.property_id,
    source: row.source,
    confirmedAtMs: row.confirmed_at_ms,
  }));
}

interface AgeRow {
  readonly property_id: string;
  readonly hours: number | null;
  readonly confirmed_at_ms: number | null;
  readonly is_closed: boolean;
}

export async function selectAgeLimits(
  client: ClientBase,
  afterId: string,
  limit: number,
): Promise<SupplyAgeLimits> {
  const { rows } = await client.query<AgeRow>({
    name: 'supply-age-limits',
    // Looking for the text costs a part of reading the document as JSON, and few documents have the field.
    text: `
      SELECT p.property_id, p.hours,
        CASE WHEN p.hours IS NOT NULL THEN (
          SELECT max(greatest(c.confirmed_at_ms, s.confirmed_at_ms))
          FROM supply_confirmations c
            LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
          WHERE c.property_id = p.property_id AND c.source <> '${MANUAL_SOURCE}') END AS confirmed_at_ms,
        p.hours IS NOT NULL AND EXISTS (
          SELECT 1 FROM calendar_layers l
          WHERE l.property_id = p.property_id AND l.source = '${SUPPLY_AGE_SOURCE}') AS is_closed
      FROM (
        SELECT property_id, CASE WHEN strpos(document, '"maxSupplyAgeHours":') > 0
          THEN (document::json ->> 'maxSupplyAgeHours')::int END AS hours
        FROM properties WHERE property_id > $1 ORDER BY property_id LIMIT $2) p
      ORDER BY p.property_id`,
    values: [afterId, limit],
  });
  const limits = rows.flatMap(({ property_id, hours, confirmed_at_ms, is_closed }) =>
    hours === null
      ? []
      : {
          propertyId: property_id,
          maxSupplyAgeHours: hours,
          confirmedAtMs: confirmed_at_ms ?? 0,
          isClosed: is_closed,
        },
  );
  return { limits, lastId: rows.length < limit ? undefined : rows.at(-1)!.property_id };
}

/**
 * When any source but `manual` last confirmed each property; those that none did are not in it. Within a transaction
 * that holds the lock of the revision: imports that change nothing confirm without that lock, so the rows are locked
 * too, in the order in which they are written.
 */
export async function lockConfirmed(
  client: ClientBase,
  propertyIds: readonly string[],
): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  if (propertyIds.length === 0) return newest;
  const { rows } = await client.query<{ property_id: string; confirmed_at_ms: number }>({
    name: 'lock-confirmed',
    text: `
      SELECT c.property_id, greatest(c.confirmed_at_ms, s.confirmed_at_ms) AS confirmed_at_ms
      FROM supply_confirmations c
        LEFT JOIN supply_confirmations s ON s.property_id = '' AND s.source = c.source
      WHERE c.property_id = ANY ($1::text[]) AND c.source <> '${MANUAL_SOURCE}'
      ORDER BY c.property_id, c.source
      FOR UPDATE OF c`,
    values: [textArray(propertyIds)],
  });
  for (const { property_id, confirmed_at_ms } of rows) {
    newest.set(property_id, Math.max(newest.get(property_id) ?? 0, confirmed_at_ms));
  }
  return newest;
}

/** Whether any of the properties is closed because its sources were silent. */
export async function isAnyClosedForAge(
  client: ClientBase,
  propertyIds: readonly string[],
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'any-closed-for-age',
    text: `
      SELECT 1 FROM calendar_layers
      WHERE property_id = ANY ($1::text[]) AND source = '${SUPPLY_AGE_SOURCE}' LIMIT 1`,
    values: [textArray(propertyIds)],
  });
  return rowCount !== 0;
}
