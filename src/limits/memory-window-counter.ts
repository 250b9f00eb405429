/** The window counter of a single process: everything in its memory. */
import { type Clock, systemClock } from '../runtime/clock.ts';
import { WINDOW_SECONDS, type Advance, type ImmediateCounter } from './window-counter.ts';

/**
 * Keys held at once. Far more sources than one process serves in a minute, and some 20 MB at the worst. When more
 * come, the oldest window is forgotten and its key starts anew: somebody with that many addresses is not held by a
 * limit per address anyway, and everybody else must go on being served.
 */
export const WINDOW_KEYS_MAX = 100_000;

/** A difference of the two clocks that changes by more than this means that the wall clock was set. */
export const CLOCK_STEP_MS = 100;

export interface MemoryWindowOptions {
  readonly windowSeconds?: number;
  readonly keysMax?: number;
  /** The wall clock: only for telling when a window ends, never for deciding it. */
  readonly clock?: Clock;
  /** Milliseconds that only ever grow, however the wall clock is set. */
  readonly uptimeMs?: Clock;
}

interface Window {
  count: number;
  readonly endsAtUptimeMs: number;
}

export function createMemoryWindowCounter(options: MemoryWindowOptions = {}): ImmediateCounter {
  const windowMs = (options.windowSeconds ?? WINDOW_SECONDS) * 1000;
  const keysMax = options.keysMax ?? WINDOW_KEYS_MAX;
  const uptimeMs = options.uptimeMs ?? (() => performance.now());
  const startedAtMs = startedAt(options.clock ?? systemClock);
  // All windows have one length, so the order of opening is the order of closing: the first entry is the oldest.
  const windows = new Map<string, Window>();

  function openWindow(key: string, nowMs: number): Window {
    windows.delete(key);
    for (const [oldestKey, { endsAtUptimeMs }] of windows) {
      if (endsAtUptimeMs > nowMs && windows.size < keysMax) break;
      windows.delete(oldestKey);
    }
    const window = { count: 0, endsAtUptimeMs: nowMs + windowMs };
    windows.set(key, window);
    return window;
  }

  function currentWindow(key: string, nowMs: number): Window | undefined {
    const window = windows.get(key);
    return window === undefined || window.endsAtUptimeMs <= nowMs ? undefined : window;
  }

  return {
    countOf: (key) => currentWindow(key, uptimeMs())?.count ?? 0,
    advance(key, count): Advance {
      // Not the current one: between the hit and this a window may end.
      const window = windows.get(key);
      if (window === undefined) throw new Error('counts in advance without a hit');
      window.count += count;
      return { count, windowId: window.endsAtUptimeMs };
    },
    giveBack(key, { count, windowId }) {
      const window = currentWindow(key, uptimeMs());
      if (window?.endsAtUptimeMs === windowId) window.count -= count;
    },
    hit(key) {
      const nowMs = uptimeMs();
      const window = currentWindow(key, nowMs) ?? openWindow(key, nowMs);
      window.count += 1;
      return {
        count: window.count,
        resetAtMs: startedAtMs(nowMs) + window.endsAtUptimeMs,
        resetInMs: window.endsAtUptimeMs - nowMs,
      };
    },
  };
}

/**
 * The Unix ms at which the uptime was 0. The same for every hit, so that all hits of a window name the same end, until
 * the wall clock is set: then the ends move with it, and the windows stay as long as they are.
 */
function startedAt(clock: Clock): (nowUptimeMs: number) => number {
  let startedAtMs: number | undefined;
  return (nowUptimeMs) => {
    const seenMs = clock() - nowUptimeMs;
    if (startedAtMs === undefined || Math.abs(seenMs - startedAtMs) > CLOCK_STEP_MS) startedAtMs = seenMs;
    return startedAtMs;
  };
}
