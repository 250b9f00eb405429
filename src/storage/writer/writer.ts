/** The writer as the main thread sees it: a thread or the calling thread, and the queue before it. */
import { type Deadline, Deadlines } from '../../runtime/deadlines.ts';
import type { FileOptions } from '../engine/sqlite/connection.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { isConnectionBroken } from '../engine/sqlite/sqlite-errors.ts';
import { makeRemote, openWriterLink, type Remote, type WriterLink } from '../engine/sqlite/writer-link.ts';
import type { QuoteRow } from '../quotes/store.ts';
import type { WriterOperations } from './writer-operations.ts';

export interface Writer {
  readonly remote: Remote<WriterOperations>;
  /** Throws if the writer has been closed. */
  readonly insertQuote: (quote: QuoteRow) => Promise<void>;
  /** Closes after all earlier calls. */
  readonly close: () => Promise<void>;
}

/** Calls `onConnectionBroken` when the writer's connection had to be dropped. */
export function openWriterThread(file: FileOptions, onConnectionBroken: () => void): Writer {
  const program = new URL('./writer-thread.ts', import.meta.url);
  return queueWrites(openWriterLink({ program, file, onConnectionBroken }));
}

/** Writes on the calling thread and blocks it: starting a thread costs more than a command has to write. */
export async function openWriterHere(file: FileOptions, onConnectionBroken: () => void): Promise<Writer> {
  // Loaded here only: programs with a writer thread don't need it.
  const { openWriterOperations } = await import('./writer-operations.ts');
  return queueWrites(linkHere(openWriterOperations(file), onConnectionBroken));
}

function linkHere(operations: WriterOperations, onConnectionBroken: () => void): WriterLink {
  return {
    async send({ operation, args }) {
      const run = operations[operation as keyof WriterOperations] as (...args: readonly unknown[]) => unknown;
      try {
        return run(...args);
      } catch (error) {
        if (error instanceof Error && isConnectionBroken(error.cause)) onConnectionBroken();
        throw error;
      }
    },
    isStarted: () => true,
    end: () => Promise.resolve(),
  };
}

function queueWrites(link: WriterLink): Writer {
  const direct = makeRemote<WriterOperations>(link.send);
  const quotes = createQuoteQueue((rows, lockWaitMs) => direct.insertQuotes([rows, lockWaitMs]));
  const queue = createWriteQueue(quotes.isEmpty, quotes.commit);
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailable('the database has been closed');
  }

  return {
    remote: makeRemote(async (request, transfer) => {
      assertOpen();
      return queue.add(() => link.send(request, transfer));
    }),
    insertQuote(quote) {
      assertOpen();
      return quotes.add(quote, queue.nextSoon);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await queue.idle();
      try {
        if (link.isStarted()) await direct.close([]);
      } finally {
        await link.end();
      }
    },
  };
}

// The queue of the writer thread. Shared commits and other jobs alternate, so that neither an import nor a storm of
// quotes starves the other.

/** Imports and commands await each of their jobs; only a blocked disk lets this many gather. */
export const JOBS_WAITING_MAX = 1_000;

export interface WriteQueue {
  /** Runs the job in its turn. */
  add<T>(job: () => Promise<T>): Promise<T>;
  /**
   * Starts the next turn, unless one is running, at the end of this turn of the event loop. Quotes that arrive until
   * then join it, because waking the writer thread costs more than writing a quote.
   */
  readonly nextSoon: () => void;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

/** One at a time: a job, then a commit of waiting quotes, then a job again. */
function createWriteQueue(hasNoQuotes: () => boolean, commitQuotes: () => Promise<void>): WriteQueue {
  const jobs: (() => Promise<void>)[] = [];
  let isBusy = false;
  let isNextDue = false;
  let wereQuotesLast = false;
  let onIdle: (() => void) | undefined;

  function takeTurn(): (() => Promise<void>) | undefined {
    const isQuotesTurn = !hasNoQuotes() && !(wereQuotesLast && jobs.length > 0);
    wereQuotesLast = isQuotesTurn;
    return isQuotesTurn ? commitQuotes : jobs.shift();
  }

  function next(): void {
    if (isBusy) return;
    const turn = takeTurn();
    if (turn === undefined) {
      onIdle?.();
      return;
    }
    isBusy = true;
    void turn().finally(() => {
      isBusy = false;
      next();
    });
  }

  return {
    add(job) {
      if (jobs.length >= JOBS_WAITING_MAX) {
        return Promise.reject(new StorageUnavailable('too many writes wait for the disk'));
      }
      return new Promise((resolve, reject) => {
        jobs.push(() => job().then(resolve, reject));
        next();
      });
    },
    nextSoon() {
      if (isBusy || isNextDue) return;
      isNextDue = true;
      setImmediate(() => {
        isNextDue = false;
        next();
      });
    },
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve;
        next();
      }),
  };
}

// Quotes waiting for the writer thread. While one transaction is synced to disk, arriving quotes gather, and all of
// them join the next. So the cost per quote falls under load, and no quote waits for others.

/** A quote is refused if it is not stored within 2 s; the rest is for the work before and after. */
const QUOTE_WAIT_MS = 1_750;
const QUOTES_PER_COMMIT_MAX = 500;
/** Bounds the memory that a stuck disk can cost. */
export const QUOTES_WAITING_MAX = 20_000;

interface WaitingQuote {
  readonly quote: QuoteRow;
  /** From the request to the end of the commit. */
  readonly deadline: Deadline;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Stores the quotes in one transaction; resolves with the refused ones, by index, each with its reason. */
type InsertQuotes = (quotes: readonly QuoteRow[], lockWaitMs: number) => Promise<ReadonlyMap<number, string>>;

interface QuoteQueue {
  readonly isEmpty: () => boolean;
  /** Resolves when the quote is stored; calls `onAdded` when it is in the queue. */
  add(quote: QuoteRow, onAdded: () => void): Promise<void>;
  /** Stores the oldest waiting quotes. Never rejects: each quote's own promise does. */
  readonly commit: () => Promise<void>;
}

function createQuoteQueue(insertQuotes: InsertQuotes): QuoteQueue {
  const waiting = new Set<WaitingQuote>();
  const deadlines = new Deadlines(QUOTE_WAIT_MS);

  function add(quote: QuoteRow, onAdded: () => void): Promise<void> {
    if (waiting.size >= QUOTES_WAITING_MAX) {
      return Promise.reject(new StorageUnavailable('too many quotes wait for the disk'));
    }
    return new Promise((resolve, reject) => {
      const deadline = deadlines.start(() => {
        waiting.delete(entry);
        reject(new StorageUnavailable(`the quote could not be stored within ${QUOTE_WAIT_MS} ms`));
      });
      const entry: WaitingQuote = { quote, deadline, resolve, reject };
      waiting.add(entry);
      onAdded();
    });
  }

  async function commit(): Promise<void> {
    const batch = waiting.values().take(QUOTES_PER_COMMIT_MAX).toArray();
    for (const entry of batch) waiting.delete(entry);
    const lastGiveUpMs = batch.at(-1)?.deadline.dueAtMs ?? 0;
    try {
      const quotes = batch.map(({ quote }) => quote);
      settle(batch, await insertQuotes(quotes, lastGiveUpMs - performance.now()));
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    } finally {
      for (const { deadline } of batch) deadlines.end(deadline);
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
