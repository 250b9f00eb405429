/** Types of a service that runs in one of several worker threads. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { RecentRequests } from '../../../operator/activity/recent-requests.ts';
import type { Memory } from '../../../read-model/catalogue/memory/memory.ts';
import type { AskElsewhere } from '../../../read-model/catalogue/questions/questions.ts';
import type { Reading } from '../../../read-model/catalogue/memory/publication.ts';
import type { CatalogueSource } from '../../../read-model/following/follower.ts';
import type { LimitsMemory } from '../../../limits/own-limits.ts';
import type { Readiness } from '../../../runtime/readiness.ts';
import type { RequestFilter, RequestRow } from '../../../storage/activity/store.ts';

export interface CatalogueView {
  readonly memory: Memory;
  readonly reading: Reading;
}

/** The catalogue of the machine as one thread reads it. */
export interface SharedCatalogue {
  readonly view: () => CatalogueView;
  /** Called between answers when the writing thread was replaced and the catalogue is in other memory. */
  readonly onReplaced: (listener: (view: CatalogueView) => void) => void;
  /** Called once the schema is in place. */
  follow(): CatalogueSource;
  /** The machine's thread for long questions; undefined: this thread answers them. */
  readonly askReader?: AskElsewhere | undefined;
}

export interface Machine {
  /** Workers of the machine, including this one. */
  readonly workerCount: number;
  /** Shared counters of all workers. */
  readonly limits: LimitsMemory;
  /** Other workers already serve partners: this one joins when its catalogue is in memory, and delays nobody. */
  readonly joinsWhenReady: boolean;
  /** Takes the state of this worker; returns the combined state of all workers. */
  join(worker: WorkerView): MachineView;
}

/** All metrics of a thread with their values, as prom-client returns them. */
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
