/** What is true of all workers together, asked of each of them. */
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Counter, Registry } from 'prom-client';
import type { Readiness } from '../http/readiness-hook.ts';
import type { Channel } from './channel.ts';
import type { Metrics } from './machine.ts';

/** A worker that runs. */
export interface Member {
  readonly number: number;
  readonly channel: Channel;
  /** It accepts partners' connections. */
  isListening: boolean;
  /** Its catalogue is in memory. */
  isReady: boolean;
}

/** A worker that is silent for longer is busy or stuck, and either is worth knowing. */
const MEMBER_ANSWER_MS_MAX = 1_000;

/** Ready when whichever worker a partner comes to is ready. Those that did not join yet get no partners. */
export async function askAllReadiness(members: Iterable<Member>): Promise<Readiness> {
  const serving = [...members].filter(({ isListening }) => isListening);
  if (serving.length === 0) return { reason: 'no worker accepts connections yet' };
  const states = await Promise.all(serving.map(askReadiness));
  return states.find((state) => state !== 'ready') ?? 'ready';
}

async function askReadiness({ number, channel }: Member): Promise<Readiness> {
  const state = await inTime(channel.ask('readiness') as Promise<Readiness>);
  if (state === 'ready') return state;
  return { reason: `worker ${number}: ${state?.reason ?? 'does not answer'}` };
}

export interface MachineCounts {
  readonly restartCount: number;
  readonly wantedCount: number;
}

/**
 * The metrics of all processes, told apart by the label `worker`: a counter that begins anew with a replaced worker is
 * then understood as such, where a sum over all would only seem to fall.
 */
export async function askAllMetrics(members: Iterable<Member>, counts: MachineCounts): Promise<string> {
  const all = [...members];
  const answers = await Promise.all(
    all.map(async ({ number, channel }) => {
      const metrics = await inTime(channel.ask('metrics') as Promise<Metrics>);
      return metrics === undefined ? [] : [labelled(metrics, String(number))];
    }),
  );
  const own = await primaryRegistry(all, counts).getMetricsAsJSON();
  const processes = await processMetrics.getMetricsAsJSON();
  const merged = AggregatorRegistry.aggregate([...answers.flat(), labelled(processes, 'primary'), own]);
  return await merged.metrics();
}

const processMetrics = new Registry();
let isCollecting = false;

function primaryRegistry(members: readonly Member[], counts: MachineCounts): Registry {
  if (!isCollecting) collectDefaultMetrics({ register: processMetrics });
  isCollecting = true;
  const registry = new Registry();
  const registers = [registry];
  const serving = members.filter(({ isListening }) => isListening).length;
  new Gauge({ name: 'stayport_workers', help: 'Workers that accept connections.', registers }).set(serving);
  new Gauge({ name: 'stayport_workers_wanted', help: 'Workers that there should be.', registers }).set(
    counts.wantedCount,
  );
  new Counter({
    name: 'stayport_worker_restarts_total',
    help: 'Workers that ended and were replaced.',
    registers,
  }).inc(counts.restartCount);
  return registry;
}

/** No two series of two processes are the same any more, so nothing is summed up. */
function labelled(metrics: Metrics, worker: string): Metrics {
  return metrics.map((metric) => ({
    ...metric,
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
  }));
}

/** Undefined when there is no answer in time, or none at all. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MEMBER_ANSWER_MS_MAX);
  });
  try {
    return await Promise.race([answer, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
