/**
 * Work that a process does again and again beside its requests, until it is stopped. Nothing that a round does wrong
 * ends the process: a bug is logged and counted, and the next round comes later each time it fails again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../engine/errors.ts';

export interface RepeatLogger {
  error(fields: object, message: string): void;
}

export interface RepeatedWork {
  /** As logs and metrics call it; one of few. */
  readonly name: string;
  readonly everyMs: number;
  /** Before the first round; `everyMs` unless given. */
  readonly firstMs?: number;
  /** After a round that found the database away; `everyMs` unless given. */
  readonly awayMs?: number;
  readonly logger: RepeatLogger;
  /** The signal aborts when it is to stop. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** The database was away. Unless given, nothing is said: following the catalogue says it. */
  readonly onAway?: (error: StorageUnavailable) => void;
}

export interface Repeated {
  /** Resolves when no round is under way any more. Never rejects. */
  readonly stop: () => Promise<void>;
}

/** Between rounds that fail one after the other because of a bug. */
const FAILED_MS_MIN = 1_000;
const FAILED_MS_MAX = 60_000;

const failures = new Map<string, number>();

/** How many rounds ended with a bug in this thread, by name of the work. */
export const REPEAT_FAILURES: ReadonlyMap<string, number> = failures;

/** Of a round that goes on after its own bug. */
export function countFailure(name: string): void {
  failures.set(name, (failures.get(name) ?? 0) + 1);
}

export function repeat(work: RepeatedWork): Repeated {
  const stopping = new AbortController();
  if (!failures.has(work.name)) failures.set(work.name, 0);
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
    // No process waits for this timer to end.
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
    // What the stop interrupted did not fail.
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
