/**
 * Reads a calendar without keeping the traffic waiting: small ones here, the others in a thread of their own. Rules of
 * repetition cost what their author wants them to cost, so a calendar with one is never small.
 */
import { Worker } from 'node:worker_threads';
import { type CalendarWish, type ReadCalendar, readCalendar } from './read-calendar.ts';

/** Some five milliseconds. */
export const INLINE_BYTES_MAX = 32 * 1024;
const READ_MS_MAX = 20_000;
const HEAP_MB_MAX = 256;

export interface ApartOptions {
  readonly timeoutMs?: number;
  /** Gives up: the answer is then a problem that nobody needs. */
  readonly signal?: AbortSignal | undefined;
}

/** As `readCalendar`; never rejects. */
export async function readApart(
  bytes: Buffer,
  wish: CalendarWish,
  options: ApartOptions = {},
): Promise<ReadCalendar> {
  const isSmall = bytes.byteLength <= INLINE_BYTES_MAX && !/RRULE/i.test(bytes.toString('latin1'));
  return isSmall ? readCalendar(bytes, wish) : readInThread(bytes, wish, options);
}

function readInThread(
  bytes: Buffer,
  wish: CalendarWish,
  { timeoutMs = READ_MS_MAX, signal }: ApartOptions,
): Promise<ReadCalendar> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./calendar-thread.ts', import.meta.url), {
      name: 'stayport calendar',
      workerData: { bytes, wish },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    const settle = (result: ReadCalendar): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      void worker.terminate();
      resolve(result);
    };
    const onAbort = (): void => settle({ ok: false, problem: 'the service is being stopped' });
    const timer = setTimeout(() => settle({ ok: false, problem: 'reading it took too long' }), timeoutMs);
    signal?.addEventListener('abort', onAbort);
    worker.on('message', settle);
    // Out of memory above all.
    worker.on('error', () => settle({ ok: false, problem: 'reading it took too much memory' }));
    worker.on('exit', () => settle({ ok: false, problem: 'it could not be read' }));
  });
}
