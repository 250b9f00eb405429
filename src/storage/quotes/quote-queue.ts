/**
 * The quotes that wait for the writer thread. While one transaction is being synced to disk those that arrive gather,
 * and all of them go into the next: the more come at once, the less each costs, and none waits for company.
 */
import type { QuoteRow } from './store.ts';
import { StorageUnavailable } from '../engine/errors.ts';

/** A quote is refused when it is not stored within 2 s; the rest is for what comes before and after. */
const QUOTE_WAIT_MS = 1_750;
const QUOTES_PER_COMMIT_MAX = 500;
/** Bounds the memory that a stuck disk can cost. */
export const QUOTES_WAITING_MAX = 20_000;

interface WaitingQuote {
  readonly quote: QuoteRow;
  readonly giveUpAtMs: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Stores the quotes in one transaction; resolves with those refused, by index, and why. */
type InsertQuotes = (quotes: readonly QuoteRow[], lockWaitMs: number) => Promise<ReadonlyMap<number, string>>;

export interface QuoteQueue {
  readonly isEmpty: () => boolean;
  /** Resolves when the quote is stored; `onAdded` runs when it waits. */
  add(quote: QuoteRow, onAdded: () => void): Promise<void>;
  /** Stores the oldest that wait. Never rejects: each quote's own promise does. */
  readonly commit: () => Promise<void>;
}

export function createQuoteQueue(insertQuotes: InsertQuotes): QuoteQueue {
  const waiting = new Set<WaitingQuote>();

  function add(quote: QuoteRow, onAdded: () => void): Promise<void> {
    if (waiting.size >= QUOTES_WAITING_MAX) {
      return Promise.reject(new StorageUnavailable('too many quotes wait for the disk'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(entry);
      reject(new StorageUnavailable(`the quote could not be stored within ${QUOTE_WAIT_MS} ms`));
    }, QUOTE_WAIT_MS);
    const giveUpAtMs = performance.now() + QUOTE_WAIT_MS;
    const entry: WaitingQuote = { quote, giveUpAtMs, timer, resolve, reject };
    waiting.add(entry);
    onAdded();
    return promise;
  }

  async function commit(): Promise<void> {
    const batch = waiting.values().take(QUOTES_PER_COMMIT_MAX).toArray();
    for (const entry of batch) waiting.delete(entry);
    const lastGiveUpMs = Math.max(0, ...batch.map(({ giveUpAtMs }) => giveUpAtMs));
    try {
      const quotes = batch.map(({ quote }) => quote);
      settle(batch, await insertQuotes(quotes, lastGiveUpMs - performance.now()));
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    } finally {
      for (const { timer } of batch) clearTimeout(timer);
    }
  }

  return { isEmpty: () => waiting.size === 0, add, commit };
}

function settle(batch: readonly WaitingQuote[], refused: ReadonlyMap<number, string>): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const reason = refused.get(index);
    if (reason === undefined) resolve();
    else reject(new Error(reason));
  }
}
