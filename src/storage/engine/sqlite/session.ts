/**
 * A connection that opens on first use, and its prepared statements. A connection that finds the file read-only,
 * missing or broken is dropped, so that the next use tries again. After a lock or a full disk it stays.
 */
import { accessSync, type BigIntStats, constants, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StorageUnavailable } from '../errors.ts';
import type { KnownSchema } from '../migrations.ts';
import { createSchemaCheck } from '../schema-check.ts';
import { readApplied } from './migrate.ts';
import { isConnectionBroken, toStorageError } from './sqlite-errors.ts';

export interface Session<Statements> {
  /** For data: throws SchemaMismatch unless the schema fits this program; see `createSchemaCheck`. */
  run<T>(work: (statements: Statements, database: DatabaseSync) => T): T;
  /** With any schema. */
  runRaw<T>(work: (database: DatabaseSync) => T): T;
  /** The next use opens a new connection. */
  drop(): void;
  close(): void;
}

export interface SessionOptions<Statements> {
  readonly open: () => DatabaseSync;
  readonly prepare: (database: DatabaseSync) => Statements;
  /** The schema that the statements are written for. */
  readonly schema: KnownSchema;
  /** The file that `open` opens. If another file replaces it, the next use opens that one. */
  readonly path: string;
  /** How long the file's identity is cached; 0: checked at each use. */
  readonly fileCachedMs: number;
}

export function openSession<Statements>(options: SessionOptions<Statements>): Session<Statements> {
  let connection: DatabaseSync | undefined;
  let statements: Statements | undefined;
  let file: FileIdentity | undefined;
  let mayStay = true;
  let lookedUpAtMs = Number.NEGATIVE_INFINITY;
  let closed = false;
  const assertServes = createSchemaCheck(options.schema);

  function drop(): void {
    statements = undefined;
    connection?.close();
    connection = undefined;
  }

  /** Drops the connection if the file was replaced: writes to the moved file would be lost, and reads from it stale. */
  function dropIfReplaced(): void {
    if (connection === undefined || performance.now() - lookedUpAtMs < options.fileCachedMs) return;
    const found = identify(options.path);
    if (found === undefined) throw new StorageUnavailable('the database file no longer exists');
    if (found.dev !== file?.dev || found.ino !== file.ino) drop();
    lookedUpAtMs = performance.now();
  }

  function runRaw<T>(work: (database: DatabaseSync) => T): T {
    if (closed) throw new StorageUnavailable('the database has been closed');
    dropIfReplaced();
    try {
      if (connection === undefined) {
        connection = options.open();
        file = identify(options.path);
        mayStay = mayWrite(options.path);
      }
      return work(connection);
    } catch (error) {
      if (isConnectionBroken(error)) drop();
      throw toStorageError(error);
    } finally {
      if (!mayStay) drop();
    }
  }

  function run<T>(work: (statements: Statements, database: DatabaseSync) => T): T {
    return runRaw((database) => {
      if (statements === undefined) {
        assertServes(readApplied(database));
        statements = options.prepare(database);
      }
      return work(statements, database);
    });
  }

  function close(): void {
    closed = true;
    drop();
  }

  return { run, runRaw, drop, close };
}

type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

/** Undefined if the file does not exist. */
function identify(path: string): FileIdentity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * Connections of all threads share one view of the log. If one opens it while the file is read-only, it is read-only
 * for all until the last closes. So none stays open, or an idle one would refuse writes long after they are allowed.
 */
export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
