/** A metric over numbers that live elsewhere: formatted at the scrape, free before. */
import type { Metric, Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  readonly value: number;
  readonly labels: Labels;
  /** For the series of a histogram. */
  readonly metricName?: string;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Combines the numbers of several threads: a sum, unless only the worst is meaningful. */
  readonly aggregator?: 'sum' | 'max' | 'min';
  /** The present samples. */
  readonly read: () => Iterable<Sample>;
}

export function registerFamily(registry: Registry, family: MetricFamily): void {
  const { name, help, type, aggregator = 'sum', read } = family;
  const about = { name, help, type, aggregator };
  // The result of `get` is sent between threads, so it must not hold a function.
  const metric = { ...about, get: async () => ({ ...about, values: [...read()] }) };
  // The library's type lists its own classes; all that its registry calls is `get`.
  registry.registerMetric(metric as unknown as Metric);
}

type Aggregator = NonNullable<MetricFamily['aggregator']>;
type Numbers = Readonly<Record<string, number>>;

/** One number without labels. */
export function gauge(
  name: string,
  help: string,
  read: () => number,
  aggregator: Aggregator = 'sum',
): MetricFamily {
  const samples = () => [{ value: read(), labels: {} }];
  return { name, help, type: 'gauge', aggregator, read: samples };
}

/** Numbers by the value of one label. */
export function gaugeBy(
  name: string,
  help: string,
  label: string,
  read: () => Numbers,
  aggregator: Aggregator = 'sum',
): MetricFamily {
  const samples = () => Object.entries(read()).map(([key, value]) => ({ value, labels: { [label]: key } }));
  return { name, help, type: 'gauge', aggregator, read: samples };
}

/** Only grows. */
export function counter(...about: Parameters<typeof gauge>): MetricFamily {
  return { ...gauge(...about), type: 'counter' };
}

/** Only grow. */
export function counterBy(...about: Parameters<typeof gaugeBy>): MetricFamily {
  return { ...gaugeBy(...about), type: 'counter' };
}
