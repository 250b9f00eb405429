/**
 * Group commit: while quotes are being stored, those that arrive gather and go together into the next statement. The
 * more come at once, the less each costs, and none waits for company.
 */
import { type QuoteRow, StorageUnavailable } from '../storage.ts';
import { DECISION_WAIT_MS } from './connections.ts';

const QUOTES_PER_BATCH_MAX = 200;
/** Several commits at a time share one sync of the server's log. */
const BATCHES_AT_ONCE = 2;
/** Bounds the memory that a stuck server can cost. */
const QUOTES_WAITING_MAX = 20_000;

/** Stores a batch; resolves with the ids that were stored, the others exist already. */
export type StoreBatch = (quotes: readonly QuoteRow[]) => Promise<ReadonlySet<string>>;

interface WaitingQuote {
  readonly quote: QuoteRow;
  readonly timer: NodeJS.Timeout;
  resolve(): void;
  reject(error: unknown): void;
}

/** Resolved means: stored. Rejects with `StorageUnavailable` after DECISION_WAIT_MS, waiting included. */
export function makeQuoteBatches(store: StoreBatch): (quote: QuoteRow) => Promise<void> {
  const waiting = new Set<WaitingQuote>();
  let underwayCount = 0;

  function pump(): void {
    while (underwayCount < BATCHES_AT_ONCE && waiting.size > 0) {
      const batch = waiting.values().take(QUOTES_PER_BATCH_MAX).toArray();
      for (const entry of batch) waiting.delete(entry);
      underwayCount++;
      void storeAndAnswer(batch).finally(() => {
        underwayCount--;
        pump();
      });
    }
  }

  async function storeAndAnswer(batch: readonly WaitingQuote[]): Promise<void> {
    try {
      const stored = new Set(await store(batch.map(({ quote }) => quote)));
      for (const { quote, resolve, reject } of batch) {
        // Of two with the same id the first is the one that was stored.
        if (stored.delete(quote.quoteId)) resolve();
        else reject(new Error(`a quote ${quote.quoteId} exists already`));
      }
    } catch (error) {
      // One that is wrong in itself must not take the others with it.
      if (batch.length === 1 || error instanceof StorageUnavailable) {
        for (const { reject } of batch) reject(error);
      } else await Promise.all(batch.map((entry) => storeAndAnswer([entry])));
    } finally {
      for (const { timer } of batch) clearTimeout(timer);
    }
  }

  return (quote) =>
    new Promise((resolve, reject) => {
      if (waiting.size >= QUOTES_WAITING_MAX) {
        throw new StorageUnavailable('too many quotes wait for the database');
      }
      const timer = setTimeout(() => {
        waiting.delete(entry);
        reject(new StorageUnavailable(`the quote could not be stored within ${DECISION_WAIT_MS} ms`));
      }, DECISION_WAIT_MS);
      const entry: WaitingQuote = { quote, timer, resolve, reject };
      waiting.add(entry);
      pump();
    });
}
