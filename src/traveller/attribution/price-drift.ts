/** Price changes until travellers opened their quotes, by the quote's age. */
import type { PriceDriftRow, QuoteAge } from '../../storage/attribution/price-drift-sql.ts';
import { QUOTE_AGES } from '../../storage/attribution/price-drift-sql.ts';
import type { AttributionStore } from '../../storage/attribution/store.ts';
import type { PartnerDays } from '../../storage/portable-sql/days-by-parts.ts';

export interface PriceDrift extends Pick<PriceDriftRow, 'age' | 'compared' | 'priceChanged'> {
  /** The average of the changes, one decimal; above zero: dearer. Null without any. */
  readonly averageChangePercent: number | null;
}

export const PRICE_DRIFT_COLUMNS = ['age', 'compared', 'priceChanged', 'averageChangePercent'] as const;

/** For stored quotes of these days (UTC, both included); one row for each age, the youngest first. */
export async function reportPriceDrift(
  storage: Pick<AttributionStore, 'readPriceDrift'>,
  { from, to, partnerId }: PartnerDays,
): Promise<readonly PriceDrift[]> {
  const rows = await storage.readPriceDrift(from, to, partnerId);
  return Object.keys(QUOTE_AGES).map((name) => {
    const age = name as QuoteAge;
    const { compared = 0, priceChanged = 0, measured = 0, changePerMille = 0 } = find(rows, age);
    return { age, compared, priceChanged, averageChangePercent: average(changePerMille, measured) };
  });
}

function find(rows: readonly PriceDriftRow[], age: QuoteAge): Partial<PriceDriftRow> {
  return rows.find((row) => row.age === age) ?? {};
}

function average(changePerMille: number, measured: number): number | null {
  return measured === 0 ? null : Math.round(changePerMille / measured) / 10;
}
