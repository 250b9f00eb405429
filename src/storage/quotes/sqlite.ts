/**
 * Quotes on SQLite; what writes runs in the writer thread.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assertStorableRow } from '../../domain/storable-text.ts';
import type { Session } from '../engine/sqlite/session.ts';
import type { WriteContext } from '../engine/sqlite/write-context.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import { type StoredQuote, toQuote } from './rows.ts';
import type { QuoteCount, QuoteRow, QuoteStore, UnopenedQuotes, UnopenedSlice } from './store.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { keepTotals } from '../attribution/sqlite.ts';
import { toStorageError } from '../engine/sqlite/sqlite-errors.ts';

export const QUOTE_BY_ID = 'SELECT * FROM quotes WHERE quote_id = ?';

export interface SqliteQuotesOptions {
  /** `quote` is QUOTE_BY_ID, prepared. */
  readonly reader: Session<{ readonly quote: StatementSync }>;
  readonly writer: Remote<Omit<ReturnType<typeof quoteOperations>, 'insertQuotes'>>;
  /** Shares its commit with others. */
  readonly insertQuote: (quote: QuoteRow) => Promise<void>;
}

export function sqliteQuotes({ reader, writer, insertQuote }: SqliteQuotesOptions): QuoteStore {
  return {
    async insertQuote(quote) {
      assertStorableRow(quote);
      await insertQuote(quote);
    },
    findQuote: async (quoteId) => reader.run(({ quote }) => selectQuote(quote, quoteId)),
    deleteExpiredQuotes: (expiredBeforeMs, limit) => writer.deleteExpiredQuotes([expiredBeforeMs, limit]),
    deleteUnopenedQuotes: (slice) => writer.deleteUnopenedQuotes([slice]),
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
    deleteExpiredQuotes: (expiredBeforeMs: number, limit: number) =>
      transact((_statements, database) => deleteExpiredQuotes(database, expiredBeforeMs, limit)),
    deleteUnopenedQuotes: (slice: UnopenedQuotes) =>
      transact((_statements, database) => deleteUnopenedQuotes(database, slice)),
    addQuoteCounts: (day: number, counts: readonly QuoteCount[]) =>
      transact((_statements, database) => addQuoteCounts(database, day, counts)),
  };
}

export function prepareQuoteWrites(database: DatabaseSync) {
  return database.prepare(`
    INSERT INTO quotes (quote_id, property_id, partner_id, credential_id, inventory_type_id, locale,
      created_at_ms, expires_at_ms, answer, breakdown, is_test)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
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
      putQuote(insert, quote);
    } catch (error) {
      if (toStorageError(error) instanceof StorageUnavailable) throw error;
      refused.set(index, error instanceof Error ? error.message : String(error));
    }
  }
  return refused;
}

/** Within a write transaction; how many were deleted. */
function deleteExpiredQuotes(database: DatabaseSync, expiredBeforeMs: number, limit: number): number {
  const expired = database
    .prepare('SELECT quote_id FROM quotes WHERE expires_at_ms < ? ORDER BY expires_at_ms LIMIT ?')
    .all(expiredBeforeMs, limit)
    .map((row) => String(row['quote_id']));
  deleteQuotes(database, expired);
  return expired.length;
}

/** Within a write transaction, so that no visit comes between the look and the deletion. */
function deleteUnopenedQuotes(
  database: DatabaseSync,
  { after, expiredBeforeMs, limit }: UnopenedQuotes,
): UnopenedSlice {
  const looked = database
    .prepare(`
      SELECT quote_id, expires_at_ms, quote_id IN (SELECT quote_id FROM handoff_visits) AS is_visited
      FROM quotes WHERE (expires_at_ms, quote_id) > (?, ?) AND expires_at_ms < ?
      ORDER BY expires_at_ms, quote_id LIMIT ?`)
    .all(after.expiresAtMs, after.quoteId, expiredBeforeMs, limit)
    .map((row) => ({
      quoteId: String(row['quote_id']),
      expiresAtMs: Number(row['expires_at_ms']),
      isVisited: row['is_visited'] === 1,
    }));
  const unopened = looked.filter(({ isVisited }) => !isVisited).map(({ quoteId }) => quoteId);
  deleteQuotes(database, unopened);
  const { quoteId, expiresAtMs } = looked.at(-1) ?? after;
  return { looked: looked.length, deleted: unopened.length, last: { quoteId, expiresAtMs } };
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

function deleteQuotes(database: DatabaseSync, quoteIds: readonly string[]): void {
  keepTotals(database, quoteIds);
  database
    .prepare('DELETE FROM quotes WHERE quote_id IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(quoteIds));
}

function putQuote(insert: InsertQuote, quote: QuoteRow): void {
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

function selectQuote(quoteById: StatementSync, quoteId: string): QuoteRow | undefined {
  const row = quoteById.get(quoteId) as StoredQuote | undefined;
  return row && toQuote(row);
}
