/**
 * The part of the storage port that keeps quotes. Nobody follows them: they take no revision, so they never queue
 * behind an import.
 */
import type { Locale } from '../../domain/property.ts';
import { flag, plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

export const QUOTE = storedRow({
  quoteId: plain<string>(),
  propertyId: plain<string>(),
  partnerId: plain<string>(),
  credentialId: plain<string>(),
  inventoryTypeId: plain<string>(),
  locale: plain<Locale>(),
  createdAtMs: plain<number>(),
  expiresAtMs: plain<number>(),
  /** The answer as the partner got it, JSON. */
  answer: plain<string>(),
  /** Nightly and tax breakdown, JSON. */
  breakdown: plain<string>(),
  /** A quote for a sandbox property: attribution reports exclude it. */
  isTest: flag,
});
export type QuoteRow = RowOf<typeof QUOTE>;

/** A place in the order in which quotes expire. */
export interface QuoteCursor {
  readonly expiresAtMs: number;
  readonly quoteId: string;
}

export interface UnopenedQuotes {
  /** Read only quotes after this place. */
  readonly after: QuoteCursor;
  readonly expiredBeforeMs: number;
  /** Quotes to read, at most. */
  readonly limit: number;
}

export interface UnopenedSlice {
  readonly looked: number;
  readonly deleted: number;
  /** The place of the last quote read; without any, the given place. */
  readonly last: QuoteCursor;
}

/** Quotes of one credential. */
export interface QuoteCount {
  readonly credentialId: string;
  readonly quotes: number;
}

export interface QuoteStore {
  /** Once resolved, the row survives `kill -9`. */
  insertQuote(quote: QuoteRow): Promise<void>;
  findQuote(quoteId: string): Promise<QuoteRow | undefined>;
  /**
   * Deletes at most `limit` quotes that expired before the instant, the oldest first, with their visits; the totals of
   * their days stay. Returns how many.
   */
  deleteExpiredQuotes(expiredBeforeMs: number, limit: number): Promise<number>;
  /**
   * Reads quotes in order of expiry and deletes those without a stored visit; the totals of their days stay. A visit
   * that is written meanwhile either keeps its quote or comes too late: it is never counted without its quote.
   */
  deleteUnopenedQuotes(slice: UnopenedQuotes): Promise<UnopenedSlice>;
  /** Adds to the counts of a day (days since 1970-01-01, UTC) and returns the new counts; older days are dropped. */
  addQuoteCounts(day: number, counts: readonly QuoteCount[]): Promise<readonly QuoteCount[]>;
}
