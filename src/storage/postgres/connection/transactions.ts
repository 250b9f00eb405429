import type { ClientBase } from 'pg';

/** What a write comes to, and whether anything of it is to stay. */
export interface WriteResult<T> {
  readonly result: T;
  readonly isCommitted: boolean;
}

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
