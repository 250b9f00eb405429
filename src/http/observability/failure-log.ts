/** Logs each request that failed on our side (status 500 and above) in one line, up to a rate. */
import type { Logger } from 'pino';
import type { Caller } from './caller.ts';
import type { TracedAnswer } from './tracing.ts';

/** Further failures are logged as one count: a flood of failures must not become a flood of lines. */
export const FAILURE_LINES_PER_SECOND_MAX = 100;
const SECOND_MS = 1000;

/** Only the method comes from the request: no path, query, address or body. */
export interface FailedRequest extends Caller, TracedAnswer {
  readonly durationMs: number;
  /** For the operator only. */
  readonly reason?: string | undefined;
  /** The thrown error of a bug. */
  readonly err?: unknown;
}

export interface FailureLog {
  note(failed: FailedRequest): void;
}

/** Logs bugs (500) as errors, and unavailability or overload (503) as warnings. */
export function createFailureLog(logger: Pick<Logger, 'warn' | 'error'>): FailureLog {
  let lineCount = 0;
  let leftOutCount = 0;
  let isCounting = false;

  function beginSecond(): void {
    if (leftOutCount > 0) logger.warn({ leftOutCount }, 'too many failed requests to log each one');
    lineCount = 0;
    leftOutCount = 0;
    isCounting = false;
  }

  return {
    note(failed) {
      if (!isCounting) {
        isCounting = true;
        setTimeout(beginSecond, SECOND_MS).unref();
      }
      lineCount += 1;
      if (lineCount > FAILURE_LINES_PER_SECOND_MAX) {
        leftOutCount += 1;
      } else if (failed.status === 503) {
        logger.warn(failed, 'request failed');
      } else {
        logger.error(failed, 'request failed');
      }
    },
  };
}
