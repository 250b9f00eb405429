/**
 * The writer thread as the main thread sees it, and the queue in front of it.
 */
import type { FileOptions } from '../engine/sqlite/connection.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { makeRemote, openWriterLink, type Remote } from '../engine/sqlite/writer-link.ts';
import { createTurns } from '../engine/sqlite/writer-turns.ts';
import { createQuoteQueue } from '../quotes/quote-queue.ts';
import type { QuoteRow } from '../quotes/store.ts';
import type { WriterOperations } from './writer-operations.ts';

export interface Writer {
  readonly remote: Remote<WriterOperations>;
  readonly insertQuote: (quote: QuoteRow) => Promise<void>;
  /** After all earlier calls. */
  readonly close: () => Promise<void>;
}

/** `onConnectionBroken` is called when the writer's connection had to be dropped. */
export function openWriterThread(file: FileOptions, onConnectionBroken: () => void): Writer {
  const program = new URL('./writer-thread.ts', import.meta.url);
  const link = openWriterLink({ program, file, onConnectionBroken });
  const direct = makeRemote<WriterOperations>(link.send);
  const quotes = createQuoteQueue((rows, lockWaitMs) => direct.insertQuotes([rows, lockWaitMs]));
  const turns = createTurns(quotes.isEmpty, quotes.commit);
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new StorageUnavailable('the database has been closed');
  }

  return {
    remote: makeRemote(async (request, transfer) => {
      assertOpen();
      return turns.add(() => link.send(request, transfer));
    }),
    async insertQuote(quote) {
      assertOpen();
      await quotes.add(quote, turns.nextSoon);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await turns.idle();
      try {
        await direct.close([]);
      } finally {
        await link.end();
      }
    },
  };
}
