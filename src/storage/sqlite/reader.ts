/**
 * Reads on the main thread. A read takes microseconds and waits for nothing: where the database is locked even for
 * readers (another process recovers or exclusively holds it), it is tried again later, between other work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../storage.ts';
import { prepareCatalogueQueries } from './catalogue-queries.ts';
import { openReader } from './connection.ts';
import { SQLITE_SCHEMA_VERSION } from './migrate.ts';
import { QUOTE_BY_ID } from './quote-queries.ts';
import { makeSession } from './session.ts';
import { isBusy } from './sqlite-errors.ts';

const RETRY_MS = 5;
const READ_WAIT_MS = 1_000;

export type ReaderSession = ReturnType<typeof makeReaderSession>;

export function makeReaderSession(path: string) {
  return makeSession({
    open: () => openReader(path),
    prepare: (database) => ({ ...prepareCatalogueQueries(database), quote: database.prepare(QUOTE_BY_ID) }),
    schemaVersion: SQLITE_SCHEMA_VERSION,
  });
}

/** Rejects with `StorageUnavailable` when the database stays locked for READ_WAIT_MS. */
export async function untilFree<T>(read: () => T): Promise<T> {
  const giveUpAtMs = performance.now() + READ_WAIT_MS;
  for (;;) {
    try {
      return read();
    } catch (error) {
      const isLocked = error instanceof StorageUnavailable && isBusy(error.cause);
      if (!isLocked || performance.now() >= giveUpAtMs) throw error;
    }
    await sleep(RETRY_MS);
  }
}
