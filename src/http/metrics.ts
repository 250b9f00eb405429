/** What /metrics shows: the process, and the answers of the partner listener. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { SharingState } from '../limits/shared-limits.ts';
import { limitMetrics } from './limit-metrics.ts';
import { DURATION_BOUNDS_MS, type OperationMeter, type RequestMeter } from './request-meter.ts';

/** `sharing` is there when limits are counted elsewhere. */
export function buildMetrics(meter: RequestMeter, sharing?: () => SharingState): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(requestCounter(meter));
  for (const gauge of durationSeries(meter)) registry.registerMetric(gauge);
  if (sharing !== undefined) for (const metric of limitMetrics(sharing)) registry.registerMetric(metric);
  return registry;
}

function requestCounter(meter: RequestMeter): Counter {
  return new Counter({
    name: 'stayport_requests_total',
    help: 'Answers of the partner listener.',
    labelNames: ['operation', 'status'],
    registers: [],
    collect() {
      this.reset();
      for (const [operation, { countByStatus }] of meter.operations) {
        for (const [status, count] of countByStatus) this.inc({ operation, status }, count);
      }
    },
  });
}

/** The three series of a histogram whose buckets are counted elsewhere: filled in when they are asked for. */
function durationSeries(meter: RequestMeter): readonly Gauge[] {
  const series = (
    suffix: string,
    help: string,
    labels: readonly string[],
    show: (gauge: Gauge, operation: string, counts: OperationMeter) => void,
  ): Gauge =>
    new Gauge({
      name: `stayport_request_duration_seconds_${suffix}`,
      help,
      labelNames: ['operation', ...labels],
      registers: [],
      collect() {
        for (const [operation, counts] of meter.operations) show(this, operation, counts);
      },
    });
  return [
    series('bucket', 'Answers within so many seconds, cumulated.', ['le'], (gauge, operation, counts) => {
      for (const [le, count] of cumulate(counts)) gauge.set({ operation, le }, count);
    }),
    series('sum', 'Seconds that all answers took together.', [], (gauge, operation, { sumMs }) => {
      gauge.set({ operation }, sumMs / 1000);
    }),
    series('count', 'Answers.', [], (gauge, operation, counts) => {
      gauge.set({ operation }, totalOf(counts));
    }),
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
