/** How background work fares, for the metrics. */
import { BACKGROUND_FAILURES } from '../../storage/tasks/repeat.ts';
import type { MetricFamily } from './metric-family.ts';

export function backgroundFamily(): MetricFamily {
  return {
    name: 'stayport_background_failures_total',
    help: 'Rounds of background work that failed because of a bug, by work; the next round tries again.',
    type: 'counter',
    *read() {
      for (const [work, value] of BACKGROUND_FAILURES) yield { value, labels: { work } };
    },
  };
}
