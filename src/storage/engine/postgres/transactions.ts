import type { ClientBase } from 'pg';
import type { WriteResult } from '../write-result.ts';

/** All or nothing. Rolls back when `write` rejects, or asks for it with `isCommitted: false`. */
export async function inWriteTransaction<T>(
  client: ClientBase,
  write: () => Promise<WriteResult<T>>,
): Promise<T> {
  await client.query('BEGIN');
  let isCommitted = false;
  try {
    const written = await write();
    ({ isCommitted } = written);
    await client.query(isCommitted ? 'COMMIT' : 'ROLLBACK');
    return written.result;
  } catch (error) {
    // On a lost connection this fails as well, and the server has rolled back by itself.
    if (!isCommitted) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** All reads within see one state. */
export async function inReadTransaction<T>(client: ClientBase, read: () => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    return await read();
  } finally {
    await client.query('COMMIT');
  }
}
