/**
 * Repeats work that fails while the database is away. Only changes are logged: ten failures a second must not fill the
 * log.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../runtime/clock.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { countFailure } from '../../storage/tasks/repeat.ts';
import { messageOf } from '../../runtime/message-of.ts';

type Log = (fields: object, message: string) => void;

export interface FollowerLogger {
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

/** For a loop that follows the database. */
export interface LoopOptions {
  readonly logger: FollowerLogger;
  readonly uptimeMs: Clock;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

/** Waits until the next try, or the signal; never rejects. `isBusy`: this try found something new. */
export type Pause = (signal: AbortSignal, isBusy?: boolean) => Promise<void>;

/** A pause of so many milliseconds, shorter while there is something new. */
export function pauseFor(milliseconds: number, busyMilliseconds = milliseconds): Pause {
  return (signal, isBusy = false) =>
    delay(isBusy ? busyMilliseconds : milliseconds, undefined, { signal }).catch(() => undefined);
}

export class RetryLoop {
  readonly #work: string;
  readonly #logger: FollowerLogger;
  #state: 'well' | 'away' | 'broken' = 'well';
  #problem: string | undefined;

  /** `work` is its name in logs and metrics. */
  constructor(work: string, logger: FollowerLogger) {
    this.#work = work;
    this.#logger = logger;
    countFailure(work, 0);
  }

  /** Reason of the last failure; undefined after a success. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Returns whether it succeeded. Never rejects: a bug is counted and logged with its stack, and tried again. */
  async try(work: () => Promise<void>): Promise<boolean> {
    try {
      return await this.tryUnlessBroken(work);
    } catch (error) {
      countFailure(this.#work);
      if (this.#state !== 'broken')
        this.#logger.error({ work: this.#work, err: error }, 'cannot follow the database');
      this.#state = 'broken';
      this.#problem = messageOf(error);
      return false;
    }
  }

  /** Repeats until success or the signal; rejects when waiting does not help. */
  async untilDone(work: () => Promise<void>, signal: AbortSignal, pause: () => Promise<void>): Promise<void> {
    while (!signal.aborted && !(await this.tryUnlessBroken(work))) await pause();
  }

  /** As `try`, but rejects when waiting does not help. */
  async tryUnlessBroken(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (this.#state !== 'away') {
        this.#logger.warn({ work: this.#work, reason: error.message }, 'database does not answer');
      }
      this.#state = 'away';
      this.#problem = error.message;
      return false;
    }
    if (this.#state !== 'well') this.#logger.info({ work: this.#work }, 'database answers again');
    this.#state = 'well';
    this.#problem = undefined;
    return true;
  }
}
