/**
 * Limits that are counted by another process, which gives counts in advance where the limit is far away: most requests
 * of a busy credential then need no question.
 */
import { ADVANCE_LIMIT_MIN, ADVANCE_MS_MAX, CountsInAdvance, type Settlement } from './counts-in-advance.ts';
import type { Counted, HitBoth, LimitKind, RequestLimits } from './request-limits.ts';
import type { SharedLimits } from './shared-limits.ts';
import type { WindowHit } from './window-counter.ts';

/** What goes back, for either limit. */
export interface KindSettlement extends Settlement {
  readonly kind: LimitKind;
}

export interface LimitsInAdvance extends SharedLimits {
  /** Gives back what is left for one key. */
  settle(kind: LimitKind, key: string): KindSettlement;
}

/** `giveBack` hears of what goes back by itself, at most ADVANCE_MS_MAX after it was given. */
export function countInAdvance(
  shared: SharedLimits,
  giveBack: (settlements: readonly KindSettlement[]) => void,
): LimitsInAdvance {
  const held = { ingress: new CountsInAdvance(), quota: new CountsInAdvance() };

  function hit(kind: LimitKind, key: string, limit: number | undefined): WindowHit | Promise<WindowHit> {
    if (limit === undefined || limit < ADVANCE_LIMIT_MIN) return shared[kind].hit(key, limit);
    const counts = held[kind];
    const known = counts.take(key, performance.now());
    if (known !== undefined) return known;
    if (!counts.startAsking(key)) return shared[kind].hit(key, limit);
    const take = (counted: Counted): WindowHit => {
      counts.put(key, counted.hit, counted.advance, performance.now());
      return counted.hit;
    };
    const counted = shared.count({ kind, key, limit, wantsAdvance: true });
    return counted instanceof Promise ? counted.then(take) : take(counted);
  }

  const hitBoth: HitBoth = (source, ingressLimit, credentialId, quota) => {
    // With one question, unless the first count needs none.
    if (ingressLimit < ADVANCE_LIMIT_MIN) return shared.hitBoth!(source, ingressLimit, credentialId, quota);
    const ingress = hit('ingress', source, ingressLimit);
    if (ingress instanceof Promise)
      return ingress.then(async (late) => ({
        ingress: late,
        quota: late.count <= ingressLimit ? await hit('quota', credentialId, quota) : undefined,
      }));
    if (ingress.count > ingressLimit) return { ingress, quota: undefined };
    const next = hit('quota', credentialId, quota);
    return next instanceof Promise
      ? next.then((late) => ({ ingress, quota: late }))
      : { ingress, quota: next };
  };

  function sweep(): void {
    const settlements = (['ingress', 'quota'] as const).flatMap((kind) =>
      held[kind].sweep().map((settlement) => ({ kind, ...settlement })),
    );
    if (settlements.length > 0) giveBack(settlements);
  }

  const sweeper = setInterval(sweep, ADVANCE_MS_MAX);
  sweeper.unref();

  const limits: RequestLimits = {
    ingress: { hit: (key, limit) => hit('ingress', key, limit) },
    quota: { hit: (key, limit) => hit('quota', key, limit) },
    hitBoth: shared.hitBoth === undefined ? undefined : hitBoth,
  };
  return {
    ...shared,
    ...limits,
    settle: (kind, key) => ({ kind, ...held[kind].settle(key) }),
    close() {
      clearInterval(sweeper);
      sweep();
      shared.close();
    },
  };
}
