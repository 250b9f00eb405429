import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Session } from '../engine/sqlite/session.ts';
import {
  continueHistory,
  findFolding,
  foldStamps,
  historyColumns,
  type HistoryRow,
  stampAt,
  type StampRow,
} from './history.ts';
import type { HistoryMark, HistoryStore, Revision } from './revision.ts';

/** Statements per writing connection; a process has one such connection. */
const prepared = new WeakMap<DatabaseSync, ReturnType<typeof prepare>>();

function prepare(database: DatabaseSync) {
  return {
    next: database.prepare('UPDATE revision SET revision = revision + 1 RETURNING revision'),
    stamp: database.prepare(
      'INSERT OR REPLACE INTO revision_stamps (revision, stamp) VALUES (?, lower(hex(randomblob(16))))',
    ),
    between: database.prepare('SELECT revision, stamp FROM revision_stamps WHERE revision BETWEEN ? AND ?'),
    at: database.prepare(`SELECT ${stampAt('?')} AS found`),
    drop: database.prepare('DELETE FROM revision_stamps WHERE revision BETWEEN ? AND ?'),
    put: database.prepare('INSERT INTO revision_stamps (revision, stamp) VALUES (?, ?)'),
  };
}

/** The next revision with its stamp; within a write transaction, whose lock keeps revisions in commit order. */
export function takeRevision(database: DatabaseSync): Revision {
  const statements = prepared.get(database) ?? prepare(database);
  prepared.set(database, statements);
  const revision = Number(statements.next.get()?.['revision']);
  statements.stamp.run(revision);
  foldOld(statements, revision);
  return revision;
}

function foldOld({ between, at, drop, put }: ReturnType<typeof prepare>, revision: Revision): void {
  const folding = findFolding(revision);
  if (folding === undefined) return;
  const { first, last, forgottenTo } = folding;
  const rows = between.all(first, last) as unknown as StampRow[];
  if (rows.length > 0) {
    const folded = foldStamps(rows, first, String(at.get(first - 1)?.['found']));
    drop.run(first, last);
    put.run(folded.revision, folded.stamp);
  }
  drop.run(0, forgottenTo);
}

export function prepareHistoryQueries(database: DatabaseSync) {
  return {
    revision: database.prepare('SELECT revision FROM revision'),
    history: database.prepare(HISTORY),
  };
}

export function sqliteHistory(
  reader: Session<ReturnType<typeof prepareHistoryQueries>>,
): HistoryStore & { readonly readRevision: () => Promise<Revision> } {
  return {
    readRevision: async () => reader.run(({ revision }) => Number(revision.get()?.['revision'])),
    readHistory: async (known) => reader.run(({ history }) => selectHistory(history, known)),
  };
}

/** Prepared once for each connection; see `selectHistory`. */
export const HISTORY = `SELECT ${historyColumns('?')} FROM revision AS r`;

/** `history` is HISTORY, prepared. Throws `HistoryLost` unless the database's history continues `known`. */
export function selectHistory(history: StatementSync, known: HistoryMark): HistoryMark {
  return continueHistory(history.get(known.revision) as unknown as HistoryRow | undefined, known);
}
