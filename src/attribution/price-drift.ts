/** Price changes until travellers opened their quotes, by the quote's age. */
import type { EpochDay } from '../domain/local-date.ts';
import type { PriceDriftRow, QuoteAge } from '../storage/attribution/price-drift-sql.ts';
import { QUOTE_AGES } from '../storage/attribution/price-drift-sql.ts';
import type { AttributionStore } from '../storage/attribution/store.ts';

export type { QuoteAge };

export interface PriceDrift {
  /** Age of the quote when its page was first opened. */
  readonly age: QuoteAge;
  /** Quotes whose price could still be computed then. */
  readonly compared: number;
  /** Those with another price. */
  readonly priceChanged: number;
  /** Their average change, one decimal; above zero: dearer. Null without any. */
  readonly averageChangePercent: number | null;
}

export const PRICE_DRIFT_COLUMNS = ['age', 'compared', 'priceChanged', 'averageChangePercent'] as const;

/** For stored quotes of these days (UTC, both included); one row for each age, the youngest first. */
export async function reportPriceDrift(
  storage: Pick<AttributionStore, 'readPriceDrift'>,
  {
    from,
    to,
    partnerId,
  }: { readonly from: EpochDay; readonly to: EpochDay; readonly partnerId?: string | undefined },
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
