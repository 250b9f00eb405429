/**
 * The numbers of attribution, one row each, and the parts of its statements that are the same text for every engine.
 * The report, its command and the table in `docs/traveller.md` derive from the rows; a new one needs a migration.
 */
import { DAY_MS } from '../../domain/local-date.ts';

export type VisitOutcome = 'unchanged' | 'price_changed' | 'unavailable' | 'expired';

interface Total {
  /** Column of `attribution_days`. */
  readonly stored: string;
  /** Over quotes `q` with their visits `v`. */
  readonly counts: string;
  /** Ends a sentence that begins with "quotes". */
  readonly meaning: string;
}

// prettier-ignore
export const ATTRIBUTION_TOTALS = {
  quotes: { stored: 'quotes', counts: 'count(*)', meaning: 'that were made' },
  opened: {
    stored: 'opened', counts: 'count(v.first_opened_at_ms)', meaning: 'whose page was opened at least once',
  },
  continued: {
    stored: 'continued', counts: 'count(v.continued_at_ms)',
    meaning: 'whose traveller went on to your booking site',
  },
  unchanged: {
    stored: 'unchanged', counts: countOutcome('unchanged'),
    meaning: 'whose stay was available at the quoted price when the page was first opened',
  },
  priceChanged: {
    stored: 'price_changed', counts: countOutcome('price_changed'),
    meaning: 'whose price had changed by then',
  },
  unavailable: {
    stored: 'unavailable', counts: countOutcome('unavailable'),
    meaning: 'whose stay was no longer available by then',
  },
  expired: {
    stored: 'expired', counts: countOutcome('expired'), meaning: 'that had expired by then',
  },
} as const satisfies Readonly<Record<string, Total>>;

/** Columns of the report that come from the operator's booking system; they are counted from `conversions`. */
export const CONVERSION_COLUMNS = {
  converted: 'that were ever booked, as your booking system reported',
  cancelled: 'with a booking that was cancelled',
} as const;
export type ConversionColumn = keyof typeof CONVERSION_COLUMNS;

export type AttributionTotal = keyof typeof ATTRIBUTION_TOTALS;
export const ATTRIBUTION_TOTAL_NAMES = Object.keys(ATTRIBUTION_TOTALS) as readonly AttributionTotal[];

const ROWS: readonly Total[] = Object.values(ATTRIBUTION_TOTALS);
const TOTALS = ROWS.map(({ stored }) => stored);

/** One row of `attribution_days` from quotes `q` with their visits `v`, grouped by the first two columns. */
export const DAY_TOTALS = `q.created_at_ms / ${DAY_MS} AS day, q.partner_id,
  ${ROWS.map(({ stored, counts }) => `${counts} AS ${stored}`).join(', ')}`;

export const DAY_COLUMNS = `day, partner_id, ${TOTALS.join(', ')}`;

/** For `ON CONFLICT (day, partner_id) DO UPDATE SET`. */
export const ADD_TOTALS = TOTALS.map((name) => `${name} = stored.${name} + excluded.${name}`).join(', ');

/** For `SELECT day, partner_id, ... GROUP BY day, partner_id`. */
export const SUM_TOTALS = TOTALS.map((name) => `sum(${name}) AS ${name}`).join(', ');

/** For `ON CONFLICT (quote_id) DO UPDATE SET` of `handoff_visits AS stored`. A change of price is part of its outcome. */
export const ADD_VISIT = `opened_count = stored.opened_count + excluded.opened_count,
  first_opened_at_ms = coalesce(stored.first_opened_at_ms, excluded.first_opened_at_ms),
  price_change_per_mille =
    CASE WHEN stored.outcome IS NULL THEN excluded.price_change_per_mille ELSE stored.price_change_per_mille END,
  outcome = coalesce(stored.outcome, excluded.outcome),
  continued_at_ms = coalesce(stored.continued_at_ms, excluded.continued_at_ms)`;

function countOutcome(outcome: VisitOutcome): string {
  return `count(CASE WHEN v.outcome = '${outcome}' THEN 1 END)`;
}
