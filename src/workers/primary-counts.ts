import { countNow, type OwnLimits } from '../limits/request-limits.ts';
import type { Channel } from './channel.ts';
import { packCounts, type PackedOrders, unpackOrders } from './count-messages.ts';

/** Counts what the worker at the other end asks to be counted, in windows that all workers share. */
export function answerCounts(channel: Channel, windows: OwnLimits): void {
  channel.answer('count', (packed) =>
    packCounts(unpackOrders(packed as PackedOrders).map((order) => countNow(windows, order))),
  );
}
