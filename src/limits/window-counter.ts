/**
 * Counting requests in fixed windows: the port. The first hit of a key opens its window; the next window opens with
 * the first hit after it. Deciding what count is too many is the caller's: the ingress limit is one number for all,
 * the quota belongs to the credential (SPEC 8).
 */

/** Length of a window (SPEC 8). Tests that wait for a window's end inject a shorter one. */
export const WINDOW_SECONDS = 60;

export interface WindowHit {
  /** Hits of this key in the current window, this one included. */
  readonly count: number;
  /** Unix ms at which the window ends; the same for every hit of one window. */
  readonly resetAtMs: number;
  /** From this hit to the window's end, by the clock that the counter itself goes by. */
  readonly resetInMs: number;
}

export interface WindowCounter {
  /**
   * Counts one request for `key`. Exact under concurrency: of n hits in one window, exactly one sees each count
   * from 1 to n. An adapter that knows at once answers without a promise.
   *
   * `limit` is what the caller judges the count by. A counter that asks another process may be given counts in advance
   * while the limit is far away (`counts-in-advance.ts`): then counts are not told in their order.
   */
  hit(key: string, limit?: number): WindowHit | Promise<WindowHit>;
}

/** Counts of one window that somebody may give out by himself. They are counted already. */
export interface Advance {
  readonly count: number;
  /** Tells the windows of a key from each other. */
  readonly windowId: number;
}

/** A counter that always knows at once. */
export interface ImmediateCounter extends WindowCounter {
  hit(key: string, limit?: number): WindowHit;
  /** Hits of the key in its current window. */
  countOf(key: string): number;
  /** Counts so many hits more in the window of the last hit. */
  advance(key: string, count: number): Advance;
  /** Uncounts what was not used of an advance; nothing when its window has ended. */
  giveBack(key: string, unused: Advance): void;
}
