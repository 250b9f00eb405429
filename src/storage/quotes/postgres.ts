/** Writing quotes on PostgreSQL. */
import type { ClientBase } from 'pg';
import { createBatches } from '../engine/batches.ts';
import { DECISION_BATCHES_AT_ONCE } from '../engine/postgres/connections.ts';
import type { Session } from '../engine/postgres/session.ts';
import { assertStorableRow } from '../../domain/storable-text.ts';

import { QUOTE, type QuoteCount, type QuoteRow, type QuoteStore } from './store.ts';
import { bigintArray, textArray } from '../engine/postgres/binary-array.ts';

const QUOTES_PER_BATCH_MAX = 200;

export function postgresQuotes(session: Session): Pick<QuoteStore, 'insertQuote' | 'addQuoteCounts'> {
  const insertQuote = createBatches({
    run: (quotes: readonly QuoteRow[]) => session.decide((client) => insertQuotes(client, quotes)),
    batchMax: QUOTES_PER_BATCH_MAX,
    batchesAtOnce: DECISION_BATCHES_AT_ONCE,
    waitMs: session.decisionMs,
  });
  return {
    async insertQuote(quote) {
      assertStorableRow(quote);
      await insertQuote(quote);
    },
    addQuoteCounts: (day, counts) => session.run((client) => addQuoteCounts(client, day, counts)),
  };
}

/**
 * Stores them all at once; a batch for `createBatches`. A quote whose id exists already is answered with an Error, and
 * so is the second of two with the same id.
 */
async function insertQuotes(client: ClientBase, quotes: readonly QuoteRow[]): Promise<(undefined | Error)[]> {
  const { rows } = await client.query<{ quote_id: string }>({
    name: 'insert-quotes',
    text: `
      INSERT INTO quotes (${QUOTE.columns})
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

/** In the order of ids, so that two processes never wait for each other in a circle. */
async function addQuoteCounts(
  client: ClientBase,
  day: number,
  counts: readonly QuoteCount[],
): Promise<readonly QuoteCount[]> {
  // The day before stays: a process may be behind by its last write.
  await client.query('DELETE FROM quote_counts WHERE day < $1', [day - 1]);
  const { rows } = await client.query<{ credential_id: string; quotes: number | string }>(
    `INSERT INTO quote_counts AS stored (day, credential_id, quotes)
     SELECT $1::bigint, added.* FROM unnest($2::text[], $3::bigint[]) AS added (credential_id, quotes)
     ORDER BY added.credential_id
     ON CONFLICT (day, credential_id) DO UPDATE SET quotes = stored.quotes + excluded.quotes
     RETURNING credential_id, quotes`,
    [day, counts.map(({ credentialId }) => credentialId), counts.map(({ quotes }) => quotes)],
  );
  return rows.map((row) => ({ credentialId: row.credential_id, quotes: Number(row.quotes) }));
}
