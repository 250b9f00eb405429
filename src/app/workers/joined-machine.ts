/** A worker's view of the machine: the primary thread knows all workers. */
import type { LimitsMemory } from '../../limits/own-limits.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import type { Machine } from '../service/context/machine.ts';
import type { RequestFilter, RequestRow } from '../../storage/activity/store.ts';
import type { CatalogueStart } from './catalogue-place.ts';
import type { Channel } from './channel.ts';

/** Start data of a worker. */
export interface WorkerStart {
  /** From 1 on; a replacement keeps its predecessor's number. */
  readonly number: number;
  /** Configured workers, including this one. */
  readonly workerCount: number;
  readonly joinsWhenReady: boolean;
  readonly limits: LimitsMemory;
  readonly catalogue: CatalogueStart;
  /** Standard error of the process is a terminal, which a thread can't see. */
  readonly isTerminal: boolean;
}

export function joinMachine(
  channel: Channel,
  { limits, joinsWhenReady, workerCount }: Omit<WorkerStart, 'catalogue'>,
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
