/**
 * What a server process tells about itself. Loaded into every measured server, ours and the others, with `--import`,
 * so that their own code knows nothing of being measured. It costs nothing until it is asked.
 */
import { performance } from 'node:perf_hooks';
import type { OrderHandlers } from './channel.ts';
import { type Pauses, startPauseWatch } from './pause-watch.ts';

export interface Usage {
  /** Processor time of all threads since the start, seconds. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** Time since the process began, seconds. */
  readonly uptimeSeconds: number;
}

let pauses: ReturnType<typeof startPauseWatch> | undefined;

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
    pauses?.read();
    pauses = startPauseWatch();
  },
  readPauses: (): Pauses => {
    if (pauses === undefined) throw new Error('nobody asked to watch');
    const read = pauses.read();
    pauses = undefined;
    return read;
  },
};
