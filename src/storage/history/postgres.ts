import type { ClientBase } from 'pg';
import type { Session } from '../engine/postgres/session.ts';
import { continueHistory, historyColumns, type HistoryRow, pruneStampsTo } from './history.ts';
import type { HistoryMark, HistoryStore, Revision } from './revision.ts';

export function postgresHistory(
  session: Session,
): HistoryStore & { readonly readRevision: () => Promise<Revision> } {
  return {
    readRevision: () => session.follow(selectRevision),
    readHistory: (known) => session.follow((client) => selectHistory(client, known)),
  };
}

/**
 * The next revision with its stamp; first in a write transaction. The lock on the row is held until the commit can be
 * seen, so revisions appear in commit order.
 */
export async function takeRevision(client: ClientBase): Promise<Revision> {
  const { rows } = await client.query<{ revision: Revision }>({
    name: 'take-revision',
    text: `
      WITH taken AS (UPDATE revision SET revision = revision + 1 RETURNING revision)
      INSERT INTO revision_stamps (revision, stamp) SELECT revision, gen_random_uuid()::text FROM taken
      ON CONFLICT (revision) DO UPDATE SET stamp = excluded.stamp
      RETURNING revision`,
  });
  const revision = presentRevision(rows[0]);
  const last = pruneStampsTo(revision);
  if (last !== undefined) await client.query('DELETE FROM revision_stamps WHERE revision <= $1', [last]);
  return revision;
}

async function selectRevision(client: ClientBase): Promise<Revision> {
  const { rows } = await client.query<{ revision: Revision }>({
    name: 'revision',
    text: 'SELECT revision FROM revision',
  });
  return presentRevision(rows[0]);
}

/** Throws `HistoryLost` unless what the database has continues `known`. */
export async function selectHistory(client: ClientBase, known: HistoryMark): Promise<HistoryMark> {
  const { rows } = await client.query<HistoryRow>({
    name: 'history',
    text: `SELECT ${historyColumns('$1')} FROM revision AS r`,
    values: [known.revision],
  });
  return continueHistory(rows[0], known);
}

/** Keeps all other writers waiting until the end of the transaction; returns the newest revision. */
export async function lockRevision(client: ClientBase): Promise<Revision> {
  const { rows } = await client.query<{ revision: Revision }>('SELECT revision FROM revision FOR UPDATE');
  return presentRevision(rows[0]);
}

function presentRevision(row: { readonly revision: Revision } | undefined): Revision {
  if (row === undefined) throw new Error('the table revision is empty');
  return row.revision;
}
