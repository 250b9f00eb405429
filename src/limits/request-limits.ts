/**
 * The two limits of a request (SPEC 8): the ingress limit by source address, the quota by credential. Their windows
 * are held in one place for all that share them: in the memory of this process, or in Redis.
 */
import type { ImmediateCounter, WindowCounter, WindowHit } from './window-counter.ts';

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
export interface CountOrder {
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
export function countNow(limits: OwnLimits, { kind, key, next }: CountOrder): Counted {
  const hit = limits[kind].hit(key);
  const isNextWanted = next !== undefined && hit.count <= next.limit;
  return { hit, next: isNextWanted ? limits.quota.hit(next.credentialId) : undefined };
}
