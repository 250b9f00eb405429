/** The machine as one of its workers sees it: what the primary process does and knows for all of them. */
import type { Readiness } from '../runtime/readiness.ts';
import { countInAdvance } from '../limits/limits-in-advance.ts';
import { createOwnLimits } from '../limits/own-limits.ts';
import type { LimitKind } from '../limits/request-limits.ts';
import { createSharedLimits, fallbackTo } from '../limits/shared-limits.ts';
import type { Channel } from './channel.ts';
import { packOrders, packSettlements, type PackedCounts, unpackCounts } from './count-messages.ts';
import type { Machine } from '../service/machine.ts';

/** What a worker asks first: who it is. */
export interface WorkerPlace {
  /** From 1 on; a replacement has the number of the worker that it replaces. */
  readonly number: number;
  readonly joinsWhenReady: boolean;
}

export interface MachineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export function joinMachine(channel: Channel, place: WorkerPlace, logger: MachineLogger): Machine {
  const shared = createSharedLimits({
    counters: [
      {
        async count(orders) {
          return unpackCounts((await channel.ask('count', packOrders(orders))) as PackedCounts);
        },
      },
    ],
    fallback: fallbackTo(createOwnLimits()),
    onLost: (reason) => logger.warn({ reason }, 'the primary process does not count: this worker does'),
    onBack: () => logger.info({}, 'the primary process counts again'),
  });
  const limits = countInAdvance(shared, (back) => channel.tell('counts back', packSettlements(back)));
  channel.answer('settle', (about) => {
    const [kind, key] = about as [LimitKind, string];
    return packSettlements([limits.settle(kind, key)]);
  });
  return {
    joinsWhenReady: place.joinsWhenReady,
    limits,
    join(worker) {
      channel.answer('readiness', worker.readiness);
      channel.answer('metrics', worker.metrics);
      return {
        readiness: async () => (await channel.ask('machine readiness')) as Readiness,
        metrics: async () => (await channel.ask('machine metrics')) as string,
      };
    },
  };
}
