import type { ClientBase } from 'pg';
import type { QuoteRow } from '../port/quote-store.ts';
import { bigintArray, textArray } from './binary-array.ts';

/**
 * Stores them all at once; a batch for `makeBatches`. A quote whose id exists already is answered with an Error, and
 * so is the second of two with the same id.
 */
export async function insertQuotes(
  client: ClientBase,
  quotes: readonly QuoteRow[],
): Promise<(undefined | Error)[]> {
  const { rows } = await client.query<{ quote_id: string }>({
    name: 'insert-quotes',
    text: `
      INSERT INTO quotes (quote_id, property_id, partner_id, credential_id, inventory_type_id, locale,
        created_at_ms, expires_at_ms, answer, breakdown, is_test)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::bigint[])
      ON CONFLICT (quote_id) DO NOTHING
      RETURNING quote_id`,
    values: [
      textArray(quotes.map((quote) => quote.quoteId)),
      textArray(quotes.map((quote) => quote.propertyId)),
      textArray(quotes.map((quote) => quote.partnerId)),
      textArray(quotes.map((quote) => quote.credentialId)),
      textArray(quotes.map((quote) => quote.inventoryTypeId)),
      textArray(quotes.map((quote) => quote.locale)),
      bigintArray(quotes.map((quote) => quote.createdAtMs)),
      bigintArray(quotes.map((quote) => quote.expiresAtMs)),
      textArray(quotes.map((quote) => quote.answer)),
      textArray(quotes.map((quote) => quote.breakdown)),
      bigintArray(quotes.map((quote) => Number(quote.isTest))),
    ],
  });
  const stored = new Set(rows.map((row) => row.quote_id));
  return quotes.map(({ quoteId }) =>
    stored.delete(quoteId) ? undefined : new Error(`a quote ${quoteId} exists already`),
  );
}
