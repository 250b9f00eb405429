import type { StatementSync } from 'node:sqlite';
import type { QuoteRow } from '../port/quote-store.ts';
import { type StoredQuote, toQuote } from '../quote-rows.ts';

export const QUOTE_BY_ID = 'SELECT * FROM quotes WHERE quote_id = ?';

export function selectQuote(quoteById: StatementSync, quoteId: string): QuoteRow | undefined {
  const row = quoteById.get(quoteId) as StoredQuote | undefined;
  return row && toQuote(row);
}
