import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Session } from '../engine/sqlite/session.ts';
import { continueHistory, historyColumns, type HistoryRow, pruneStampsTo } from './history.ts';
import type { HistoryMark, HistoryStore, Revision } from './revision.ts';

/** Of each connection that writes; there is one in a process. */
const prepared = new WeakMap<DatabaseSync, ReturnType<typeof prepare>>();

function prepare(database: DatabaseSync) {
  return {
    next: database.prepare('UPDATE revision SET revision = revision + 1 RETURNING revision'),
    stamp: database.prepare(
      'INSERT OR REPLACE INTO revision_stamps (revision, stamp) VALUES (?, lower(hex(randomblob(16))))',
    ),
    prune: database.prepare('DELETE FROM revision_stamps WHERE revision <= ?'),
  };
}

/** The next revision with its stamp; within a write transaction, whose lock keeps revisions in commit order. */
export function takeRevision(database: DatabaseSync): Revision {
  const statements = prepared.get(database) ?? prepare(database);
  prepared.set(database, statements);
  const revision = Number(statements.next.get()?.['revision']);
  statements.stamp.run(revision);
  const last = pruneStampsTo(revision);
  if (last !== undefined) statements.prune.run(last);
  return revision;
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

/** `history` is HISTORY, prepared. Throws `HistoryLost` unless what the database has continues `known`. */
export function selectHistory(history: StatementSync, known: HistoryMark): HistoryMark {
  return continueHistory(history.get(known.revision) as unknown as HistoryRow | undefined, known);
}
