/** When a delivery that failed is tried again. */
import type { Random } from '../../runtime/random.ts';
import { TRIES_MAX } from '../../storage/webhooks/store.ts';
import { MINUTE_MS, HOUR_MS } from '../../domain/local-date.ts';

/** Before each try, from the end of the one before: the schedule that Standard Webhooks recommends. */
export const TRY_DELAYS_MS: readonly number[] = [
  0,
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Upwards, so that deliveries which failed together come back apart. */
export const JITTER_MAX = 0.2;

/** After a failed try that left `triesLeft` (1 or more): the delay of the next one, or the server's, if longer. */
export function nextTryDelayMs(
  triesLeft: number,
  { random, retryAfterMs = 0 }: { readonly random: Random; readonly retryAfterMs?: number | undefined },
): number {
  const delayMs = TRY_DELAYS_MS[TRIES_MAX - triesLeft] ?? 0;
  const [high = 0, low = 0] = random(2);
  const share = (high * 256 + low) / 65_535;
  return Math.round(Math.max(delayMs, retryAfterMs) * (1 + JITTER_MAX * share));
}
