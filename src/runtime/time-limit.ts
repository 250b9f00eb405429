/** The result of `work`, or of `late` when the time is up first. `work` goes on: nothing here can stop it. */
export async function inTime<T, Late>(
  work: Promise<T>,
  limitMs: number,
  late: () => Late | Promise<Late>,
): Promise<T | Late> {
  const end = Promise.withResolvers<void>();
  const timer = setTimeout(end.resolve, limitMs);
  try {
    return await Promise.race([work, end.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
