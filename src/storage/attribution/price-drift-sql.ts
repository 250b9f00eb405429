/** Price changes that travellers met, by the age of their quotes. */
import { DAY_MS, HOUR_MS } from '../../domain/local-date.ts';
import type { Days } from '../portable-sql/days-by-parts.ts';
import { type Program, rows } from '../portable-sql/program.ts';

/** Each ends where the next one begins, in milliseconds. */
export const QUOTE_AGES = {
  '0-1h': HOUR_MS,
  '1-24h': DAY_MS,
  '1-3d': 3 * DAY_MS,
  '3-7d': 7 * DAY_MS,
  '7d+': undefined,
} as const;

export type QuoteAge = keyof typeof QUOTE_AGES;

/** Quotes of one age at their first opening. */
export interface PriceDriftRow {
  readonly age: QuoteAge;
  /** Quotes whose price could be computed again. */
  readonly compared: number;
  readonly priceChanged: number;
  /** Changed prices for which the size of the change is known, and the sum of these changes. */
  readonly measured: number;
  readonly changePerMille: number;
}

const AGE = `CASE ${Object.entries(QUOTE_AGES)
  .map(([age, untilMs]) =>
    untilMs === undefined
      ? `ELSE '${age}'`
      : `WHEN v.first_opened_at_ms - q.created_at_ms < ${untilMs} THEN '${age}'`,
  )
  .join(' ')} END`;

/** By the day of the quote, as in all of attribution, so that its index applies. */
export function* selectPriceDrift(
  { from, to }: Days,
  partnerId: string | undefined,
): Program<PriceDriftRow[]> {
  const found = yield* rows<PriceDriftRow>(
    `SELECT ${AGE} AS age, count(*) AS compared,
       count(CASE WHEN v.outcome = 'price_changed' THEN 1 END) AS "priceChanged",
       count(v.price_change_per_mille) AS measured,
       CAST(coalesce(sum(v.price_change_per_mille), 0) AS bigint) AS "changePerMille"
     FROM quotes q JOIN handoff_visits v ON v.quote_id = q.quote_id
     WHERE q.created_at_ms >= ? AND q.created_at_ms < ? AND q.is_test = 0
       AND v.outcome IN ('unchanged', 'price_changed')${partnerId === undefined ? '' : ' AND q.partner_id = ?'}
     GROUP BY 1`,
    [from * DAY_MS, (to + 1) * DAY_MS, ...(partnerId === undefined ? [] : [partnerId])],
  );
  return found.map((row) => ({ ...row }));
}

/** One row for each age. */
export function addUpDrift(parts: readonly (readonly PriceDriftRow[])[]): readonly PriceDriftRow[] {
  return [...Map.groupBy(parts.flat(), ({ age }) => age)].map(([age, same]) => {
    const sum = (name: Exclude<keyof PriceDriftRow, 'age'>): number =>
      same.reduce((total, row) => total + row[name], 0);
    return {
      age,
      compared: sum('compared'),
      priceChanged: sum('priceChanged'),
      measured: sum('measured'),
      changePerMille: sum('changePerMille'),
    };
  });
}
