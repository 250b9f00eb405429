/**
 * A connection that is opened when first needed, its prepared statements, and what happens to both when the
 * database fails: a connection that found the file read-only, gone or broken is dropped, so that the next use tries
 * again. After a lock or a full disk it stays.
 */
import type { DatabaseSync } from 'node:sqlite';
import { assertSchemaCurrent } from '../migrations.ts';
import { StorageUnavailable } from '../storage.ts';
import { readSchemaVersion } from './migrate.ts';
import { isConnectionBroken, toStorageError } from './sqlite-errors.ts';

export interface Session<Statements> {
  /** For data: throws SchemaMismatch unless the schema is exactly the one that this program knows. */
  run<T>(work: (statements: Statements, database: DatabaseSync) => T): T;
  /** Whatever the schema. */
  runRaw<T>(work: (database: DatabaseSync) => T): T;
  /** The next use opens a new connection. */
  drop(): void;
  close(): void;
}

export interface SessionOptions<Statements> {
  readonly open: () => DatabaseSync;
  readonly prepare: (database: DatabaseSync) => Statements;
  /** The schema version that the statements are written for. */
  readonly schemaVersion: number;
}

export function makeSession<Statements>(options: SessionOptions<Statements>): Session<Statements> {
  let connection: DatabaseSync | undefined;
  let statements: Statements | undefined;
  let closed = false;

  function drop(): void {
    statements = undefined;
    connection?.close();
    connection = undefined;
  }

  function runRaw<T>(work: (database: DatabaseSync) => T): T {
    if (closed) throw new StorageUnavailable('the database has been closed');
    try {
      connection ??= options.open();
      return work(connection);
    } catch (error) {
      if (isConnectionBroken(error)) drop();
      throw toStorageError(error);
    }
  }

  function run<T>(work: (statements: Statements, database: DatabaseSync) => T): T {
    return runRaw((database) => {
      statements ??= prepareCurrent(database, options);
      return work(statements, database);
    });
  }

  function close(): void {
    closed = true;
    drop();
  }

  return { run, runRaw, drop, close };
}

function prepareCurrent<Statements>(database: DatabaseSync, options: SessionOptions<Statements>): Statements {
  assertSchemaCurrent(readSchemaVersion(database), options.schemaVersion);
  return options.prepare(database);
}
