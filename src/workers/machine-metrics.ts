/** The metrics of all processes of the machine as if they were one. */
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Metrics } from '../service/machine.ts';
import { askMetrics, type Member } from './members.ts';

export interface MachineMetrics {
  /** In the text format of Prometheus. */
  render(members: readonly Member[]): Promise<string>;
  /** A worker ended: what it counted goes on being counted, or every sum would fall. */
  keep(metrics: Metrics): Promise<void>;
}

const CUMULATED: ReadonlySet<string> = new Set(['counter', 'histogram']);

export interface MachineCounts {
  readonly wanted: () => number;
  readonly restarts: () => number;
}

export function createMachineMetrics(counts: MachineCounts): MachineMetrics {
  const processes = new Registry();
  collectDefaultMetrics({ register: processes });
  let ended: Metrics = [];
  return {
    async render(members) {
      const asked = await askMetrics(members);
      const workers = workerMetrics(members, counts);
      const own = [await processes.getMetricsAsJSON(), await workers.getMetricsAsJSON()];
      return await AggregatorRegistry.aggregate([...asked, ended, ...own]).metrics();
    },
    async keep(metrics) {
      const cumulated = metrics.filter(({ type }) => CUMULATED.has(String(type)));
      ended = await AggregatorRegistry.aggregate([ended, cumulated]).getMetricsAsJSON();
    },
  };
}

function workerMetrics(members: readonly Member[], { wanted, restarts }: MachineCounts): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number): void => {
    new Gauge({ name, help, registers: [registry] }).set(value);
  };
  const listening = members.filter(({ isListening }) => isListening).length;
  gauge('stayport_workers', 'Workers that accept connections.', listening);
  gauge('stayport_workers_wanted', 'Workers that there should be.', wanted());
  const name = 'stayport_worker_restarts_total';
  new Counter({ name, help: 'Workers that ended and were replaced.', registers: [registry] }).inc(restarts());
  return registry;
}
