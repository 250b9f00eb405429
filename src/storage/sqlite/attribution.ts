/** Visits of travellers and the totals per day. Writes run in the writer thread, within a write transaction. */
import type { DatabaseSync } from 'node:sqlite';
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

export function recordVisits(database: DatabaseSync, visits: readonly HandoffVisit[]): void {
  const record = database.prepare(`
    INSERT INTO handoff_visits AS stored (quote_id, opened_count, first_opened_at_ms, outcome, continued_at_ms)
    SELECT quote_id, ?, ?, ?, ? FROM quotes WHERE quote_id = ?
    ON CONFLICT (quote_id) DO UPDATE SET ${ADD_VISIT}`);
  for (const { quoteId, openedCount, firstOpenedAtMs, outcome, continuedAtMs } of visits) {
    record.run(openedCount, firstOpenedAtMs, outcome, continuedAtMs, quoteId);
  }
}

/** Adds quotes that are about to be deleted to the totals of their days, and deletes their visits. */
export function keepTotals(database: DatabaseSync, quoteIds: readonly string[]): void {
  const ids = JSON.stringify(quoteIds);
  database
    .prepare(`
      INSERT INTO attribution_days AS stored (${DAY_COLUMNS})
      SELECT ${DAY_TOTALS} FROM quotes q LEFT JOIN handoff_visits v ON v.quote_id = q.quote_id
      WHERE q.quote_id IN (SELECT value FROM json_each(?)) AND q.is_test = 0 GROUP BY 1, 2
      ON CONFLICT (day, partner_id) DO UPDATE SET ${ADD_TOTALS}`)
    .run(ids);
  database.prepare('DELETE FROM handoff_visits WHERE quote_id IN (SELECT value FROM json_each(?))').run(ids);
}

export function selectAttribution(
  database: DatabaseSync,
  first: number,
  last: number,
): readonly AttributionRow[] {
  const rows = database
    .prepare(`
      SELECT day, partner_id, ${SUM_TOTALS} FROM (
        SELECT ${DAY_TOTALS} FROM quotes q LEFT JOIN handoff_visits v ON v.quote_id = q.quote_id
        WHERE q.created_at_ms >= ? AND q.created_at_ms < ? AND q.is_test = 0 GROUP BY 1, 2
        UNION ALL
        SELECT ${DAY_COLUMNS} FROM attribution_days WHERE day BETWEEN ? AND ?)
      GROUP BY day, partner_id ORDER BY day, partner_id`)
    .all(first * DAY_MS, (last + 1) * DAY_MS, first, last);
  return rows.map((row) => toAttributionRow(row as unknown as StoredDay));
}
