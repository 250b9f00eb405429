/**
 * The part of the storage port that keeps quotes. Nobody follows them: they take no revision, so that they never queue
 * behind an import.
 */
import type { Locale } from '../../domain/property.ts';

export interface QuoteRow {
  readonly quoteId: string;
  readonly propertyId: string;
  readonly partnerId: string;
  readonly credentialId: string;
  readonly inventoryTypeId: string;
  readonly locale: Locale;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The answer as the partner got it, JSON. */
  readonly answer: string;
  /** Nightly and tax breakdown, JSON. */
  readonly breakdown: string;
  /** Of a property of the sandbox: no report of attribution counts it. */
  readonly isTest: boolean;
}

export interface QuoteStore {
  /** Resolved means: the row survives `kill -9`. */
  insertQuote(quote: QuoteRow): Promise<void>;
  findQuote(quoteId: string): Promise<QuoteRow | undefined>;
  /**
   * Deletes at most `limit` quotes that expired before the instant, the oldest first, with their visits; the totals of
   * their days stay. Returns how many.
   */
  deleteExpiredQuotes(expiredBeforeMs: number, limit: number): Promise<number>;
}
