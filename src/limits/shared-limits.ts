/** Limits that several processes share in Redis. Where it does not answer, this process counts for itself. */
import { CountLink, type CountLinkEvents, type CountOne, type SharedCounter } from './count-link.ts';
import {
  countNow,
  type Counted,
  type CountOrder,
  type HitBoth,
  type LimitKind,
  type OwnLimits,
  type RequestLimits,
} from './request-limits.ts';

export interface SharedLimitsOptions {
  /** Each key belongs to one of them. */
  readonly counters: readonly SharedCounter[];
  /** Index of the counter that a key belongs to; not asked when there is only one. */
  readonly counterOf?: (order: CountOrder) => number;
  /** Counts what a lost counter can't. */
  readonly fallback: CountOne;
  /** A counter is lost, or all are back. */
  readonly onLost: (reason: string) => void;
  readonly onBack: () => void;
}

/** What the metrics tell. */
export interface SharingState {
  /** Every count is shared now. */
  readonly isShared: boolean;
  /** How often sharing was lost. */
  readonly lossCount: number;
  /** Requests that were counted by the fallback. */
  readonly fallbackCount: number;
}

export interface SharedLimits extends RequestLimits {
  /** Asks each counter once; one that does not answer counts as lost from the start. */
  probe(): Promise<void>;
  readonly state: () => SharingState;
  /** Ends the probing. */
  readonly close: () => void;
}

export function fallbackTo(limits: OwnLimits): CountOne {
  return (order) => countNow(limits, order);
}

export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { fallback, onLost, onBack, counterOf = () => 0 } = options;
  let lostNow = 0;
  let lossCount = 0;
  let fallbackCount = 0;
  const events: CountLinkEvents = {
    fallback(order) {
      fallbackCount += 1;
      return fallback(order);
    },
    onLost(reason) {
      lostNow += 1;
      if (lostNow > 1) return;
      lossCount += 1;
      onLost(reason);
    },
    onBack() {
      lostNow -= 1;
      if (lostNow === 0) onBack();
    },
  };
  const links = options.counters.map((counter) => new CountLink(counter, events));
  const ask: CountOne = (order) => links[counterOf(order)]!.ask(order);
  const counterFor = (kind: LimitKind): RequestLimits['quota'] => ({
    hit(key) {
      const counted = ask({ kind, key });
      return counted instanceof Promise ? counted.then(({ hit }) => hit) : counted.hit;
    },
  });

  return {
    ingress: counterFor('ingress'),
    quota: counterFor('quota'),
    hitBoth: links.length > 1 ? undefined : bothBy(ask),
    async probe() {
      await Promise.all(links.map((link) => link.probe()));
    },
    state: () => ({ isShared: lostNow === 0, lossCount, fallbackCount }),
    close() {
      for (const link of links) link.close();
    },
  };
}

/** Both limits with one question of this kind. */
function bothBy(ask: CountOne): HitBoth {
  return (source, ingressLimit, credentialId) => {
    const counted = ask({ kind: 'ingress', key: source, next: { credentialId, limit: ingressLimit } });
    const name = ({ hit, next }: Counted) => ({ ingress: hit, quota: next });
    return counted instanceof Promise ? counted.then(name) : name(counted);
  };
}
