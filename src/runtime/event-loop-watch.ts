/**
 * Watches the event loop's lateness, for the metrics and for overload.
 *
 * A timer every SAMPLE_INTERVAL_MS notes its lateness. Timers run before network input is read, so the verdict precedes
 * the waiting requests. One late sample is a pause (garbage collection, a suspended process), and its requests are
 * answered; LATE_SAMPLES_MIN in a row mean that each turn of the loop takes too long, and that an admitted request
 * waits at least as long.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export const SAMPLE_INTERVAL_MS = 100;
/** A turn of the loop that exceeds the interval by so much is late. */
export const LATE_MS_MAX = 500;
/** So many late samples in a row begin an overload. */
export const LATE_SAMPLES_MIN = 2;
/** A calm sample is below this; between the two limits nothing changes. */
export const CALM_MS_MAX = 100;
/** So many calm samples in a row end an overload: a second without trouble. */
export const CALM_SAMPLES_MIN = 10;

/** Resolution of the delay in the metrics; subtracted, because an idle loop is not late. */
const DELAY_RESOLUTION_MS = 10;
/** Quantiles cover the last one to two of these. */
const DELAY_WINDOW_MS = 30_000;
const NS_PER_MS = 1e6;

export interface EventLoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface EventLoopWatch {
  /** True from the sample that begins an overload to the one that ends it. */
  readonly isOverloaded: () => boolean;
  /** Over the last half to whole minute. */
  delay(): EventLoopDelay;
  stop(): void;
}

/** Called when an overload begins or ends, with the lateness in milliseconds. */
export type OnOverload = (isOverloaded: boolean, lateMs: number) => void;

export function watchEventLoop(onChange: OnOverload, lateMsMax?: number): EventLoopWatch {
  const verdict = createOverloadVerdict(lateMsMax);
  const histogram = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  histogram.enable();
  let before: EventLoopDelay = { p50Ms: 0, p99Ms: 0, maxMs: 0 };
  let windowStartMs = performance.now();
  let dueMs = performance.now() + SAMPLE_INTERVAL_MS;
  let timer = setTimeout(sample, SAMPLE_INTERVAL_MS);
  timer.unref();

  function sample(): void {
    const nowMs = performance.now();
    const lateMs = Math.max(0, nowMs - dueMs);
    if (verdict.take(lateMs)) onChange(verdict.isOverloaded(), lateMs);
    if (nowMs - windowStartMs >= DELAY_WINDOW_MS) {
      before = readDelay();
      histogram.reset();
      windowStartMs = nowMs;
    }
    dueMs = nowMs + SAMPLE_INTERVAL_MS;
    timer = setTimeout(sample, SAMPLE_INTERVAL_MS);
    timer.unref();
  }

  function readDelay(): EventLoopDelay {
    // Without a sample the histogram says 0 or NaN; neither is a delay.
    const beyondMs = (ns: number): number => Math.max(0, ns / NS_PER_MS - DELAY_RESOLUTION_MS) || 0;
    return {
      p50Ms: beyondMs(histogram.percentile(50)),
      p99Ms: beyondMs(histogram.percentile(99)),
      maxMs: beyondMs(histogram.max),
    };
  }

  return {
    isOverloaded: verdict.isOverloaded,
    delay() {
      const now = readDelay();
      return {
        p50Ms: Math.max(now.p50Ms, before.p50Ms),
        p99Ms: Math.max(now.p99Ms, before.p99Ms),
        maxMs: Math.max(now.maxMs, before.maxMs),
      };
    },
    stop() {
      clearTimeout(timer);
      histogram.disable();
    },
  };
}

export interface OverloadVerdict {
  readonly isOverloaded: () => boolean;
  /** Adds one sample; true when the verdict changed. */
  take(lateMs: number): boolean;
}

/** The rule alone, without a clock: begins with late samples, ends with calm ones. */
export function createOverloadVerdict(lateMsMax: number = LATE_MS_MAX): OverloadVerdict {
  let overloaded = false;
  let runLength = 0;
  return {
    isOverloaded: () => overloaded,
    take(lateMs) {
      const isAgainst = overloaded ? lateMs < CALM_MS_MAX : lateMs >= lateMsMax;
      runLength = isAgainst ? runLength + 1 : 0;
      if (runLength < (overloaded ? CALM_SAMPLES_MIN : LATE_SAMPLES_MIN)) return false;
      overloaded = !overloaded;
      runLength = 0;
      return true;
    },
  };
}
