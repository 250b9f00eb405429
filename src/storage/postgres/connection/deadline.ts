import { StorageUnavailable } from '../../storage.ts';

/** What `work` resolves with, or `StorageUnavailable` after `waitMs`. `work` goes on and has limits of its own. */
export async function within<T>(waitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new StorageUnavailable(`the database did not answer within ${waitMs} ms`)),
      waitMs,
    );
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
