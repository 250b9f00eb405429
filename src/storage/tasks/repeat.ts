/**
 * Repeats background work of a process until it is stopped. A failing round never ends the process: a bug is logged and
 * counted, and each further failure delays the next round more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../engine/errors.ts';

export interface RepeatLogger {
  error(fields: object, message: string): void;
}

export interface RepeatedWork {
  /** Its name in logs and metrics; one of few. */
  readonly name: string;
  readonly everyMs: number;
  /** Before the first round; `everyMs` unless given. */
  readonly firstMs?: number;
  /** Pause after a round that found the database away; `everyMs` unless given. */
  readonly awayMs?: number;
  readonly logger: RepeatLogger;
  /** The signal aborts when the work is stopped. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** Called when the database was away. By default nothing is reported, because following the catalogue reports it. */
  readonly onAway?: (error: StorageUnavailable) => void;
}

export interface Repeated {
  /** Resolves when no round is running. Never rejects. */
  readonly stop: () => Promise<void>;
}

/** Pause between consecutive rounds that fail because of a bug. */
const FAILED_MS_MIN = 1_000;
const FAILED_MS_MAX = 60_000;

const failures = new Map<string, number>();

/** How many rounds ended with a bug, by name of the work: in this thread, and in those that hand theirs on to it. */
export const BACKGROUND_FAILURES: ReadonlyMap<string, number> = failures;

let count = (name: string, by: number): void => void failures.set(name, (failures.get(name) ?? 0) + by);

/** For loops that are not `repeat`, and rounds that continue after a bug. 0 makes known what has not failed yet. */
export function countFailure(name: string, by: 0 | 1 = 1): void {
  count(name, by);
}

/** A thread that nobody asks for metrics hands its failures on to one that is asked. */
export function handOnFailures(to: (name: string, by: number) => void): void {
  count = to;
}

export function repeat(work: RepeatedWork): Repeated {
  const stopping = new AbortController();
  countFailure(work.name, 0);
  const underway = runRounds(work, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await underway;
    },
  };
}

async function runRounds(work: RepeatedWork, signal: AbortSignal): Promise<void> {
  const { everyMs, firstMs = everyMs } = work;
  let failedCount = 0;
  for (let pauseMs = firstMs; ;) {
    // This timer does not keep the process alive.
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    const end = await runRound(work, signal);
    failedCount = end === 'failed' ? failedCount + 1 : 0;
    if (end === 'done') pauseMs = everyMs;
    else if (end === 'away') pauseMs = work.awayMs ?? everyMs;
    else pauseMs = Math.max(everyMs, Math.min(FAILED_MS_MIN * 2 ** (failedCount - 1), FAILED_MS_MAX));
  }
}

async function runRound(
  { name, logger, round, onAway }: RepeatedWork,
  signal: AbortSignal,
): Promise<'done' | 'away' | 'failed'> {
  try {
    await round(signal);
    return 'done';
  } catch (err) {
    // An interrupted round did not fail.
    if (signal.aborted) return 'done';
    if (!(err instanceof StorageUnavailable)) {
      countFailure(name);
      logger.error({ err, work: name }, 'background work failed; it will be tried again');
      return 'failed';
    }
    onAway?.(err);
    return 'away';
  }
}
