/** What /metrics shows of limits that are counted elsewhere: whether that works, and what was counted here meanwhile. */
import { Counter, Gauge } from 'prom-client';
import type { SharingState } from '../limits/shared-limits.ts';

export function limitMetrics(sharing: () => SharingState): readonly (Counter | Gauge)[] {
  return [
    new Gauge({
      name: 'stayport_limits_shared',
      help: '1 while every count is shared with the other processes, 0 while this process counts for itself.',
      registers: [],
      collect() {
        this.set(sharing().isShared ? 1 : 0);
      },
    }),
    counter('stayport_limits_lost_total', 'How often sharing the counts was lost.', (state) => state.lossCount),
    counter(
      'stayport_limits_own_counts_total',
      'Requests that were counted by this process alone, because sharing was lost.',
      (state) => state.fallbackCount,
    ),
  ];

  function counter(name: string, help: string, valueOf: (state: SharingState) => number): Counter {
    return new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(valueOf(sharing()));
      },
    });
  }
}
