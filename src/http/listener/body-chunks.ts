/** A body that is read as it is used, such as a whole import: bounded in size, in time and in memory. */
import type { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';
import { inTime } from '../../runtime/time-limit.ts';

/** A sender may take this long for a whole import, and so much more for each MiB; our own time does not count. */
export const IMPORT_MS_MAX = 60_000;
export const IMPORT_MS_PER_MIB = 1_000;
const MIB = 1024 * 1024;

export interface ChunkLimits<E extends Exchange = Exchange> {
  readonly bodyLimitBytes: number;
  /** Between two pieces of the body. */
  readonly silenceMsMax: number;
  /** `MemoryBudget.reserve`; absent where the reader keeps nothing. */
  readonly reserveMemory?: (exchange: E, bytes: number) => boolean;
  /** Shorter in tests than IMPORT_MS_MAX. */
  readonly sendingMsMax?: number;
}

export interface Reading {
  isTooLarge: boolean;
  /** And is answered. */
  isOverBudget: boolean;
  /** It fell silent, took too long, or its connection closed. */
  isBrokenOff?: boolean;
}

/**
 * Reads on when the piece before has been dealt with. Throws where the body is too large or too slow, where the
 * memory budget is spent, and where the connection has closed; `reading` says which of the first two it was.
 */
export async function* readBodyChunks<E extends Exchange>(
  exchange: E,
  { bodyLimitBytes, silenceMsMax, reserveMemory = () => true, sendingMsMax = IMPORT_MS_MAX }: ChunkLimits<E>,
  reading: Reading = { isTooLarge: false, isOverBudget: false },
): AsyncGenerator<Buffer, void> {
  const { request, response } = exchange;
  let sizeBytes = 0;
  let sendingMs = 0;
  // A request that breaks off does not end by itself.
  let isGone = false;
  response.once('close', () => (isGone = true));
  // The request itself stays: what comes after a refusal is for the listener to drop.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    for (;;) {
      const leftMs = sendingMsMax + (sizeBytes / MIB) * IMPORT_MS_PER_MIB - sendingMs;
      const askedAtMs = performance.now();
      reading.isBrokenOff = true;
      if (isGone) throw new Error(SENDER_GONE);
      const next = orGone(response, chunks.next());
      const { value: chunk, done } = await inTime(next, Math.min(silenceMsMax, leftMs), refuseLate);
      reading.isBrokenOff = false;
      if (done === true || chunk === undefined) return;
      sendingMs += performance.now() - askedAtMs;
      sizeBytes += chunk.length;
      reading.isTooLarge ||= sizeBytes > bodyLimitBytes;
      if (reading.isTooLarge) throw new Error('the body is too large');
      reading.isOverBudget = !reserveMemory(exchange, chunk.length);
      if (reading.isOverBudget) throw new Error('the memory budget is spent');
      yield chunk;
    }
  } finally {
    // As long as it listens, nobody else can read the rest.
    void chunks.return?.();
  }
}

function refuseLate(): never {
  throw new Error('the body took too long to arrive');
}

const SENDER_GONE = 'the sender closed the connection';

/** Listens for one piece only: what waits on one promise for a whole import adds up with each piece of one byte. */
function orGone<T>(response: ServerResponse, next: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new Error(SENDER_GONE));
    response.once('close', leave);
    next.then(resolve, reject).finally(() => response.off('close', leave));
  });
}
