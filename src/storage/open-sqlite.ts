/**
 * The SQLite adapter: one file, one thread that writes, connections on the main thread that read.
 */
import { resolve } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { activityConcern } from './activity/sql.ts';
import { openActivityFile } from './activity/sqlite.ts';
import { sqliteVisits } from './attribution/sqlite.ts';
import { prepareCatalogueQueries, PropertyCache, sqliteCatalogue } from './catalogue/sqlite.ts';
import { concernStores } from './concerns/concerns.ts';
import { latestOf } from './engine/migrations.ts';
import { writeReserve } from './engine/sqlite/disk-room.ts';
import { protectFiles } from './engine/sqlite/file-modes.ts';
import { readSchemaState, SQLITE_SCHEMA } from './engine/sqlite/migrate.ts';
import { sqliteHistory } from './history/sqlite.ts';
import { sqliteProcesses } from './processes/sqlite.ts';
import type { Author, SignableRunner, Write } from './portable-sql/program.ts';
import { sign } from './portable-sql/signed.ts';
import { runProgram } from './portable-sql/sqlite.ts';
import { sqliteQuotes } from './quotes/sqlite.ts';
import type { Storage } from './storage.ts';
import { sqliteDocuments, sqliteSupply } from './supply/sqlite.ts';
import { openReader } from './engine/sqlite/connection.ts';
import { openSession } from './engine/sqlite/session.ts';
import { prepareSupplyQueries } from './supply/sqlite-queries.ts';
import { openWriterHere, openWriterThread, type Writer } from './writer/writer.ts';

/** Days of quotes that one statement counts. 10,000 quotes of a day take some 15 ms, and other work waits meanwhile. */
const QUOTE_DAYS_AT_ONCE = 1;

export interface SqliteOptions {
  /** Relative to the working directory; folder and file are created. */
  readonly path: string;
  readonly clock: Clock;
  /** The largest size of the file in pages; a write beyond it is refused, as on a full disk. */
  readonly pageCountMax?: number;
  /** Takes a line about each file that more users may open than should. */
  readonly onWarning?: (message: string) => void;
  /** Creates the reserve of `disk-room.ts` if it is missing. */
  readonly reservesRoom?: boolean;
  /** The file must exist; the writer thread starts only on the first write. */
  readonly onlyReads?: boolean;
  /** Starts no writer thread: each write blocks the calling thread. */
  readonly writesHere?: boolean;
}

/** Resolves also when the schema is missing or another; rejects with `StorageUnavailable`. */
export async function openSqliteStorage(options: SqliteOptions): Promise<Storage> {
  const { clock } = options;
  const path = resolve(options.path);
  const reader = openReaderSession(path);
  // Connections of one process share their state of the write-ahead log: a new writer needs a new reader.
  const openWriter = options.writesHere === true ? openWriterHere : openWriterThread;
  const { remote, insertQuote, close } = await openWriter({ path, pageCountMax: options.pageCountMax }, () =>
    reader.drop(),
  );
  try {
    if (options.onlyReads !== true) await remote.open([]);
    for (const message of protectFiles(path)) options.onWarning?.(message);
    if (options.reservesRoom === true) writeReserve(path);
  } catch (error) {
    await close();
    throw error;
  }

  const runner = makeRunner(reader, remote, clock);
  const activity = openActivityFile(path, remote, clock);
  const catalogue = sqliteCatalogue({ path, reader, writer: remote, clock });
  return {
    ...concernStores(runner),
    ...activityConcern.store(activity.runner),
    ...catalogue.store,
    ...sqliteDocuments(remote, clock),
    ...sqliteHistory(reader),
    ...sqliteProcesses(remote),
    ...sqliteQuotes(remote, insertQuote),
    ...sqliteSupply({ reader, writer: remote, clock }),
    ...sqliteVisits(remote),

    schemaState: async () => reader.runRaw((database) => readSchemaState(database)),
    async migrate() {
      const state = await remote.migrate([clock()]);
      // Activity is optional: if its file fails, the database still opens, and each later read or write tries again.
      await remote.prepareActivity([clock()]).catch(() => undefined);
      return state;
    },
    async close() {
      // Close the readers first: the last connection to close copies the log into the file, which is work for the
      // writer.
      for (const snapshot of catalogue.snapshots) await snapshot.close();
      reader.close();
      activity.close();
      await close();
    },
  };
}

/** Reads on this thread; writes on the writer's, signed if there is an author. */
function makeRunner(
  reader: ReturnType<typeof openReaderSession>,
  remote: Writer['remote'],
  clock: Clock,
  author?: Author,
): SignableRunner {
  return {
    read: async (program) => reader.run((_queries, database) => runProgram(database, program)),
    follow: async (program) => reader.run((_queries, database) => runProgram(database, program)),
    write: <Args extends readonly unknown[], T>({ name }: Write<string, Args, T>, ...args: Args) =>
      remote.write([name, args, author && sign(author, clock)]) as Promise<T>,
    daysAtOnce: QUOTE_DAYS_AT_ONCE,
    knows: latestOf(SQLITE_SCHEMA),
    asAuthor: (signer) => makeRunner(reader, remote, clock, signer),
  };
}

// The main thread's read connection. A read takes microseconds and waits for no writer; if SQLite finds the file locked
// even for readers, the read is refused at once.

/**
 * Looking up the file takes longer than many a read, so the result is reused; followers poll no more often than this.
 */
export const FILE_CACHED_MS = 50;

function openReaderSession(path: string) {
  return openSession({
    open: () => openReader(path),
    prepare: (database) => {
      const catalogue = prepareCatalogueQueries(database);
      return {
        ...catalogue,
        cache: new PropertyCache(catalogue),
        supply: prepareSupplyQueries(database),
      };
    },
    schema: SQLITE_SCHEMA,
    path,
    fileCachedMs: FILE_CACHED_MS,
  });
}
