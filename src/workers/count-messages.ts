/**
 * Orders and counts as they go between processes: flat lists, since every request of a worker passes here and names
 * of fields would be most of the message.
 */
import type { Counted, CountOrder, LimitKind } from '../limits/request-limits.ts';
import type { WindowHit } from '../limits/window-counter.ts';

/** For each order: kind, key, and the second key with its limit, or '' and 0. */
export type PackedOrders = readonly (string | number)[];
/** For each order: count, end and remaining time of its window; the same of the second key, or zeroes. */
export type PackedCounts = readonly number[];

const ORDER_FIELDS = 4;
const COUNT_FIELDS = 6;

export function packOrders(orders: readonly CountOrder[]): PackedOrders {
  const packed: (string | number)[] = [];
  for (const { kind, key, next } of orders)
    packed.push(kind, key, next?.credentialId ?? '', next?.limit ?? 0);
  return packed;
}

export function unpackOrders(packed: PackedOrders): CountOrder[] {
  const orders: CountOrder[] = [];
  for (let at = 0; at < packed.length; at += ORDER_FIELDS) {
    const credentialId = packed[at + 2] as string;
    const next = credentialId === '' ? undefined : { credentialId, limit: packed[at + 3] as number };
    orders.push({ kind: packed[at] as LimitKind, key: packed[at + 1] as string, next });
  }
  return orders;
}

export function packCounts(counted: readonly Counted[]): PackedCounts {
  const packed: number[] = [];
  for (const { hit, next } of counted) {
    packed.push(...fieldsOf(hit), ...(next === undefined ? [0, 0, 0] : fieldsOf(next)));
  }
  return packed;
}

export function unpackCounts(packed: PackedCounts): Counted[] {
  const counted: Counted[] = [];
  for (let at = 0; at < packed.length; at += COUNT_FIELDS) {
    const next = packed[at + 3] === 0 ? undefined : hitAt(packed, at + 3);
    counted.push({ hit: hitAt(packed, at), next });
  }
  return counted;
}

/** Fractions of a millisecond only make the message longer; rounded up, nobody is told to come too early. */
function fieldsOf({ count, resetAtMs, resetInMs }: WindowHit): readonly [number, number, number] {
  return [count, Math.ceil(resetAtMs), Math.ceil(resetInMs)];
}

function hitAt(packed: PackedCounts, at: number): WindowHit {
  return { count: packed[at]!, resetAtMs: packed[at + 1]!, resetInMs: packed[at + 2]! };
}
