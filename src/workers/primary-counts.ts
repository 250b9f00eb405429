/** Counts for the workers, in windows that all of them share. */
import { setTimeout as delay } from 'node:timers/promises';
import { ADVANCE_LIMIT_MIN, type Settlement } from '../limits/counts-in-advance.ts';
import {
  countNow,
  type Counted,
  type CountOrder,
  type LimitKind,
  type OwnLimits,
} from '../limits/request-limits.ts';
import type { Channel } from './channel.ts';
import {
  packCounts,
  type PackedOrders,
  type PackedSettlements,
  unpackOrders,
  unpackSettlements,
} from './count-messages.ts';

/** No worker holds more counts in advance for a key than this, */
const ADVANCE_MAX = 256;
/** or than this part of what is left below the limit: the nearer the limit, the fewer, and none just before it. */
const ADVANCE_SHARE = ADVANCE_LIMIT_MIN;
/** Below the 500 ms after which a worker takes this process for lost. */
const RECALL_MS_MAX = 200;

/** Which workers hold counts in advance for a key: how many advances of theirs are not settled. */
type Holders = Map<Channel, number>;

/** A key with what its count is judged by. */
interface JudgedKey {
  readonly kind: LimitKind;
  readonly key: string;
  readonly limit: number | undefined;
}

export class PrimaryCounts {
  readonly #windows: OwnLimits;
  readonly #holders = { ingress: new Map<string, Holders>(), quota: new Map<string, Holders>() };

  constructor(windows: OwnLimits) {
    this.#windows = windows;
  }

  /** Counts what the worker at the other end asks to be counted. */
  serve(channel: Channel): void {
    channel.answer('count', (packed) => {
      const orders = unpackOrders(packed as PackedOrders);
      const count = () => packCounts(orders.map((order) => this.#count(order, channel)));
      const reached = orders.flatMap(keysOf).filter((judged) => this.#isRecallDue(judged, orders.length));
      // No promise where nobody has to be waited for.
      if (reached.length === 0) return count();
      return Promise.all(reached.map((judged) => this.#recall(judged))).then(count);
    });
    channel.hear('counts back', (packed) => {
      for (const { kind, ...settlement } of unpackSettlements(packed as PackedSettlements))
        this.#settle(kind, settlement, channel);
    });
  }

  /** A worker is gone; what it held counts as used, because nobody knows what was. */
  forget(channel: Channel): void {
    for (const kind of ['ingress', 'quota'] as const) {
      for (const key of this.#holders[kind].keys()) this.#drop(kind, key, channel);
    }
  }

  #count(order: CountOrder, channel: Channel): Counted {
    const counted = countNow(this.#windows, order);
    const { kind, key, limit, wantsAdvance } = order;
    if (wantsAdvance !== true || limit === undefined) return counted;
    const size = Math.min(ADVANCE_MAX, Math.floor((limit - counted.hit.count) / ADVANCE_SHARE));
    if (size <= 0) return counted;
    const holders = this.#holders[kind].get(key) ?? new Map<Channel, number>();
    this.#holders[kind].set(key, holders);
    holders.set(channel, (holders.get(channel) ?? 0) + 1);
    return { ...counted, advance: this.#windows[kind].advance(key, size) };
  }

  /** So many more could pass the limit, and not all of it is used: before anybody is refused, the rest comes back. */
  #isRecallDue({ kind, key, limit }: JudgedKey, orderCount: number): boolean {
    if (limit === undefined || !this.#holders[kind].has(key)) return false;
    return this.#windows[kind].countOf(key) + orderCount > limit;
  }

  /** An advance may still be on its way to its holder, who is then asked again. */
  async #recall({ kind, key }: JudgedKey): Promise<void> {
    const untilMs = performance.now() + RECALL_MS_MAX;
    for (let holders = this.#holders[kind].get(key); holders !== undefined;) {
      await Promise.all([...holders.keys()].map((channel) => this.#recallFrom(channel, kind, key, untilMs)));
      holders = this.#holders[kind].get(key);
    }
  }

  async #recallFrom(channel: Channel, kind: LimitKind, key: string, untilMs: number): Promise<void> {
    const asked = channel.ask('settle', [kind, key]).catch(() => undefined);
    const packed = await Promise.race([asked, delay(untilMs - performance.now(), undefined, { ref: false })]);
    if (packed === undefined) {
      // Gone or silent: what it holds counts as used.
      this.#drop(kind, key, channel);
      return;
    }
    for (const settlement of unpackSettlements(packed as PackedSettlements))
      this.#settle(kind, settlement, channel);
  }

  #settle(kind: LimitKind, { key, advances, unused }: Settlement, channel: Channel): void {
    this.#windows[kind].giveBack(key, unused);
    const holders = this.#holders[kind].get(key);
    const open = (holders?.get(channel) ?? 0) - advances;
    if (open > 0) holders!.set(channel, open);
    else this.#drop(kind, key, channel);
  }

  #drop(kind: LimitKind, key: string, channel: Channel): void {
    const holders = this.#holders[kind].get(key);
    if (holders === undefined) return;
    holders.delete(channel);
    if (holders.size === 0) this.#holders[kind].delete(key);
  }
}

function keysOf({ kind, key, limit, next }: CountOrder): JudgedKey[] {
  const first: JudgedKey = { kind, key, limit };
  return next === undefined ? [first] : [first, { kind: 'quota', key: next.credentialId, limit: next.quota }];
}
