import type { ClientBase } from 'pg';
import type { QuoteRow } from '../port/quote-store.ts';
import { type StoredQuote, toQuote } from '../quote-rows.ts';

export async function selectQuote(client: ClientBase, quoteId: string): Promise<QuoteRow | undefined> {
  const { rows } = await client.query<StoredQuote>(
    `SELECT quote_id, property_id, partner_id, credential_id, inventory_type_id, locale,
       created_at_ms, expires_at_ms, answer, breakdown, is_test
     FROM quotes WHERE quote_id = $1`,
    [quoteId],
  );
  return rows[0] && toQuote(rows[0]);
}
