/** Visits of travellers and the totals per day. Writes run in the writer thread, within a write transaction. */
import type { DatabaseSync } from 'node:sqlite';
import { ADD_VISIT } from './attribution-sql.ts';
import type { WriteContext } from '../engine/sqlite/write-context.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import { storeDeliveries } from '../webhooks/outbox.ts';
import type { HandoffVisit, VisitStore } from './store.ts';
import { planVisitEvents } from './visit-events.ts';

/** Visits are tried again later; a quote that waits behind them has less than two seconds. */
const VISITS_LOCK_WAIT_MS = 250;

export function sqliteVisits(writer: Remote<ReturnType<typeof visitOperations>>): VisitStore {
  return {
    async recordVisits(visits) {
      if (visits.length > 0) await writer.recordVisits([visits]);
    },
  };
}

export function visitOperations({ transact }: WriteContext<unknown>) {
  return {
    recordVisits: (visits: readonly HandoffVisit[]) =>
      transact((_statements, database) => recordVisits(database, visits), {
        lockWaitMs: VISITS_LOCK_WAIT_MS,
        needsRoom: true,
      }),
  };
}

/** With the events that they tell of. */
function recordVisits(database: DatabaseSync, visits: readonly HandoffVisit[]): void {
  const events = runProgram(database, planVisitEvents(visits));
  addVisits(database, visits);
  runProgram(database, storeDeliveries(events));
}

function addVisits(database: DatabaseSync, visits: readonly HandoffVisit[]): void {
  const record = database.prepare(`
    INSERT INTO handoff_visits AS stored
      (quote_id, opened_count, first_opened_at_ms, outcome, continued_at_ms, price_change_per_mille)
    SELECT quote_id, ?, ?, ?, ?, ? FROM quotes WHERE quote_id = ?
    ON CONFLICT (quote_id) DO UPDATE SET ${ADD_VISIT}`);
  for (const visit of visits) {
    const { quoteId, openedCount, firstOpenedAtMs, outcome, continuedAtMs, priceChangePerMille } = visit;
    record.run(openedCount, firstOpenedAtMs, outcome, continuedAtMs, priceChangePerMille, quoteId);
  }
}
