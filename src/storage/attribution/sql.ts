/** The report of attribution. Visits are stored with the events that they cause, so each engine has its own: see there. */
import { DAY_MS } from '../../domain/local-date.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { type Days, type DayTable, readByParts } from '../portable-sql/days-by-parts.ts';
import { type Program, rows } from '../portable-sql/program.ts';
import {
  ATTRIBUTION_TOTALS,
  type AttributionTotal,
  DAY_COLUMNS,
  DAY_TOTALS,
  SUM_TOTALS,
} from './attribution-sql.ts';
import { addUpDrift, selectPriceDrift } from './price-drift-sql.ts';
import type { AttributionRow, AttributionStore, HandoffVisit } from './store.ts';

const QUOTES: DayTable = { name: 'quotes', time: 'created_at_ms', unit: DAY_MS, condition: 'is_test = 0' };
const TABLES = [QUOTES, { name: 'attribution_days', time: 'day', unit: 1 }];

export const attributionConcern = concern([], attributionReport);

function attributionReport({ read, daysAtOnce }: RunnerOf<[]>): Omit<AttributionStore, 'recordVisits'> {
  return {
    findVisit: (quoteId) => read(selectVisit(quoteId)),
    async readAttribution(from, to) {
      const options = { read, daysAtOnce, tables: TABLES };
      return (await readByParts({ from, to }, options, selectAttribution)).flat();
    },
    async readPriceDrift(from, to, partnerId) {
      const options = { read, daysAtOnce, tables: [QUOTES] };
      const readPart = (days: Days) => selectPriceDrift(days, partnerId);
      return addUpDrift(await readByParts({ from, to }, options, readPart));
    },
  };
}

function* selectVisit(quoteId: string): Program<HandoffVisit | undefined> {
  const [found] = yield* rows<HandoffVisit>(
    `SELECT quote_id AS "quoteId", opened_count AS "openedCount", first_opened_at_ms AS "firstOpenedAtMs", outcome,
       price_change_per_mille AS "priceChangePerMille", continued_at_ms AS "continuedAtMs"
     FROM handoff_visits WHERE quote_id = ?`,
    [quoteId],
  );
  return found && { ...found };
}

function* selectAttribution({ from, to }: Days): Program<AttributionRow[]> {
  const days = yield* rows<StoredDay>(
    `SELECT day, partner_id, ${SUM_TOTALS} FROM (
       SELECT ${DAY_TOTALS} FROM quotes q LEFT JOIN handoff_visits v ON v.quote_id = q.quote_id
       WHERE q.created_at_ms >= ? AND q.created_at_ms < ? AND q.is_test = 0 GROUP BY 1, 2
       UNION ALL
       SELECT ${DAY_COLUMNS} FROM attribution_days WHERE day BETWEEN ? AND ?) AS days
     GROUP BY day, partner_id`,
    [from * DAY_MS, (to + 1) * DAY_MS, from, to],
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
