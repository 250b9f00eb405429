/**
 * Counts that this process holds in advance: for a key that it is asked about again and again, and whose limit is far
 * away, it gives counts out by itself instead of asking for each. Whoever gave them has counted them already, so no
 * request ever passes above the limit; what is not used goes back, so none is refused below it.
 */
import type { Advance, WindowHit } from './window-counter.ts';

/** Below it nobody gets counts in advance: every count is told in its order. */
export const ADVANCE_LIMIT_MIN = 1_000;
/** Counts in advance are used within this time, or go back. */
export const ADVANCE_MS_MAX = 250;
/** So often within ADVANCE_MS_MAX a key must be asked about before counts in advance are worth having. */
const BUSY_HITS = 8;
/** Keys watched at once; others are asked about one by one. */
const KEYS_MAX = 10_000;

/** What goes back to whoever gave it. */
export interface Settlement {
  readonly key: string;
  /** Advances that are over since the last settlement of this key. */
  readonly advances: number;
  readonly unused: Advance;
}

class Watched {
  /** Since the last sweep. */
  hits = 0;
  /** It was, before the last sweep. */
  wasBusy = false;
  isAsking = false;
  /** Advances that are used up, and not yet settled. */
  over = 0;
  left = 0;
  nextCount = 0;
  windowId = 0;
  resetAtMs = 0;
  endsAtUptimeMs = 0;
}

/** For the keys of one limit. */
export class CountsInAdvance {
  readonly #watched = new Map<string, Watched>();

  /** A count held in advance; undefined when the key has to be asked about. */
  take(key: string, nowUptimeMs: number): WindowHit | undefined {
    const watched = this.#watched.get(key);
    if (watched === undefined) {
      if (this.#watched.size < KEYS_MAX) this.#watched.set(key, new Watched());
      return undefined;
    }
    watched.hits += 1;
    if (watched.left === 0) return undefined;
    if (nowUptimeMs >= watched.endsAtUptimeMs) {
      // Of a window that has ended, nothing goes back.
      this.#end(watched);
      return undefined;
    }
    const { resetAtMs, endsAtUptimeMs } = watched;
    const hit = { count: watched.nextCount, resetAtMs, resetInMs: endsAtUptimeMs - nowUptimeMs };
    watched.nextCount += 1;
    watched.left -= 1;
    if (watched.left === 0) this.#end(watched);
    return hit;
  }

  /** Whether counts in advance should be asked for now; then the answer is due to `put`, whatever it is. */
  startAsking(key: string): boolean {
    const watched = this.#watched.get(key);
    if (watched === undefined || watched.isAsking) return false;
    if (!watched.wasBusy && watched.hits < BUSY_HITS) return false;
    watched.isAsking = true;
    return true;
  }

  /** The answer: the counts that follow `hit`, if any were given. */
  put(key: string, hit: WindowHit, advance: Advance | undefined, nowUptimeMs: number): void {
    const watched = this.#watched.get(key);
    if (watched === undefined) throw new Error('counts in advance for a key that is not watched');
    watched.isAsking = false;
    if (advance === undefined) return;
    watched.left = advance.count;
    watched.nextCount = hit.count + 1;
    watched.windowId = advance.windowId;
    watched.resetAtMs = hit.resetAtMs;
    watched.endsAtUptimeMs = nowUptimeMs + hit.resetInMs;
  }

  /** Gives back what is left for one key. */
  settle(key: string): Settlement {
    const watched = this.#watched.get(key);
    if (watched === undefined) return { key, advances: 0, unused: { count: 0, windowId: 0 } };
    const unused = { count: watched.left, windowId: watched.windowId };
    if (watched.left > 0) this.#end(watched);
    const advances = watched.over;
    watched.over = 0;
    return { key, advances, unused };
  }

  /** Gives back what is left for every key, and forgets the keys that nobody asked for since the last time. */
  sweep(): Settlement[] {
    const settlements: Settlement[] = [];
    for (const [key, watched] of this.#watched) {
      const settlement = this.settle(key);
      if (settlement.advances > 0) settlements.push(settlement);
      if (watched.hits === 0 && !watched.isAsking) this.#watched.delete(key);
      watched.wasBusy = watched.hits >= BUSY_HITS;
      watched.hits = 0;
    }
    return settlements;
  }

  #end(watched: Watched): void {
    watched.left = 0;
    watched.over += 1;
  }
}
