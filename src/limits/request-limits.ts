/**
 * The port of the limits of a request (SPEC 8). The ingress limit counts by source address, the quota by credential, in
 * fixed windows: the first hit of a key opens its window; the first hit after its end opens the next. Windows are in
 * one place: in the memory of this process, or in Redis. The caller decides which count is too many: the ingress limit
 * is one number, the quota belongs to the credential.
 */

/** Length of a window (SPEC 8). Tests inject a shorter one. */
export const WINDOW_SECONDS = 60;

export interface WindowHit {
  /** Hits of this key in the current window, this one included. */
  readonly count: number;
  /** Unix ms of the window's end; equal for every hit of one window. */
  readonly resetAtMs: number;
  /** From this hit to the window's end, by the counter's own clock. */
  readonly resetInMs: number;
}

export interface WindowCounter {
  /**
   * Counts one request for `key`. Exact under concurrency: of n hits in one window, exactly one sees each count from 1
   * to n. An adapter that counts at once answers without a promise.
   */
  hit(key: string): WindowHit | Promise<WindowHit>;
}

/** A counter that always answers at once. */
export interface ImmediateCounter extends WindowCounter {
  hit(key: string): WindowHit;
}

export interface RequestLimits {
  /** Counts by source address. */
  readonly ingress: WindowCounter;
  /** Counts by credential. */
  readonly quota: WindowCounter;
  /** Counts both in one call. Absent where calls cost nothing, and where two windows can't be counted in one step. */
  readonly hitBoth?: HitBoth | undefined;
}

/** Counts for `source` and, when that count is at most `ingressLimit`, for `credentialId`. */
export type HitBoth = (
  source: string,
  ingressLimit: number,
  credentialId: string,
) => BothHits | Promise<BothHits>;

export interface BothHits {
  readonly ingress: WindowHit;
  /** Undefined when the ingress limit was exceeded: a refused request uses no quota. */
  readonly quota: WindowHit | undefined;
}

/** Limits counted by one process. */
export interface OwnLimits extends RequestLimits {
  readonly ingress: ImmediateCounter;
  readonly quota: ImmediateCounter;
}

/** The subject of a count. Sources and credentials share neither windows nor memory. */
export type CounterKind = 'ingress' | 'quota';

/** One call to the counter: a key, and perhaps a second one that depends on the first. */
export interface CountRequest {
  readonly kind: CounterKind;
  readonly key: string;
  /** Counts for this credential too when the first count is at most `limit`. */
  readonly next?: { readonly credentialId: string; readonly limit: number } | undefined;
}

export interface Counted {
  readonly hit: WindowHit;
  readonly next: WindowHit | undefined;
}

export function countNow(limits: OwnLimits, { kind, key, next }: CountRequest): Counted {
  const hit = limits[kind].hit(key);
  const isNextWanted = next !== undefined && hit.count <= next.limit;
  return { hit, next: isNextWanted ? limits.quota.hit(next.credentialId) : undefined };
}
