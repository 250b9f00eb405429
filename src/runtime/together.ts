/**
 * What is under way for a key is not begun again: callers meanwhile get the same result, or the same rejection.
 * `underWay` holds one entry for each key that is being worked on.
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
