/**
 * Reads a calendar without keeping the traffic waiting: small ones here, the others in a thread of their own. Rules of
 * repetition cost what their author wants them to cost, so a calendar with one is never small.
 */
import { openJobThread } from '../../runtime/job-thread.ts';
import { Wrong } from '../../domain/wrong.ts';
import { CalendarProblem } from './calendar-text.ts';
import type { CalendarRequest } from './calendar-thread.ts';
import { type CalendarReadOptions, type ReadCalendar, readCalendar } from './read-calendar.ts';

/** Reading so much takes some five milliseconds. */
const SMALL_BYTES_MAX = 32 * 1024;
export const READ_MS_MAX = 20_000;
export const HEAP_MB_MAX = 256;

export interface ApartOptions {
  readonly timeoutMs?: number;
  /** Gives up: the answer is then a problem that nobody needs. */
  readonly signal?: AbortSignal | undefined;
}

/** As `readCalendar`; never rejects. */
export async function readOffThread(
  bytes: Buffer,
  reading: CalendarReadOptions,
  options: ApartOptions = {},
): Promise<ReadCalendar> {
  const isSmall = bytes.byteLength <= SMALL_BYTES_MAX && !/RRULE/i.test(bytes.toString('latin1'));
  return isSmall ? readCalendar(bytes, reading) : readInThread(bytes, reading, options);
}

/** A thread for each calendar: one that takes too long ends with its thread, and no other with it. */
async function readInThread(
  bytes: Buffer,
  reading: CalendarReadOptions,
  { timeoutMs = READ_MS_MAX, signal }: ApartOptions,
): Promise<ReadCalendar> {
  const notRead = new CalendarProblem(new Wrong('notRead'));
  const thread = openJobThread<CalendarRequest>({
    program: new URL('./calendar-thread.ts', import.meta.url),
    name: 'stayport calendar',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    // Out of memory above all.
    whenLost: () => new CalendarProblem(new Wrong('tookMemory')),
    restoreError: () => notRead,
  });
  const giveUp = (wrong: Wrong): void => void thread.end(new CalendarProblem(wrong));
  const onAbort = (): void => giveUp(new Wrong('stopping'));
  const timer = setTimeout(() => giveUp(new Wrong('tookLong')), timeoutMs);
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  try {
    return await thread.ask<ReadCalendar>({ bytes, reading });
  } catch (error) {
    return { ok: false, problem: (error instanceof CalendarProblem ? error : notRead).wrong };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    await thread.end(notRead);
  }
}
