/** Which failures are tried again, and after how long. Pure: randomness is an argument. */
import { ConnectionError, RateLimitError, ServerError, type StayportError } from './errors.ts';

const FIRST_WAIT_MS = 250;
const WAIT_MS_MAX = 8_000;
/** A window of the service is 60 s: a longer Retry-After is not waited for, the error is thrown. */
export const RETRY_AFTER_MS_MAX = 60_000;

export interface Attempt {
  /** Of this attempt, from 0. */
  readonly index: number;
  /** Asking twice changes nothing: a GET. A quote that was made twice would be two quotes. */
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
  const asked = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  if (asked !== undefined && asked > RETRY_AFTER_MS_MAX) return undefined;
  const backoff = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** index);
  // Never earlier than asked for, and not all at the same moment.
  return asked === undefined ? backoff * (0.5 + random / 2) : asked + random * FIRST_WAIT_MS;
}

function canRetry(error: StayportError, isRepeatable: boolean): boolean {
  if (error instanceof RateLimitError) return true;
  if (error instanceof ConnectionError) {
    return (
      error.wasNeverSent || (isRepeatable && (error.code === 'CONNECTION_FAILED' || error.code === 'TIMEOUT'))
    );
  }
  return isRepeatable && error instanceof ServerError && error.code === 'PARTNER_API_UNAVAILABLE';
}
