/** A SQLite file, on a connection that only reads; nothing is created. */
import { Wrong } from '../../domain/wrong.ts';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { findWideModes } from '../engine/sqlite/file-modes.ts';
import { readSchemaState } from '../engine/sqlite/migrate.ts';
import { mayWrite } from '../engine/sqlite/session.ts';
import { toStorageError } from '../engine/sqlite/sqlite-errors.ts';
import type { SchemaState } from '../engine/state.ts';
import { readSqliteProcesses } from '../processes/sqlite.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import {
  type DatabaseContent,
  type DatabaseInspection,
  INSPECTION_MS_MAX,
  type ModeProblem,
  readContent,
} from './inspection.ts';

/** Throws `StorageUnavailable` when the file can't be read. */
export function inspectSqlite(path: string, nowMs: number): DatabaseInspection {
  const found = existsSync(path)
    ? readFile(path, nowMs)
    : { schema: { version: 0, latest: 0, isBehind: true } };
  return {
    name: `SQLite file ${path}`,
    modes: findModeProblems(path),
    readOnly: findReadOnly(path),
    clockAheadMs: undefined,
    folder: nearestFolder(path),
    connections: undefined,
    content: undefined,
    ...found,
  };
}

function readFile(
  path: string,
  nowMs: number,
): { schema: SchemaState; content: DatabaseContent | undefined } {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(locate(path), { readOnly: true, timeout: INSPECTION_MS_MAX });
    const schema = readSchemaState(database);
    if (schema.isBehind || schema.refusal !== undefined) return { schema, content: undefined };
    const content = runProgram(database, readContent(nowMs));
    return { schema, content: { ...content, processes: readSqliteProcesses(database, nowMs) } };
  } catch (error) {
    throw toStorageError(error);
  } finally {
    database?.close();
  }
}

/** Without a log nobody has the file open, and reading it must not make one. */
function locate(path: string): string | URL {
  if (existsSync(`${path}-wal`)) return path;
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

function findReadOnly(path: string): string | undefined {
  const wanted = existsSync(path) ? [path, dirname(path)] : [nearestFolder(path)];
  const missing = wanted.find((file) => !mayWrite(file));
  return missing === undefined ? undefined : `this user may not write ${missing}`;
}

/** The folder, or the nearest one above it that exists. */
function nearestFolder(path: string): string {
  const folder = dirname(path);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true || folder === dirname(folder)
    ? folder
    : nearestFolder(folder);
}

function findModeProblems(path: string): readonly ModeProblem[] {
  return findWideModes(path).map(({ path: file, who, isFolder }) => {
    if (isFolder)
      return {
        detail: new Wrong('filesReplaceable', { path: file }),
        fix: new Wrong('asItIs', { text: `chmod o-w ${file}` }),
      };
    return {
      detail: new Wrong(who === 'its group' ? 'fileOfGroup' : 'fileOfEveryUser', { path: file }),
      fix: new Wrong('asItIs', { text: `chmod 600 ${file}` }),
    };
  });
}
