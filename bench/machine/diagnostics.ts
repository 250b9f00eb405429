/**
 * What a server process tells about itself. Loaded into every measured server, ours and the others, with `--import`,
 * so that their own code knows nothing of being measured. It costs nothing until it is asked.
 */
import { Session } from 'node:inspector/promises';
import { type ELDHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { OrderHandlers } from './channel.ts';

export interface Usage {
  /** Processor time of all threads since the start, seconds. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** Time since the process began, seconds. */
  readonly uptimeSeconds: number;
}

export interface Pauses {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  readonly samples: number;
}

/** The event loop is looked at this often; a pause is what it comes later than that. */
const SAMPLE_EVERY_MS = 1;
const PROFILE_EVERY_US = 200;
const NS_PER_MS = 1e6;

let pauses: ELDHistogram | undefined;
let inspector: Session | undefined;

export function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    uptimeSeconds: performance.now() / 1000,
  };
}

export const DIAGNOSTICS: OrderHandlers = {
  usage: ownUsage,
  watchPauses: (): void => {
    pauses?.disable();
    pauses = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
    pauses.enable();
  },
  readPauses: (): Pauses => {
    if (pauses === undefined) throw new Error('nobody asked to watch');
    pauses.disable();
    const at = (percent: number): number => pauses!.percentile(percent) / NS_PER_MS - SAMPLE_EVERY_MS;
    return {
      p50Ms: at(50),
      p99Ms: at(99),
      p999Ms: at(99.9),
      maxMs: pauses.max / NS_PER_MS - SAMPLE_EVERY_MS,
      samples: pauses.count,
    };
  },
  startProfile: async (): Promise<void> => {
    inspector = new Session();
    inspector.connect();
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.setSamplingInterval', { interval: PROFILE_EVERY_US });
    await inspector.post('Profiler.start');
  },
  /** The CPU profile since `startProfile`, as JSON. */
  stopProfile: async (): Promise<string> => {
    if (inspector === undefined) throw new Error('no profile was started');
    const { profile } = await inspector.post('Profiler.stop');
    inspector.disconnect();
    return JSON.stringify(profile);
  },
};
