/**
 * Orders and counts as they go between processes: flat lists, since every request of a worker passes here and names
 * of fields would be most of the message.
 */
import type { KindSettlement } from '../limits/limits-in-advance.ts';
import type { Counted, CountOrder, LimitKind } from '../limits/request-limits.ts';
import type { WindowHit } from '../limits/window-counter.ts';

type Packed = readonly (string | number)[];
/** For each order: kind, key, own limit or 0, 1 for an advance, and the second key with both limits or '', 0, 0. */
export type PackedOrders = Packed;
/**
 * For each order: count, end and remaining time of its window; the same of the second key, or zeroes; the size and the
 * window of an advance, or zeroes.
 */
export type PackedCounts = readonly number[];
/** For each settlement: kind, key, advances that are over, what is unused of the last one, and its window. */
export type PackedSettlements = Packed;

const ORDER_FIELDS = 7;
const COUNT_FIELDS = 8;
const SETTLEMENT_FIELDS = 5;

export function packOrders(orders: readonly CountOrder[]): PackedOrders {
  const packed: (string | number)[] = [];
  for (const { kind, key, next, limit, wantsAdvance } of orders) {
    packed.push(kind, key, limit ?? 0, wantsAdvance === true ? 1 : 0);
    packed.push(next?.credentialId ?? '', next?.limit ?? 0, next?.quota ?? 0);
  }
  return packed;
}

export function unpackOrders(packed: PackedOrders): CountOrder[] {
  const orders: CountOrder[] = [];
  for (let at = 0; at < packed.length; at += ORDER_FIELDS) {
    const limit = packed[at + 2] as number;
    const credentialId = packed[at + 4] as string;
    const next = { credentialId, limit: packed[at + 5] as number, quota: packed[at + 6] as number };
    orders.push({
      kind: packed[at] as LimitKind,
      key: packed[at + 1] as string,
      limit: limit === 0 ? undefined : limit,
      wantsAdvance: packed[at + 3] === 1,
      next: credentialId === '' ? undefined : next,
    });
  }
  return orders;
}

export function packCounts(counted: readonly Counted[]): PackedCounts {
  const packed: number[] = [];
  for (const { hit, next, advance } of counted) {
    packed.push(...fieldsOf(hit), ...(next === undefined ? [0, 0, 0] : fieldsOf(next)));
    packed.push(advance?.count ?? 0, advance?.windowId ?? 0);
  }
  return packed;
}

export function unpackCounts(packed: PackedCounts): Counted[] {
  const counted: Counted[] = [];
  for (let at = 0; at < packed.length; at += COUNT_FIELDS) {
    const next = packed[at + 3] === 0 ? undefined : hitAt(packed, at + 3);
    const count = packed[at + 6]!;
    const advance = count === 0 ? undefined : { count, windowId: packed[at + 7]! };
    counted.push({ hit: hitAt(packed, at), next, advance });
  }
  return counted;
}

export function packSettlements(settlements: readonly KindSettlement[]): PackedSettlements {
  return settlements.flatMap(({ kind, key, advances, unused }) => [
    kind,
    key,
    advances,
    unused.count,
    unused.windowId,
  ]);
}

export function unpackSettlements(packed: PackedSettlements): KindSettlement[] {
  const settlements: KindSettlement[] = [];
  for (let at = 0; at < packed.length; at += SETTLEMENT_FIELDS) {
    const [kind, key, advances, count, windowId] = packed.slice(at, at + SETTLEMENT_FIELDS) as [
      LimitKind,
      string,
      number,
      number,
      number,
    ];
    settlements.push({ kind, key, advances, unused: { count, windowId } });
  }
  return settlements;
}

/** Fractions of a millisecond only make the message longer; rounded up, nobody is told to come too early. */
function fieldsOf({ count, resetAtMs, resetInMs }: WindowHit): readonly [number, number, number] {
  return [count, Math.ceil(resetAtMs), Math.ceil(resetInMs)];
}

function hitAt(packed: PackedCounts, at: number): WindowHit {
  return { count: packed[at]!, resetAtMs: packed[at + 1]!, resetInMs: packed[at + 2]! };
}
