/**
 * The limits of a request (SPEC 8): the port. The ingress limit counts by source address, the quota by credential, in fixed
 * windows: the first hit of a key opens its window; the next window opens with the first hit after it. Their windows are held
 * in one place for all that share them: in the memory of this process, or in Redis. Deciding what count is too many is the
 * caller's: the ingress limit is one number for all, the quota belongs to the credential.
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

export interface RequestLimits {
  /** Counts by source address. */
  readonly ingress: WindowCounter;
  /** Counts by credential. */
  readonly quota: WindowCounter;
  /**
   * Both with one question to the counter. Absent where asking costs nothing, and where two windows can't
   * be counted in one step.
   */
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
  /** Undefined when the ingress limit was exceeded: what is refused there uses up no quota. */
  readonly quota: WindowHit | undefined;
}

/** Limits that one process counts by itself. */
export interface OwnLimits extends RequestLimits {
  readonly ingress: ImmediateCounter;
  readonly quota: ImmediateCounter;
}

/** Whom a count is for; sources and credentials never share a window, or each other's memory. */
export type LimitKind = 'ingress' | 'quota';

/** One question to the counter: a key, and perhaps a second one that depends on the first. */
export interface CountRequest {
  readonly kind: LimitKind;
  readonly key: string;
  /** Counts for this credential too when the first count is at most `limit`. */
  readonly next?: { readonly credentialId: string; readonly limit: number } | undefined;
}

export interface Counted {
  readonly hit: WindowHit;
  readonly next: WindowHit | undefined;
}

/** Carries an order out. */
export function countNow(limits: OwnLimits, { kind, key, next }: CountRequest): Counted {
  const hit = limits[kind].hit(key);
  const isNextWanted = next !== undefined && hit.count <= next.limit;
  return { hit, next: isNextWanted ? limits.quota.hit(next.credentialId) : undefined };
}
