import type { ClientBase } from 'pg';
import type { Revision } from '../port/revision.ts';

/**
 * The next revision; first in a write transaction. The lock on the row is held until the commit can be seen, so
 * revisions appear in commit order.
 */
export async function takeRevision(client: ClientBase): Promise<Revision> {
  const { rows } = await client.query<{ revision: Revision }>(
    'UPDATE revision SET revision = revision + 1 RETURNING revision',
  );
  return presentRevision(rows[0]);
}

/** Keeps all other writers waiting until the end of the transaction; returns the newest revision. */
export async function lockRevision(client: ClientBase): Promise<Revision> {
  const { rows } = await client.query<{ revision: Revision }>('SELECT revision FROM revision FOR UPDATE');
  return presentRevision(rows[0]);
}

export function presentRevision(row: { readonly revision: Revision } | undefined): Revision {
  if (row === undefined) throw new Error('the table revision is empty');
  return row.revision;
}
