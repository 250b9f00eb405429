/** What a service has when it runs in one of several worker threads. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { RecentRequests } from '../activity/recent-requests.ts';
import type { Memory } from '../catalogue/memory/memory.ts';
import type { Reading } from '../catalogue/memory/publication.ts';
import type { CatalogueSource } from '../following/follower.ts';
import type { LimitsMemory } from '../limits/own-limits.ts';
import type { Readiness } from '../runtime/readiness.ts';
import type { RequestFilter, RequestRow } from '../storage/activity/store.ts';

export interface CatalogueView {
  readonly memory: Memory;
  readonly reading: Reading;
}

/** The catalogue of the machine as one thread reads it. */
export interface SharedCatalogue {
  readonly view: () => CatalogueView;
  /** Called between answers, when the thread that writes was replaced and the catalogue is in other memory. */
  readonly onReplaced: (listener: (view: CatalogueView) => void) => void;
  /** Called once the schema is in place. */
  follow(): CatalogueSource;
}

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
  readonly recentRequests: (filter: RequestFilter) => readonly RequestRow[];
}

export interface MachineView {
  readonly readiness: () => Promise<Readiness>;
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly recentRequests: RecentRequests;
}
