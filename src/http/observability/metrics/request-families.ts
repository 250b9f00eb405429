/** Metrics of the partner listener's answers, and of its limits. */
import { counter, gauge, type MetricFamily } from './metric-family.ts';
import { DURATION_BOUNDS_MS, type OperationMeter, type RequestMeter } from './request-meter.ts';
import type { SharingState } from '../../../limits/shared-limits.ts';

const DURATION = 'stayport_request_duration_seconds';

export function requestFamilies({ operations }: RequestMeter): MetricFamily[] {
  return [
    {
      name: 'stayport_requests_total',
      help: 'Answers of the partner listener by operation, status and problem code (OK: no problem).',
      type: 'counter',
      *read() {
        for (const [operation, { answers }] of operations) {
          for (const { status, code, count } of answers) {
            yield { value: count, labels: { operation, status: String(status), code } };
          }
        }
      },
    },
    {
      name: DURATION,
      help: 'Time from the request line and headers to the answer.',
      type: 'histogram',
      *read() {
        for (const [operation, meter] of operations) {
          for (const [le, value] of cumulate(meter)) {
            yield { metricName: `${DURATION}_bucket`, value, labels: { operation, le } };
          }
          yield { metricName: `${DURATION}_sum`, value: meter.sumMs / 1000, labels: { operation } };
          yield { metricName: `${DURATION}_count`, value: totalOf(meter), labels: { operation } };
        }
      },
    },
  ];
}

function* cumulate({ countByBucket }: OperationMeter): Generator<[string, number]> {
  let total = 0;
  for (const [index, count] of countByBucket.entries()) {
    total += count;
    const boundMs = DURATION_BOUNDS_MS[index];
    yield [boundMs === undefined ? '+Inf' : String(boundMs / 1000), total];
  }
}

function totalOf({ countByBucket }: OperationMeter): number {
  return countByBucket.reduce((sum, count) => sum + count, 0);
}

// Decisions of the limits, and whether they are exact.

/** Unshared limits are exact. */
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
    gauge(
      'stayport_limits_shared',
      '1 while counts are shared with other processes, 0 while this process counts alone.',
      () => (sharing().isShared ? 1 : 0),
      'min',
    ),
    counter(
      'stayport_limits_lost_total',
      'How often the shared counts were lost.',
      () => sharing().lossCount,
    ),
    counter(
      'stayport_limits_own_counts_total',
      'Requests that were counted by this process alone, because the shared counts were lost.',
      () => sharing().fallbackCount,
    ),
  ];
}
