/** The window counter of a single process: everything in its memory. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { WINDOW_SECONDS, type WindowCounter } from './window-counter.ts';

/**
 * Keys held at once. Far more sources than one process serves in a minute, and some 50 MB at the worst. When more
 * come, the oldest window is forgotten and its key starts anew: somebody with that many addresses is not held by a
 * limit per address anyway, and everybody else must go on being served.
 */
export const WINDOW_KEYS_MAX = 100_000;

/**
 * The library's memory limiter counts at once, but tells the count through a promise only. Two promises per request were
 * measured at 5 % of a request, so the count is taken from the storage that `consume` itself uses; a test holds that
 * both count the same.
 */
class ImmediateLimiter extends RateLimiterMemory {
  declare private readonly _memoryStorage: {
    incrby(key: string, points: number, durationSeconds: number): RateLimiterRes;
  };

  consumeNow(key: string): RateLimiterRes {
    // oxlint-disable-next-line no-underscore-dangle -- the library's own name
    return this._memoryStorage.incrby(this.getKey(key), 1, this.duration);
  }
}

export interface MemoryWindowOptions {
  readonly windowSeconds?: number;
  readonly keysMax?: number;
}

export function createMemoryWindowCounter(options: MemoryWindowOptions = {}): WindowCounter {
  const windowSeconds = options.windowSeconds ?? WINDOW_SECONDS;
  const keysMax = options.keysMax ?? WINDOW_KEYS_MAX;
  // Its own verdict is not used, so that nothing is ever rejected: a rejection would cost a stack of its own, and
  // the quota differs from key to key.
  const limiter = new ImmediateLimiter({
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
    hit(key) {
      const { consumedPoints, msBeforeNext, isFirstInDuration } = limiter.consumeNow(key);
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
