/** Shared rules of a machine's threads: how they start and restart. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Environment } from '../settings/settings.ts';

/** Deaths of one worker within this time count together. */
export const DEATHS_WINDOW_MS = 60_000;
/** More deaths than this are a crash loop. */
export const DEATHS_MAX = 8;
export const RESTART_DELAY_MS_MIN = 50;
export const RESTART_DELAY_MS_MAX = 5_000;
const BYTES_PER_MB = 2 ** 20;

/** Bounded like a process: a thread that needs more memory ends alone. */
export function startThread(
  program: URL,
  name: string,
  workerData: unknown,
  environment: Environment,
  transferList: Transferable[] = [],
): Worker {
  return new Worker(program, {
    name,
    workerData,
    transferList,
    env: { ...environment, ...compileCache() },
    resourceLimits: {
      maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / BYTES_PER_MB),
    },
  });
}

/** Threads read the modules that the first one has compiled. */
function compileCache(): Environment {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}

export interface Restarts {
  /** Ms until the replacement starts; undefined when there is none. */
  delayAfterDeath(nowMs: number): number | undefined;
}

/**
 * When to replace a worker that ended: ever later, at last never: 50, 100, 200, ... 5,000 ms; eight replacements take
 * 11 s.
 */
export function createRestarts(): Restarts {
  let deathsAtMs: readonly number[] = [];
  return {
    delayAfterDeath(nowMs) {
      deathsAtMs = [...deathsAtMs.filter((atMs) => nowMs - atMs < DEATHS_WINDOW_MS), nowMs];
      if (deathsAtMs.length > DEATHS_MAX) return undefined;
      return Math.min(RESTART_DELAY_MS_MIN * 2 ** (deathsAtMs.length - 1), RESTART_DELAY_MS_MAX);
    },
  };
}
