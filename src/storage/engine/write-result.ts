/** What a write comes to, and whether anything of it is to stay. */
export interface WriteResult<T> {
  readonly result: T;
  readonly isCommitted: boolean;
}

export function commit<T>(result: T): WriteResult<T> {
  return { result, isCommitted: true };
}

/** Nothing has changed: the transaction leaves nothing behind, a revision that it took included. */
export function rollBack<T>(result: T): WriteResult<T> {
  return { result, isCommitted: false };
}
