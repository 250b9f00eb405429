/**
 * Limits that are counted by another process, which gives counts in advance where the limit is far away: most requests
 * of a busy credential then need no question.
 */
import { ADVANCE_LIMIT_MIN, ADVANCE_MS_MAX, CountsInAdvance, type Settlement } from './counts-in-advance.ts';
import type { Counted, CountOrder, HitBoth, LimitKind, RequestLimits } from './request-limits.ts';
import { bothBy, type SharedLimits } from './shared-limits.ts';
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

  /** Asks for one count, and for counts in advance where the key is busy. */
  function ask(order: CountOrder): Counted | Promise<Counted> {
    const { kind, key } = order;
    const wantsAdvance = held[kind].startAsking(key);
    const take = (counted: Counted): Counted => {
      if (wantsAdvance) held[kind].put(key, counted.hit, counted.advance, performance.now());
      return counted;
    };
    const counted = shared.count({ ...order, wantsAdvance });
    return counted instanceof Promise ? counted.then(take) : take(counted);
  }

  function hit(kind: LimitKind, key: string, limit: number | undefined): WindowHit | Promise<WindowHit> {
    if (limit === undefined || limit < ADVANCE_LIMIT_MIN) return shared[kind].hit(key, limit);
    const known = held[kind].take(key, performance.now());
    if (known !== undefined) return known;
    const counted = ask({ kind, key, limit });
    return counted instanceof Promise ? counted.then((late) => late.hit) : counted.hit;
  }

  const askBoth = bothBy(ask);
  const hitBoth: HitBoth = (source, ingressLimit, credentialId, quota) => {
    const isFar = ingressLimit >= ADVANCE_LIMIT_MIN;
    const ingress = isFar ? held.ingress.take(source, performance.now()) : undefined;
    if (ingress === undefined) return askBoth(source, ingressLimit, credentialId, quota);
    // A count held in advance is never above the limit.
    const own = hit('quota', credentialId, quota);
    return own instanceof Promise ? own.then((late) => ({ ingress, quota: late })) : { ingress, quota: own };
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
