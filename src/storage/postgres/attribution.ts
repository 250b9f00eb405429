/** Visits of travellers and the totals per day. */
import type { ClientBase } from 'pg';
import { DAY_MS } from '../../domain/local-date.ts';
import {
  ADD_TOTALS,
  ADD_VISIT,
  DAY_COLUMNS,
  DAY_TOTALS,
  type StoredDay,
  SUM_TOTALS,
  toAttributionRow,
} from '../attribution-sql.ts';
import type { AttributionRow, HandoffVisit } from '../port/attribution-store.ts';

/** In the order of ids, so that two processes which write the same quotes never wait for each other in a circle. */
export async function recordVisits(client: ClientBase, visits: readonly HandoffVisit[]): Promise<void> {
  await client.query(
    `INSERT INTO handoff_visits AS stored
       (quote_id, opened_count, first_opened_at_ms, outcome, continued_at_ms)
     SELECT visit.* FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
       AS visit (quote_id, opened_count, first_opened_at_ms, outcome, continued_at_ms)
       JOIN quotes ON quotes.quote_id = visit.quote_id
     ORDER BY visit.quote_id
     ON CONFLICT (quote_id) DO UPDATE SET ${ADD_VISIT}`,
    [
      visits.map((visit) => visit.quoteId),
      visits.map((visit) => visit.openedCount),
      visits.map((visit) => visit.firstOpenedAtMs),
      visits.map((visit) => visit.outcome),
      visits.map((visit) => visit.continuedAtMs),
    ],
  );
}

/**
 * Deletes at most `limit` quotes that expired before the instant, with their visits; what they were stays in the totals
 * of their days. One statement; how many were deleted.
 */
export async function deleteExpiredQuotes(
  client: ClientBase,
  expiredBeforeMs: number,
  limit: number,
): Promise<number> {
  const { rows } = await client.query<{ deleted: string }>(
    // A quote never changes, so its place (ctid) is still its own when it is deleted.
    `WITH q AS (
       DELETE FROM quotes WHERE ctid = ANY (ARRAY
         (SELECT ctid FROM quotes WHERE expires_at_ms < $1 ORDER BY expires_at_ms LIMIT $2))
       RETURNING quote_id, partner_id, created_at_ms, is_test),
     v AS (DELETE FROM handoff_visits USING q WHERE handoff_visits.quote_id = q.quote_id
       RETURNING handoff_visits.*),
     kept AS (
       INSERT INTO attribution_days AS stored (${DAY_COLUMNS})
       SELECT ${DAY_TOTALS} FROM q LEFT JOIN v ON v.quote_id = q.quote_id WHERE q.is_test = 0 GROUP BY 1, 2
       ON CONFLICT (day, partner_id) DO UPDATE SET ${ADD_TOTALS})
     SELECT count(*) AS deleted FROM q`,
    [expiredBeforeMs, limit],
  );
  return Number(rows[0]?.deleted);
}

export async function selectAttribution(
  client: ClientBase,
  first: number,
  last: number,
): Promise<readonly AttributionRow[]> {
  const { rows } = await client.query<StoredDay>(
    `SELECT day, partner_id, ${SUM_TOTALS} FROM (
       SELECT ${DAY_TOTALS} FROM quotes q LEFT JOIN handoff_visits v ON v.quote_id = q.quote_id
       WHERE q.created_at_ms >= $1 AND q.created_at_ms < $2 AND q.is_test = 0 GROUP BY 1, 2
       UNION ALL
       SELECT ${DAY_COLUMNS} FROM attribution_days WHERE day BETWEEN $3 AND $4) AS days
     GROUP BY day, partner_id ORDER BY day, partner_id COLLATE "C"`,
    [first * DAY_MS, (last + 1) * DAY_MS, first, last],
  );
  return rows.map(toAttributionRow);
}
