/**
 * The activity file beside the database: `stayport.db` has `stayport-activity.db`. It has its own lock, so quotes never
 * wait for it. Commits do not wait for the disk: a power cut costs a few seconds of counts. The writer thread of the
 * database writes this file too, in short turns between quotes.
 */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openReader, openWriter } from '../engine/sqlite/connection.ts';
import { assertRoom } from '../engine/sqlite/disk-room.ts';
import { protectFiles } from '../engine/sqlite/file-modes.ts';
import { migrateSchema, readApplied, readSchemaState } from '../engine/sqlite/migrate.ts';
import { openSession } from '../engine/sqlite/session.ts';
import { inDecidedTransaction } from '../engine/sqlite/transactions.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import { SchemaMismatch, StorageUnavailable } from '../engine/errors.ts';
import { isOfBeta, LAST_BETA_MIGRATIONS, refuseOlderBeta } from '../engine/last-beta.ts';
import { type AppliedMigration, type KnownSchema, latestOf, readSchema } from '../engine/migrations.ts';
import { type Program, type ProgramRunner, type Write, writesByName } from '../portable-sql/program.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import { activityPathOf } from './activity-path.ts';
import { activityConcern } from './sql.ts';

export const ACTIVITY_SCHEMA: KnownSchema = {
  subject: 'the activity file',
  ...readSchema('sqlite', ['activity']),
  ofLastBeta: LAST_BETA_MIGRATIONS.activity,
};

/** The longest time that the writer thread blocks on another process's write; then the write is retried later. */
const LOCK_WAIT_MS = 20;
/** For startup and commands, where no request is waiting. */
const PREPARE_WAIT_MS = 2_000;
const WRITER_CACHE_KIB = 4_096;
const READER_FILE_CACHED_MS = 50;
/** Days that one statement adds up: 3 to 20 ms at 2,500 rows a day. With more days, sorting costs more per row. */
const DAYS_AT_ONCE = 8;

const findWrite = writesByName(activityConcern.writes);

/** The operations of the writer thread on this file. */
export function activityOperations(databasePath: string) {
  const path = activityPathOf(databasePath);
  const session = openSession({
    open: () => openActivityWriter(path),
    prepare: () => undefined,
    schema: ACTIVITY_SCHEMA,
    path,
    fileCachedMs: 0,
  });

  /** A file that was deleted is created again. */
  function prepare(nowMs: number, waitMs: number): void {
    if (!existsSync(path)) session.drop();
    session.runRaw((database) => {
      if (readSchemaState(database, ACTIVITY_SCHEMA).isBehind)
        migrateSchema(database, { nowMs, known: ACTIVITY_SCHEMA, waitMs });
    });
  }

  return {
    assertBelongsTo: (ofDatabase: readonly AppliedMigration[]) => assertBelongsTo(path, ofDatabase),
    prepareActivity(nowMs: number): void {
      prepare(nowMs, PREPARE_WAIT_MS);
    },
    writeActivity(name: string, args: readonly unknown[], nowMs: number): unknown {
      const { program } = findWrite(name);
      // The reserve on the disk is for administrative writes.
      assertRoom(path);
      prepare(nowMs, LOCK_WAIT_MS);
      return session.run((_statements, database) =>
        inDecidedTransaction(database, LOCK_WAIT_MS, () => runProgram(database, program(...args))),
      );
    },
    closeActivity: () => session.close(),
  };
}

/**
 * Throws SchemaMismatch where a beta left a file that can't be taken over with this database, which would hide what is
 * in it. `ofDatabase` is empty for an empty database.
 */
function assertBelongsTo(path: string, ofDatabase: readonly AppliedMigration[]): void {
  const applied = existsSync(path) ? readAppliedOf(path) : [];
  if (!isOfBeta(applied)) return;
  const refusal = refuseOlderBeta(applied, ACTIVITY_SCHEMA);
  const isNewer = ofDatabase.length > 0 && !isOfBeta(ofDatabase);
  if (refusal === undefined && ofDatabase.length > 0) return;
  throw new SchemaMismatch(
    refusal !== undefined && isOfBeta(ofDatabase)
      ? refusal
      : `${path} is of a beta, and the database beside it is ${isNewer ? 'newer' : 'missing'}: restore the database that belongs to it, or move the file away`,
  );
}

/** Nothing of a file that this user may not read, which stops no start: what belongs into it is lost, and a warning. */
function readAppliedOf(path: string): readonly AppliedMigration[] {
  let database: DatabaseSync | undefined;
  try {
    database = openReader(path);
    return readApplied(database);
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    return [];
  } finally {
    database?.close();
  }
}

/** Creates the file beside a database, or brings it up to date. */
export function prepareActivityFile(databasePath: string, nowMs: number): void {
  const database = openActivityWriter(activityPathOf(databasePath));
  try {
    migrateSchema(database, { nowMs, known: ACTIVITY_SCHEMA });
  } finally {
    database.close();
  }
}

function openActivityWriter(path: string): DatabaseSync {
  const database = openWriter({ path, pageCountMax: undefined }, LOCK_WAIT_MS);
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  protectFiles(path);
  return database;
}

export interface ActivityFile {
  readonly runner: ProgramRunner;
  close(): void;
}

/** Programs on the file, for the main thread. */
export function openActivityFile(
  databasePath: string,
  remote: Remote<ReturnType<typeof activityOperations>>,
  clock: () => number,
): ActivityFile {
  const path = activityPathOf(databasePath);
  const reader = openSession({
    open: () => openReader(path),
    prepare: () => undefined,
    schema: ACTIVITY_SCHEMA,
    path,
    fileCachedMs: READER_FILE_CACHED_MS,
  });
  /** The file exists and has its tables. */
  const read = async <T>(program: Program<T>): Promise<T> => {
    if (!existsSync(path)) reader.drop();
    await remote.prepareActivity([clock()]);
    return reader.run((_statements, database) => runProgram(database, program));
  };
  return {
    runner: {
      read,
      follow: read,
      write: <Args extends readonly unknown[], T>({ name }: Write<string, Args, T>, ...args: Args) =>
        remote.writeActivity([name, args, clock()]) as Promise<T>,
      daysAtOnce: DAYS_AT_ONCE,
      knows: latestOf(ACTIVITY_SCHEMA),
    },
    close: () => reader.close(),
  };
}
