/** Visits of travellers and the totals per day. */
import type { ClientBase } from 'pg';
import { ADD_TOTALS, ADD_VISIT, DAY_COLUMNS, DAY_TOTALS } from './attribution-sql.ts';
import type { Session } from '../engine/postgres/session.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';
import { commit } from '../engine/write-result.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import { storeDeliveries } from '../webhooks/outbox.ts';
import type { HandoffVisit, VisitStore } from './store.ts';
import { planVisitEvents } from './visit-events.ts';

export function postgresVisits(session: Session): VisitStore {
  return {
    async recordVisits(visits) {
      if (visits.length > 0) await session.run((client) => recordVisits(client, visits));
    },
  };
}

/**
 * With the events that they tell of. Two processes at once may both plan the event of one quote: the second one waits at
 * the visit, and then finds the delivery stored.
 */
async function recordVisits(client: ClientBase, visits: readonly HandoffVisit[]): Promise<void> {
  const events = await runPostgresProgram(client, planVisitEvents(visits));
  if (events.length === 0) return addVisits(client, visits);
  await inWriteTransaction(client, async () => {
    await addVisits(client, visits);
    await runPostgresProgram(client, storeDeliveries(events));
    return commit(undefined);
  });
}

/**
 * In the order of ids, so that two processes which write the same quotes never wait for each other in a circle. The lock
 * keeps a quote from being deleted between the look at it and the commit of its visit.
 */
async function addVisits(client: ClientBase, visits: readonly HandoffVisit[]): Promise<void> {
  await client.query(
    `INSERT INTO handoff_visits AS stored
       (quote_id, opened_count, first_opened_at_ms, outcome, continued_at_ms, price_change_per_mille)
     SELECT visit.* FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
       AS visit (quote_id, opened_count, first_opened_at_ms, outcome, continued_at_ms, price_change_per_mille)
       JOIN quotes ON quotes.quote_id = visit.quote_id
     ORDER BY visit.quote_id FOR KEY SHARE OF quotes
     ON CONFLICT (quote_id) DO UPDATE SET ${ADD_VISIT}`,
    [
      visits.map((visit) => visit.quoteId),
      visits.map((visit) => visit.openedCount),
      visits.map((visit) => visit.firstOpenedAtMs),
      visits.map((visit) => visit.outcome),
      visits.map((visit) => visit.continuedAtMs),
      visits.map((visit) => visit.priceChangePerMille),
    ],
  );
}

/**
 * Within a write transaction that has locked these quotes: deletes them with their visits; what they were stays in the
 * totals of their days. `recordVisits` waits for that lock, so this statement sees every visit there will ever be. How
 * many were deleted; with `unopenedOnly`, quotes that have a visit by now stay.
 */
export async function deleteLockedQuotes(
  client: ClientBase,
  quoteIds: readonly string[],
  { unopenedOnly }: { readonly unopenedOnly: boolean },
): Promise<number> {
  const { rows } = await client.query<{ deleted: string }>(
    `WITH q AS (
       DELETE FROM quotes WHERE quote_id = ANY ($1::text[])
         ${unopenedOnly ? 'AND NOT EXISTS (SELECT FROM handoff_visits v WHERE v.quote_id = quotes.quote_id)' : ''}
       RETURNING quote_id, partner_id, created_at_ms, is_test),
     v AS (DELETE FROM handoff_visits USING q WHERE handoff_visits.quote_id = q.quote_id
       RETURNING handoff_visits.*),
     kept AS (
       INSERT INTO attribution_days AS stored (${DAY_COLUMNS})
       SELECT ${DAY_TOTALS} FROM q LEFT JOIN v ON v.quote_id = q.quote_id WHERE q.is_test = 0 GROUP BY 1, 2
       ON CONFLICT (day, partner_id) DO UPDATE SET ${ADD_TOTALS})
     SELECT count(*) AS deleted FROM q`,
    [quoteIds],
  );
  return Number(rows[0]?.deleted);
}
