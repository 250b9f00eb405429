/** The machine as one of its workers sees it: what the primary thread knows of all of them. */
import type { LimitsMemory } from '../limits/own-limits.ts';
import type { Readiness } from '../runtime/readiness.ts';
import type { Machine } from '../service/machine.ts';
import type { RequestFilter, RequestRow } from '../storage/activity/store.ts';
import type { CataloguePlace } from './catalogue-place.ts';
import type { Channel } from './channel.ts';

/** What a worker is started with. */
export interface WorkerPlace {
  /** From 1 on; a replacement has the number of the worker that it replaces. */
  readonly number: number;
  /** Workers that there should be, this one included. */
  readonly workerCount: number;
  readonly joinsWhenReady: boolean;
  readonly limits: LimitsMemory;
  readonly catalogue: CataloguePlace;
  /** Standard error of the process is a terminal, which a thread can't see. */
  readonly isTerminal: boolean;
}

export function joinMachine(
  channel: Channel,
  { limits, joinsWhenReady, workerCount }: Omit<WorkerPlace, 'catalogue'>,
): Machine {
  return {
    limits,
    workerCount,
    joinsWhenReady,
    join(worker) {
      channel.answer('readiness', worker.readiness);
      channel.answer('metrics', worker.metrics);
      channel.answer('requests', (filter) => worker.recentRequests(filter as RequestFilter));
      return {
        readiness: async () => (await channel.ask('machine readiness')) as Readiness,
        metrics: async () => (await channel.ask('machine metrics')) as string,
        recentRequests: {
          find: async (filter) => (await channel.ask('machine requests', filter)) as readonly RequestRow[],
        },
      };
    },
  };
}
