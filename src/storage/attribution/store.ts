/** The part of the storage port that keeps what travellers did with quotes; it stores no address and no browser. */
import type { AttributionTotal, VisitOutcome } from './attribution-sql.ts';
import type { PriceDriftRow } from './price-drift-sql.ts';

export type { VisitOutcome };

/** News about one quote since the last write; the stored row accumulates them. */
export interface HandoffVisit {
  readonly quoteId: string;
  /** How often its page was opened since the last write. */
  readonly openedCount: number;
  /** Unix ms; null when it was only continued. */
  readonly firstOpenedAtMs: number | null;
  /** The verdict that the page showed when it was first opened; null if unknown. */
  readonly outcome: VisitOutcome | null;
  /** The price change at that time, in thousandths of the quoted price; null if unchanged or unknown. */
  readonly priceChangePerMille: number | null;
  /** When the traveller first went on to the booking site, Unix ms. */
  readonly continuedAtMs: number | null;
}

/** Counts of a partner's quotes of one day (UTC), and of their later outcomes. */
export interface AttributionRow extends Readonly<Record<AttributionTotal, number>> {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly partnerId: string;
}

export interface VisitStore {
  /**
   * Adds to the stored row of each quote: counts are summed, the first instant and the first outcome stay. Skips quotes
   * that are no longer stored. One transaction; each quote at most once.
   */
  recordVisits(visits: readonly HandoffVisit[]): Promise<void>;
}

export interface AttributionStore extends VisitStore {
  /** Everything that was recorded of the quote's page; undefined: it was not opened, or the quote is no longer stored. */
  findVisit(quoteId: string): Promise<HandoffVisit | undefined>;
  /** Days `first` to `last` (both included), ascending by day, then by partner id (byte order). */
  readAttribution(first: number, last: number): Promise<readonly AttributionRow[]>;
  /** Quotes of these days that are still stored; an age without quotes has no row. */
  readPriceDrift(
    first: number,
    last: number,
    partnerId: string | undefined,
  ): Promise<readonly PriceDriftRow[]>;
}
