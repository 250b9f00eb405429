/** The parts of attribution's statements that are the same text for every engine. */
import { DAY_MS } from '../domain/local-date.ts';
import type { AttributionRow } from './port/attribution-store.ts';

/** One row of `attribution_days` from quotes `q` with their visits `v`, grouped by the first two columns. */
export const DAY_TOTALS = `q.created_at_ms / ${DAY_MS} AS day, q.partner_id, count(*) AS quotes,
  count(v.first_opened_at_ms) AS opened, count(v.continued_at_ms) AS continued,
  ${countOutcome('unchanged')}, ${countOutcome('price_changed')},
  ${countOutcome('unavailable')}, ${countOutcome('expired')}`;

const TOTALS = [
  'quotes',
  'opened',
  'continued',
  'unchanged',
  'price_changed',
  'unavailable',
  'expired',
] as const;

export const DAY_COLUMNS = `day, partner_id, ${TOTALS.join(', ')}`;

/** For `ON CONFLICT (day, partner_id) DO UPDATE SET`. */
export const ADD_TOTALS = TOTALS.map((name) => `${name} = stored.${name} + excluded.${name}`).join(', ');

/** For `SELECT day, partner_id, ... GROUP BY day, partner_id`. */
export const SUM_TOTALS = TOTALS.map((name) => `sum(${name}) AS ${name}`).join(', ');

/** For `ON CONFLICT (quote_id) DO UPDATE SET` of `handoff_visits AS stored`. */
export const ADD_VISIT = `opened_count = stored.opened_count + excluded.opened_count,
  first_opened_at_ms = coalesce(stored.first_opened_at_ms, excluded.first_opened_at_ms),
  outcome = coalesce(stored.outcome, excluded.outcome),
  continued_at_ms = coalesce(stored.continued_at_ms, excluded.continued_at_ms)`;

/** PostgreSQL writes sums as text. */
export interface StoredDay {
  readonly day: number | string;
  readonly partner_id: string;
  readonly quotes: number | string;
  readonly opened: number | string;
  readonly continued: number | string;
  readonly unchanged: number | string;
  readonly price_changed: number | string;
  readonly unavailable: number | string;
  readonly expired: number | string;
}

export function toAttributionRow(row: StoredDay): AttributionRow {
  return {
    day: Number(row.day),
    partnerId: row.partner_id,
    quotes: Number(row.quotes),
    opened: Number(row.opened),
    continued: Number(row.continued),
    unchanged: Number(row.unchanged),
    priceChanged: Number(row.price_changed),
    unavailable: Number(row.unavailable),
    expired: Number(row.expired),
  };
}

function countOutcome(outcome: string): string {
  return `count(CASE WHEN v.outcome = '${outcome}' THEN 1 END) AS ${outcome}`;
}
