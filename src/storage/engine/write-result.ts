export interface WriteResult<T> {
  readonly result: T;
  readonly isCommitted: boolean;
}

export function commit<T>(result: T): WriteResult<T> {
  return { result, isCommitted: true };
}

/** Nothing changed: the transaction is rolled back, with any revision that it took. */
export function rollBack<T>(result: T): WriteResult<T> {
  return { result, isCommitted: false };
}
