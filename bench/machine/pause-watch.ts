/** Pauses of this thread's event loop, and what they were: a turn's own processor time, and garbage collections. */
import {
  constants,
  type ELDHistogram,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
} from 'node:perf_hooks';

export interface Pauses {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  readonly samples: number;
  /** The turn that took longest. What this thread did not compute in it, it waited: for its core, or for other threads. */
  readonly longestTurn: Turn;
  /** Undefined where nothing was collected. */
  readonly longestCollection: Collection | undefined;
}

export interface Turn {
  readonly ms: number;
  /** Processor time of this thread in it. */
  readonly cpuMs: number;
}

export interface Collection {
  readonly kind: string;
  readonly ms: number;
  /** Because of memory outside of V8's heap: buffers. */
  readonly isForBuffers: boolean;
}

interface PauseWatch {
  /** Ends the watch. */
  read(): Pauses;
}

/** The event loop is looked at this often; a pause is what it comes later than that. */
const SAMPLE_EVERY_MS = 1;
const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;

const KINDS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'mark-compact'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'scavenge'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'step of marking'],
]);

export function startPauseWatch(): PauseWatch {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
  delays.enable();
  const turns = watchTurns();
  const collections = watchCollections();
  return {
    read() {
      delays.disable();
      return { ...describe(delays), longestTurn: turns.end(), longestCollection: collections.end() };
    },
  };
}

function describe(delays: ELDHistogram) {
  const at = (percent: number): number => delays.percentile(percent) / NS_PER_MS - SAMPLE_EVERY_MS;
  return {
    p50Ms: at(50),
    p99Ms: at(99),
    p999Ms: at(99.9),
    maxMs: delays.max / NS_PER_MS - SAMPLE_EVERY_MS,
    samples: delays.count,
  };
}

/** From one tick of a timer to the next: a turn of the event loop where anything in it takes longer than the timer. */
function watchTurns() {
  let longest: Turn = { ms: 0, cpuMs: 0 };
  let before = { atMs: performance.now(), cpu: process.threadCpuUsage() };
  const timer = setInterval(() => {
    const now = { atMs: performance.now(), cpu: process.threadCpuUsage() };
    const ms = now.atMs - before.atMs;
    const cpuUs = now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system;
    if (ms > longest.ms) longest = { ms, cpuMs: cpuUs / US_PER_MS };
    before = now;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    end(): Turn {
      clearInterval(timer);
      return longest;
    },
  };
}

type CollectionEntry = PerformanceEntry & {
  readonly detail: { readonly kind: number; readonly flags: number };
};

function watchCollections() {
  let longest: Collection | undefined;
  const take = (entries: readonly PerformanceEntry[]): void => {
    for (const { duration, detail } of entries as readonly CollectionEntry[]) {
      if (longest !== undefined && duration <= longest.ms) continue;
      const { kind, flags } = detail;
      longest = {
        kind: KINDS.get(kind) ?? `kind ${kind}`,
        ms: duration,
        isForBuffers: (flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY) !== 0,
      };
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    end(): Collection | undefined {
      take(observer.takeRecords());
      observer.disconnect();
      return longest;
    },
  };
}
