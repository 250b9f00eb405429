/** Which failures are tried again, and after how long. Pure: randomness is an argument. */
import { ConnectionError, type StayportError, UsageError } from './errors.ts';

const FIRST_WAIT_MS = 250;
const WAIT_MS_MAX = 8_000;
/** A window of the service is 60 s: a longer Retry-After is not waited for, the error is thrown. */
export const RETRY_AFTER_MS_MAX = 60_000;
/** The service is not reached, or not ready: the API says so with a problem, a balancer without one. */
const AWAY = new Set([502, 503, 504]);
const TOO_MANY_REQUESTS = 429;

export interface Attempt {
  /** Of this attempt, from 0. */
  readonly index: number;
  /** Asking twice changes nothing: a GET, or prices by id. A quote that was made twice would be two quotes. */
  readonly isRepeatable: boolean;
  /** 0 to 1. */
  readonly random: number;
}

/** Milliseconds until the next try; undefined where there is none to make. */
export function retryWaitMs(
  error: StayportError,
  { index, isRepeatable, random }: Attempt,
): number | undefined {
  if (!canRetry(error, isRepeatable)) return undefined;
  const asked = error instanceof UsageError ? undefined : error.retryAfterMs;
  if (asked !== undefined && asked > RETRY_AFTER_MS_MAX) return undefined;
  const backoff = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** index);
  // Never earlier than asked for, and not all at the same moment.
  return asked === undefined ? backoff * (0.5 + random / 2) : asked + random * FIRST_WAIT_MS;
}

function canRetry(error: StayportError, isRepeatable: boolean): boolean {
  if (error instanceof UsageError) return false;
  const { status } = error;
  // Refused before anything was done.
  if (status === TOO_MANY_REQUESTS) return true;
  if (error instanceof ConnectionError) {
    if (error.wasNeverSent) return true;
    if (isRepeatable && (error.code === 'CONNECTION_FAILED' || error.code === 'TIMEOUT')) return true;
  }
  return isRepeatable && status !== undefined && AWAY.has(status);
}
