/** Visits of travellers and the totals per day. */
import type { ClientBase } from 'pg';
import { ADD_VISIT } from './attribution-sql.ts';
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
