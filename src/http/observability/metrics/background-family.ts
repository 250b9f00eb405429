/** How background work fares, for the metrics. */
import { BACKGROUND_FAILURES } from '../../../storage/tasks/repeat.ts';
import { counterBy, type MetricFamily } from './metric-family.ts';

export function backgroundFamily(): MetricFamily {
  return counterBy(
    'stayport_background_failures_total',
    'Rounds of background work that failed because of a bug, by work; the next round tries again.',
    'work',
    () => Object.fromEntries(BACKGROUND_FAILURES),
  );
}
