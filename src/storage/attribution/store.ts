/** The part of the storage port that keeps what became of quotes at their travellers: no address, no browser. */
import type { AttributionTotal, VisitOutcome } from './attribution-sql.ts';
import type { PriceDriftRow } from './price-drift-sql.ts';

export type { VisitOutcome };

/** What is new about one quote; the stored row is what all of them say together. */
export interface HandoffVisit {
  readonly quoteId: string;
  /** How often its page was opened since the last write. */
  readonly openedCount: number;
  /** Unix ms; null when it was only continued. */
  readonly firstOpenedAtMs: number | null;
  /** What the page said when it was first opened; null when that could not be known. */
  readonly outcome: VisitOutcome | null;
  /** By how much the price had changed then, in thousandths of the quoted one; null when it had not, or nobody knows. */
  readonly priceChangePerMille: number | null;
  /** When the traveller first went on to the booking site, Unix ms. */
  readonly continuedAtMs: number | null;
}

/** Numbers of quotes that a partner was given on one day (UTC), and what became of them since. */
export interface AttributionRow extends Readonly<Record<AttributionTotal, number>> {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly partnerId: string;
}

export interface VisitStore {
  /**
   * Adds to what is stored of each quote: counts are summed, the first instant and the first outcome stay. A quote that
   * is not stored any more is passed over. One transaction; each quote at most once.
   */
  recordVisits(visits: readonly HandoffVisit[]): Promise<void>;
}

export interface AttributionStore extends VisitStore {
  /** Days `first` to `last` (both included), ascending by day, then by partner id (byte order). */
  readAttribution(first: number, last: number): Promise<readonly AttributionRow[]>;
  /** Of quotes of these days that are stored; an age without any has no row. */
  readPriceDrift(
    first: number,
    last: number,
    partnerId: string | undefined,
  ): Promise<readonly PriceDriftRow[]>;
}
