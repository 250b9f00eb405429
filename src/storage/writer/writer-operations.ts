/** Operations of the writer thread, one at a time, on the single writing connection. */
import { activityOperations } from '../activity/sqlite.ts';
import { visitOperations } from '../attribution/sqlite.ts';
import { prepareCatalogueWrites } from '../catalogue/sqlite-writes.ts';
import { catalogueOperations } from '../catalogue/sqlite.ts';
import { findWrite } from '../concerns/concerns.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { type FileOptions, openWriter } from '../engine/sqlite/connection.ts';
import { releaseReserve } from '../engine/sqlite/disk-room.ts';
import { migrateSchema, readApplied, readSchemaState, SQLITE_SCHEMA } from '../engine/sqlite/migrate.ts';
import { openSession } from '../engine/sqlite/session.ts';
import { inDecidedTransaction } from '../engine/sqlite/transactions.ts';
import { LOCK_WAIT_MS, makeWriteContext } from '../engine/sqlite/write-context.ts';
import { type Signature, signed } from '../portable-sql/signed.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import { processOperations, readSqliteProcesses } from '../processes/sqlite.ts';
import { prepareQuoteWrites, quoteOperations } from '../quotes/sqlite.ts';
import { prepareSupplyWrites } from '../supply/sqlite-writes.ts';
import { supplyOperations } from '../supply/sqlite.ts';

export type WriterOperations = ReturnType<typeof openWriterOperations>;

export function openWriterOperations(file: FileOptions) {
  const session = openSession({
    open: () => openWriter(file),
    prepare: (database) => ({
      ...prepareCatalogueWrites(database),
      insertQuote: prepareQuoteWrites(database),
      supply: prepareSupplyWrites(database),
    }),
    schema: SQLITE_SCHEMA,
    path: file.path,
    fileCachedMs: 0,
  });
  const context = makeWriteContext(session, file.path);
  const activity = activityOperations(file.path);

  return {
    ...activity,
    ...catalogueOperations(context),
    ...processOperations(session),
    ...quoteOperations(context),
    ...supplyOperations(context),
    ...visitOperations(context),

    /** Creates the file if it does not exist. */
    open: () => session.runRaw((database) => readSchemaState(database)),
    migrate: (nowMs: number) =>
      session.runRaw((database) => {
        activity.assertBelongsTo(readApplied(database));
        return migrateSchema(database, { nowMs, findServing: () => readSqliteProcesses(database, nowMs) });
      }),
    /** Runs a program by its name. */
    write(name: string, args: readonly unknown[], signature?: Signature): unknown {
      const { program, isAdministrative } = findWrite(name);
      const run = () =>
        session.run((_statements, database) =>
          inDecidedTransaction(database, LOCK_WAIT_MS, () =>
            runProgram(database, signed(program(...args), signature)),
          ),
        );
      return isAdministrative ? administer(file.path, run) : run();
    },
    close() {
      activity.closeActivity();
      session.close();
    },
  };
}

/** Runs a write that operators need on a full disk: if it finds no room, it frees the reserve and tries again. */
function administer<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof StorageUnavailable) || !releaseReserve(path)) throw error;
    return write();
  }
}
