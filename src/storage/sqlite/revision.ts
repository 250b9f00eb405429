import type { DatabaseSync } from 'node:sqlite';
import type { Revision } from '../port/revision.ts';

/** The next revision; within a write transaction, whose lock keeps revisions in commit order. */
export function takeRevision(database: DatabaseSync): Revision {
  const row = database.prepare('UPDATE revision SET revision = revision + 1 RETURNING revision').get();
  return Number(row?.['revision']);
}
