/** The few statistics that the figures are made of. */
import type { RecordableHistogram } from 'node:perf_hooks';

/** Middle of the sorted values; the mean of the two middle ones when their number is even. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value below which `percent` of the values lie (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)]!;
}

/** Latencies of one run in milliseconds. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

const NS_PER_MS = 1e6;

/** From a histogram of nanoseconds. */
export function latenciesOf(histogram: RecordableHistogram): Latencies {
  const at = (percent: number): number => histogram.percentile(percent) / NS_PER_MS;
  return {
    p50Ms: at(50),
    p95Ms: at(95),
    p99Ms: at(99),
    p999Ms: at(99.9),
    maxMs: histogram.count === 0 ? 0 : histogram.max / NS_PER_MS,
  };
}

/** Field by field the median of several runs. */
export function medianLatencies(runs: readonly Latencies[]): Latencies {
  const of = (field: keyof Latencies): number => median(runs.map((run) => run[field]));
  return {
    p50Ms: of('p50Ms'),
    p95Ms: of('p95Ms'),
    p99Ms: of('p99Ms'),
    p999Ms: of('p999Ms'),
    maxMs: of('maxMs'),
  };
}
