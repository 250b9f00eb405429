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
   */
  hit(key: string): WindowHit | Promise<WindowHit>;
}

/** A counter that always knows at once. */
export interface ImmediateCounter extends WindowCounter {
  hit(key: string): WindowHit;
}
