/** Writing quotes on SQLite, in the writer thread. */
import type { DatabaseSync } from 'node:sqlite';
import { assertStorableRow } from '../../domain/storable-text.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { toStorageError } from '../engine/sqlite/sqlite-errors.ts';
import type { WriteContext } from '../engine/sqlite/write-context.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';

import { QUOTE, type QuoteCount, type QuoteRow, type QuoteStore } from './store.ts';
import { messageOf } from '../../runtime/message-of.ts';

/** `insertQuote` shares its commit with others. */
export function sqliteQuotes(
  writer: Remote<Omit<ReturnType<typeof quoteOperations>, 'insertQuotes'>>,
  insertQuote: (quote: QuoteRow) => Promise<void>,
): Pick<QuoteStore, 'insertQuote' | 'addQuoteCounts'> {
  return {
    async insertQuote(quote) {
      assertStorableRow(quote);
      await insertQuote(quote);
    },
    addQuoteCounts: (day, counts) => writer.addQuoteCounts([day, counts]),
  };
}

export function quoteOperations({ transact }: WriteContext<{ readonly insertQuote: InsertQuote }>) {
  return {
    /** In one transaction; those refused, by index. */
    insertQuotes: (quotes: readonly QuoteRow[], lockWaitMs: number) =>
      transact((statements) => insertQuotes(statements.insertQuote, quotes), {
        lockWaitMs,
        needsRoom: true,
      }),
    addQuoteCounts: (day: number, counts: readonly QuoteCount[]) =>
      transact((_statements, database) => addQuoteCounts(database, day, counts)),
  };
}

export function prepareQuoteWrites(database: DatabaseSync) {
  return database.prepare(`INSERT INTO quotes (${QUOTE.columns}) VALUES (${QUOTE.places})`);
}

type InsertQuote = ReturnType<typeof prepareQuoteWrites>;

/**
 * Within a write transaction. Quotes of many requests share it, so one that is wrong in itself (an id used
 * twice) must not take the others with it: it comes back with the reason, by its index.
 */
function insertQuotes(insert: InsertQuote, quotes: readonly QuoteRow[]): ReadonlyMap<number, string> {
  const refused = new Map<number, string>();
  for (const [index, quote] of quotes.entries()) {
    try {
      insert.run(...QUOTE.values(quote));
    } catch (error) {
      if (toStorageError(error) instanceof StorageUnavailable) throw error;
      refused.set(index, messageOf(error));
    }
  }
  return refused;
}

/** Within a write transaction. */
function addQuoteCounts(
  database: DatabaseSync,
  day: number,
  counts: readonly QuoteCount[],
): readonly QuoteCount[] {
  // The day before stays: a process may be behind by its last write.
  database.prepare('DELETE FROM quote_counts WHERE day < ?').run(day - 1);
  const add = database.prepare(`
    INSERT INTO quote_counts AS stored (day, credential_id, quotes) VALUES (?, ?, ?)
    ON CONFLICT (day, credential_id) DO UPDATE SET quotes = stored.quotes + excluded.quotes RETURNING quotes`);
  return counts.map(({ credentialId, quotes }) => ({
    credentialId,
    quotes: Number(add.get(day, credentialId, quotes)?.['quotes']),
  }));
}
