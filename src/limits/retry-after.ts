/** Headers about limits, in the units that they are sent in. */

/** Whole seconds, at least 1 (SPEC 4); a client that waits that long is in the next window. */
export function retryAfterSeconds(resetInMs: number): number {
  return Math.max(1, Math.ceil(resetInMs / 1000));
}

/** Unix seconds; the window is over at that second, never only after it. */
export function resetSeconds(resetAtMs: number): number {
  return Math.ceil(resetAtMs / 1000);
}
