/** The window counter of a single process: everything in its memory. */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { WINDOW_SECONDS, type WindowCounter } from './window-counter.ts';

/**
 * Keys held at once. Far more sources than one process serves in a minute, and some 50 MB at the worst. When more
 * come, the oldest window is forgotten and its key starts anew: somebody with that many addresses is not held by a
 * limit per address anyway, and everybody else must go on being served.
 */
export const WINDOW_KEYS_MAX = 100_000;

export interface MemoryWindowOptions {
  readonly windowSeconds?: number;
  readonly keysMax?: number;
}

export function createMemoryWindowCounter(options: MemoryWindowOptions = {}): WindowCounter {
  const windowSeconds = options.windowSeconds ?? WINDOW_SECONDS;
  const keysMax = options.keysMax ?? WINDOW_KEYS_MAX;
  // Its own verdict is not used, so that nothing is ever rejected: a rejection would cost a stack of its own, and
  // the quota differs from key to key.
  const limiter = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
    keyPrefix: '',
  });
  // All windows have one length, so the order of opening is the order of closing: the first entry is the oldest.
  const resetAtMsByKey = new Map<string, number>();

  function openWindow(key: string, resetAtMs: number): void {
    resetAtMsByKey.delete(key);
    resetAtMsByKey.set(key, resetAtMs);
    const nowMs = Date.now();
    for (const [oldestKey, oldestResetAtMs] of resetAtMsByKey) {
      if (oldestResetAtMs > nowMs && resetAtMsByKey.size <= keysMax) break;
      resetAtMsByKey.delete(oldestKey);
      if (oldestResetAtMs > nowMs) void limiter.delete(oldestKey);
    }
  }

  return {
    async hit(key) {
      const { consumedPoints, msBeforeNext, isFirstInDuration } = await limiter.consume(key);
      const endsAtMs = Date.now() + msBeforeNext;
      if (isFirstInDuration) openWindow(key, endsAtMs);
      return {
        count: consumedPoints,
        resetAtMs: resetAtMsByKey.get(key) ?? endsAtMs,
        resetInMs: msBeforeNext,
      };
    },
  };
}
