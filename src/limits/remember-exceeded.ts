/** A counter that also knows, without counting and without a call, who was over the limit a moment ago. */
import type { WindowCounter, WindowHit } from './request-limits.ts';

export interface RememberingCounter extends WindowCounter {
  /** The window of a key that exceeded the limit, as this process saw it; undefined once that has ended. */
  findExceeded(key: string): WindowHit | undefined;
}

/** Keys that are remembered; the oldest are forgotten, and counted as before. */
const KEYS_MAX = 10_000;

export function rememberExceeded(counter: WindowCounter, limit: number): RememberingCounter {
  const exceeded = new Map<string, { readonly hit: WindowHit; readonly endMs: number }>();
  return {
    async hit(key) {
      const hit = await counter.hit(key);
      if (hit.count <= limit) return hit;
      exceeded.delete(key);
      exceeded.set(key, { hit, endMs: performance.now() + hit.resetInMs });
      if (exceeded.size > KEYS_MAX) exceeded.delete(exceeded.keys().next().value!);
      return hit;
    },
    findExceeded(key) {
      const found = exceeded.get(key);
      if (found === undefined) return undefined;
      const resetInMs = found.endMs - performance.now();
      if (resetInMs > 0) return { ...found.hit, resetInMs };
      exceeded.delete(key);
      return undefined;
    },
  };
}
