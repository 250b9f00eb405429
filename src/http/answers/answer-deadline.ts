/** No caller waits for ever: what takes too long is answered 503, whatever hangs behind it. */
import { StorageUnavailable } from '../../storage/storage.ts';

/** Well above the 2 s that storing a quote may take, well below what clients wait. */
export const ANSWER_MS_MAX = 5_000;

/** The work's result; rejects with StorageUnavailable when it is not there in time. The work itself goes on. */
export async function withinDeadline<T>(work: Promise<T>, limitMs = ANSWER_MS_MAX): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StorageUnavailable(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
