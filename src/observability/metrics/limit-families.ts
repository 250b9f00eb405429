/** What the limits decided, and whether they are exact. */
import type { SharingState } from '../../limits/shared-limits.ts';
import { type MetricFamily, single } from './metric-family.ts';
import type { RequestMeter } from './request-meter.ts';

/** Limits that nobody shares are exact by themselves. */
const UNSHARED: SharingState = { isShared: true, lossCount: 0, fallbackCount: 0 };

export function limitFamilies(
  { limits }: Pick<RequestMeter, 'limits'>,
  sharing: () => SharingState = () => UNSHARED,
): MetricFamily[] {
  return [
    {
      name: 'stayport_limit_decisions_total',
      help: 'Requests checked against a limit.',
      type: 'counter',
      *read() {
        for (const [limit, { passed, refused }] of Object.entries(limits)) {
          yield { value: passed, labels: { limit, decision: 'passed' } };
          yield { value: refused, labels: { limit, decision: 'refused' } };
        }
      },
    },
    {
      name: 'stayport_limits_shared',
      help: '1 while counts are shared with other processes, 0 while this process counts alone.',
      type: 'gauge',
      aggregator: 'min',
      read: single(() => (sharing().isShared ? 1 : 0)),
    },
    {
      name: 'stayport_limits_lost_total',
      help: 'How often the shared counts were lost.',
      type: 'counter',
      read: single(() => sharing().lossCount),
    },
    {
      name: 'stayport_limits_own_counts_total',
      help: 'Requests that were counted by this process alone, because the shared counts were lost.',
      type: 'counter',
      read: single(() => sharing().fallbackCount),
    },
  ];
}
