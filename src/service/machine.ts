/** What a service has when it runs in one of several worker threads. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { LimitsMemory } from '../limits/own-limits.ts';
import type { Readiness } from '../runtime/readiness.ts';

export interface Machine {
  /** Workers that there should be, this one included. */
  readonly workerCount: number;
  /** All workers count in it. */
  readonly limits: LimitsMemory;
  /** Others serve partners already: this one joins them when its catalogue is in memory, and keeps nobody waiting. */
  readonly joinsWhenReady: boolean;
  /** Takes the state of this worker; returns the combined state of all workers. */
  join(worker: WorkerView): MachineView;
}

/** All metrics of a thread with their values, as prom-client hands them over. */
export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

export interface WorkerView {
  readonly readiness: () => Readiness;
  readonly metrics: () => Promise<Metrics>;
}

export interface MachineView {
  readonly readiness: () => Promise<Readiness>;
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}
