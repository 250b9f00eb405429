import type { ClientBase } from 'pg';
import type { Session } from '../engine/postgres/session.ts';
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
  await foldOld(client, revision);
  return revision;
}

async function foldOld(client: ClientBase, revision: Revision): Promise<void> {
  const folding = findFolding(revision);
  if (folding === undefined) return;
  const { first, last, forgottenTo } = folding;
  const { rows } = await client.query<StampRow & { readonly before: string }>(
    `SELECT revision, stamp, ${stampAt('$3')} AS before FROM revision_stamps WHERE revision BETWEEN $1 AND $2`,
    [first, last, first - 1],
  );
  if (rows.length > 0) {
    const folded = foldStamps(rows, first, rows[0]!.before);
    await drop(client, first, last);
    await client.query('INSERT INTO revision_stamps (revision, stamp) VALUES ($1, $2)', [
      folded.revision,
      folded.stamp,
    ]);
  }
  await drop(client, 0, forgottenTo);
}

async function drop(client: ClientBase, first: Revision, last: Revision): Promise<void> {
  await client.query('DELETE FROM revision_stamps WHERE revision BETWEEN $1 AND $2', [first, last]);
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
