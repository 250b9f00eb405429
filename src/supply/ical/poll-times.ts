/** When a feed is polled again. */
import type { Random } from '../../runtime/random.ts';

/** The longest pause between two polls of a server that is down. */
export const BACKOFF_MS_MAX = 6 * 60 * 60_000;
/** A server's `Retry-After` is respected up to a day. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/** The one form that servers send; `Date.parse` alone takes almost anything. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
/** Either way, so that feeds that were subscribed together do not stay together. */
const JITTER = 0.1;

/**
 * The usual time, doubled with every failure after the first; never before the server's `Retry-After`, after
 * which the poll comes up to a tenth later.
 */
export function nextPollMs(
  everyMs: number,
  failureCount: number,
  { random, retryAfterMs = 0 }: { readonly random: Random; readonly retryAfterMs?: number | undefined },
): number {
  const doublings = Math.min(Math.max(0, failureCount - 1), 30);
  const waitMs = Math.min(everyMs * 2 ** doublings, Math.max(everyMs, BACKOFF_MS_MAX));
  const [high = 0, low = 0] = random(2);
  const share = (high * 256 + low) / 65_535;
  const usualMs = waitMs * (1 - JITTER + 2 * JITTER * share);
  return Math.round(Math.max(usualMs, retryAfterMs * (1 + JITTER * share)));
}

/** `Retry-After` (RFC 9110 10.2.3), seconds or a date, as a wait; undefined when it is neither, or is past. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const isDate = HTTP_DATE.test(text);
  const waitMs = isDate ? Date.parse(text) - nowMs : /^\d+$/.test(text) ? Number(text) * 1000 : 0;
  return waitMs > 0 ? Math.min(waitMs, RETRY_AFTER_MS_MAX) : undefined;
}
