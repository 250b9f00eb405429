/**
 * Shares one run of the work for each key: concurrent callers get the same result or rejection. `underWay` holds an
 * entry for each running key.
 */
export async function together<T>(
  underWay: Map<string, Promise<T>>,
  key: string,
  begin: () => Promise<T>,
): Promise<T> {
  const begun = underWay.get(key);
  if (begun !== undefined) return begun;
  const own = begin();
  underWay.set(key, own);
  try {
    return await own;
  } finally {
    underWay.delete(key);
  }
}
