/**
 * The queue in front of the writer thread, and group commit.
 *
 * While one transaction is being synced to disk the quotes that arrive gather, and all of them go into the next: the
 * more come at once, the less each costs, and none waits for company. Quotes and other work take turns, so that
 * neither an import nor a storm of quotes keeps the other out.
 */
import { type QuoteRow, StorageUnavailable } from '../../storage.ts';
import type { FileOptions } from '../connection.ts';
import type { OperationName } from './writer-messages.ts';
import { makeWriterLink } from './writer-link.ts';
import type { WriterOperations } from './writer-operations.ts';

/** A quote is refused when it is not stored within 2 s; the rest is for what comes before and after. */
const QUOTE_WAIT_MS = 1_750;
const QUOTES_PER_COMMIT_MAX = 500;
/** Bounds the memory that a stuck disk can cost. */
const QUOTES_WAITING_MAX = 20_000;

interface WaitingQuote {
  readonly quote: QuoteRow;
  readonly giveUpAtMs: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface Writer {
  run<Name extends OperationName>(
    operation: Name,
    args: Parameters<WriterOperations[Name]>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<ReturnType<WriterOperations[Name]>>;
  insertQuote(quote: QuoteRow): Promise<void>;
  /** After everything that was asked for before. */
  close(): Promise<void>;
}

export function makeWriter(file: FileOptions, onConnectionBroken: () => void): Writer {
  const link = makeWriterLink(file, onConnectionBroken);
  const jobs: (() => Promise<void>)[] = [];
  const quotes = new Set<WaitingQuote>();
  let isBusy = false;
  let isClosed = false;
  let wasQuotes = false;
  let whenIdle: (() => void) | undefined;

  function pump(): void {
    if (isBusy) return;
    const next = quotes.size > 0 && !(wasQuotes && jobs.length > 0) ? commitQuotes : jobs.shift();
    if (next === undefined) {
      whenIdle?.();
      return;
    }
    wasQuotes = next === commitQuotes;
    isBusy = true;
    void next().finally(() => {
      isBusy = false;
      pump();
    });
  }

  async function commitQuotes(): Promise<void> {
    const batch = quotes.values().take(QUOTES_PER_COMMIT_MAX).toArray();
    for (const waiting of batch) quotes.delete(waiting);
    const lockWaitMs = Math.max(0, ...batch.map((waiting) => waiting.giveUpAtMs)) - performance.now();
    try {
      const refused = await link.send('insertQuotes', [batch.map(({ quote }) => quote), lockWaitMs]);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const reason = refused.get(index);
        if (reason === undefined) resolve();
        else reject(new Error(reason));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    } finally {
      for (const { timer } of batch) clearTimeout(timer);
    }
  }

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailable('the database has been closed');
  }

  const run: Writer['run'] = (operation, args, transfer) =>
    new Promise((resolve, reject) => {
      assertOpen();
      jobs.push(() => link.send(operation, args, transfer).then(resolve, reject));
      pump();
    });

  return {
    run,
    insertQuote(quote) {
      return new Promise((resolve, reject) => {
        assertOpen();
        if (quotes.size >= QUOTES_WAITING_MAX)
          throw new StorageUnavailable('too many quotes wait for the disk');
        const timer = setTimeout(() => {
          quotes.delete(waiting);
          reject(new StorageUnavailable(`the quote could not be stored within ${QUOTE_WAIT_MS} ms`));
        }, QUOTE_WAIT_MS);
        const waiting: WaitingQuote = {
          quote,
          giveUpAtMs: performance.now() + QUOTE_WAIT_MS,
          timer,
          resolve,
          reject,
        };
        quotes.add(waiting);
        pump();
      });
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await new Promise<void>((resolve) => {
        whenIdle = resolve;
        pump();
      });
      try {
        await link.send('close', []);
      } finally {
        await link.end();
      }
    },
  };
}
