/** The report of attribution. What writes it shares transactions with quotes, so each engine has its own: see there. */
import { DAY_MS } from '../../domain/local-date.ts';
import { type Program, type ProgramRunner, rows } from '../programs/program.ts';
import {
  ATTRIBUTION_TOTALS,
  type AttributionTotal,
  DAY_COLUMNS,
  DAY_TOTALS,
  SUM_TOTALS,
} from './attribution-sql.ts';
import { selectPriceDrift } from './price-drift-sql.ts';
import type { AttributionRow, AttributionStore } from './store.ts';

export function attributionReport({ read }: ProgramRunner): Omit<AttributionStore, 'recordVisits'> {
  return {
    readAttribution: (first, last) => read(selectAttribution(first, last)),
    readPriceDrift: (first, last, partnerId) => read(selectPriceDrift(first, last, partnerId)),
  };
}

function* selectAttribution(first: number, last: number): Program<AttributionRow[]> {
  const days = yield* rows<StoredDay>(
    `SELECT day, partner_id, ${SUM_TOTALS} FROM (
       SELECT ${DAY_TOTALS} FROM quotes q LEFT JOIN handoff_visits v ON v.quote_id = q.quote_id
       WHERE q.created_at_ms >= ? AND q.created_at_ms < ? AND q.is_test = 0 GROUP BY 1, 2
       UNION ALL
       SELECT ${DAY_COLUMNS} FROM attribution_days WHERE day BETWEEN ? AND ?) AS days
     GROUP BY day, partner_id`,
    [first * DAY_MS, (last + 1) * DAY_MS, first, last],
  );
  return days.map(toAttributionRow).sort(byDayAndPartner);
}

/** Here, because engines order text in ways of their own; partners by bytes. */
function byDayAndPartner(one: AttributionRow, other: AttributionRow): number {
  return one.day - other.day || Buffer.compare(Buffer.from(one.partnerId), Buffer.from(other.partnerId));
}

/** By column, `day` and `partner_id` among them. PostgreSQL writes sums as text. */
type StoredDay = Readonly<Record<string, unknown>>;

function toAttributionRow(row: StoredDay): AttributionRow {
  const totals = Object.entries(ATTRIBUTION_TOTALS).map(([name, { stored }]) => [name, Number(row[stored])]);
  return {
    day: Number(row['day']),
    partnerId: row['partner_id'] as string,
    ...(Object.fromEntries(totals) as Record<AttributionTotal, number>),
  };
}
