/** Merges the metrics of all threads. */
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Metrics } from '../service/context/machine.ts';
import { backgroundFamily } from '../../http/observability/metrics/background-family.ts';
import { registerFamily } from '../../http/observability/metrics/metric-family.ts';
import { askMetrics, type Member } from './members.ts';

export interface MachineMetrics {
  /** In the text format of Prometheus. */
  render(members: readonly Member[]): Promise<string>;
  /** Keeps the counts of a worker that ended; otherwise sums would fall. */
  keep(metrics: Metrics): Promise<void>;
}

const CUMULATED: ReadonlySet<string> = new Set(['counter', 'histogram']);
/** Processor time, memory and open files belong to the process: each thread sees all of them. */
const OF_PROCESS = /^process_/;

export interface MachineCounts {
  readonly wanted: () => number;
  readonly restarts: () => number;
}

export function createMachineMetrics(counts: MachineCounts): MachineMetrics {
  const process = new Registry();
  collectDefaultMetrics({ register: process });
  // Those of this thread, and of the thread that follows the catalogue.
  registerFamily(process, backgroundFamily());
  let ended: Metrics = [];
  return {
    async render(members) {
      const asked = (await askMetrics(members)).map(ofThread);
      const workers = workerMetrics(members, counts);
      const own = [await process.getMetricsAsJSON(), await workers.getMetricsAsJSON()];
      return await AggregatorRegistry.aggregate([...asked, ended, ...own]).metrics();
    },
    async keep(metrics) {
      const cumulated = ofThread(metrics).filter(({ type }) => CUMULATED.has(String(type)));
      ended = await AggregatorRegistry.aggregate([ended, cumulated]).getMetricsAsJSON();
    },
  };
}

function ofThread(metrics: Metrics): Metrics {
  return metrics.filter(({ name }) => !OF_PROCESS.test(name));
}

function workerMetrics(members: readonly Member[], { wanted, restarts }: MachineCounts): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number): void => {
    new Gauge({ name, help, registers: [registry] }).set(value);
  };
  const listening = members.filter(({ isListening }) => isListening).length;
  gauge('stayport_workers', 'Workers that accept connections.', listening);
  gauge('stayport_workers_wanted', 'Workers that are configured.', wanted());
  const name = 'stayport_worker_restarts_total';
  new Counter({ name, help: 'Workers that ended and were replaced.', registers: [registry] }).inc(restarts());
  return registry;
}
