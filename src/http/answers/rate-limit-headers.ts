/** X-RateLimit-* and Retry-After (SPEC 4, 8). */
import { resetSeconds, retryAfterSeconds } from '../../limits/retry-after.ts';
import type { WindowHit } from '../../limits/window-counter.ts';

/** The limit that an answer describes: the credential's quota, or the ingress limit when that one refused. */
export interface RateLimitState {
  readonly limit: number;
  readonly hit: WindowHit;
}

/** SPEC 4 lists the headers on every answer of an authenticated request but these. */
const STATUSES_WITHOUT: ReadonlySet<number> = new Set([401, 413, 503]);

/** Adds the three headers to a flat list of names and values, where this status has them. */
export function pushRateLimitHeaders(headers: string[], status: number, state: RateLimitState): void {
  if (STATUSES_WITHOUT.has(status)) return;
  const { limit, hit } = state;
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(Math.max(0, limit - hit.count)),
    'X-RateLimit-Reset',
    String(resetSeconds(hit.resetAtMs)),
  );
}

export function retryAfterHeader(hit: WindowHit): readonly [string, string] {
  return ['Retry-After', String(retryAfterSeconds(hit.resetInMs))];
}
