/** When a source that is read by the clock is read next. */
import type { Random } from '../../runtime/random.ts';

/** The longest pause between two polls of a server that is down. */
export const BACKOFF_MS_MAX = 6 * 60 * 60_000;
/** In both directions, so that sources added together drift apart. */
const JITTER = 0.1;

/**
 * The usual interval, doubled with every failure after the first. Never before the server's `Retry-After`, and then up
 * to a tenth later.
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
