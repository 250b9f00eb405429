/**
 * Writing quotes; runs in the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { QuoteRow } from '../port/quote-store.ts';
import { StorageUnavailable } from '../storage.ts';
import { keepTotals } from './attribution.ts';
import { toStorageError } from './sqlite-errors.ts';

export function prepareQuoteWrites(database: DatabaseSync) {
  return database.prepare(`
    INSERT INTO quotes (quote_id, property_id, partner_id, credential_id, inventory_type_id, locale,
      created_at_ms, expires_at_ms, answer, breakdown, is_test)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
}

export type InsertQuote = ReturnType<typeof prepareQuoteWrites>;

/**
 * Within a write transaction. Quotes of many requests share it, so one that is wrong in itself (an id used
 * twice) must not take the others with it: it comes back with the reason, by its index.
 */
export function insertQuotes(insert: InsertQuote, quotes: readonly QuoteRow[]): ReadonlyMap<number, string> {
  const refused = new Map<number, string>();
  for (const [index, quote] of quotes.entries()) {
    try {
      insertQuote(insert, quote);
    } catch (error) {
      if (toStorageError(error) instanceof StorageUnavailable) throw error;
      refused.set(index, error instanceof Error ? error.message : String(error));
    }
  }
  return refused;
}

/** Within a write transaction; how many were deleted. */
export function deleteExpiredQuotes(database: DatabaseSync, expiredBeforeMs: number, limit: number): number {
  const expired = database
    .prepare('SELECT quote_id FROM quotes WHERE expires_at_ms < ? ORDER BY expires_at_ms LIMIT ?')
    .all(expiredBeforeMs, limit)
    .map((row) => String(row['quote_id']));
  keepTotals(database, expired);
  database
    .prepare('DELETE FROM quotes WHERE quote_id IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(expired));
  return expired.length;
}

function insertQuote(insert: InsertQuote, quote: QuoteRow): void {
  insert.run(
    quote.quoteId,
    quote.propertyId,
    quote.partnerId,
    quote.credentialId,
    quote.inventoryTypeId,
    quote.locale,
    quote.createdAtMs,
    quote.expiresAtMs,
    quote.answer,
    quote.breakdown,
    Number(quote.isTest),
  );
}
