/** Counts answers for the metrics, cheaply enough for every request: the numbers are put in form when asked for. */

/** Upper bounds in ms; a last bucket takes everything above. */
export const DURATION_BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500] as const;

export interface OperationMeter {
  readonly countByStatus: Map<number, number>;
  /** One count per bound, not cumulated, and one for everything above. */
  readonly countByBucket: number[];
  sumMs: number;
}

export interface RequestMeter {
  /** `operationName` is from our own short list, never from the request: its values are held for ever. */
  count(operationName: string, status: number, durationMs: number): void;
  readonly operations: ReadonlyMap<string, OperationMeter>;
}

export function createRequestMeter(): RequestMeter {
  const operations = new Map<string, OperationMeter>();
  return {
    operations,
    count(operationName, status, durationMs) {
      let meter = operations.get(operationName);
      if (meter === undefined) {
        meter = { countByStatus: new Map(), countByBucket: [...DURATION_BOUNDS_MS, 0].fill(0), sumMs: 0 };
        operations.set(operationName, meter);
      }
      meter.countByStatus.set(status, (meter.countByStatus.get(status) ?? 0) + 1);
      meter.sumMs += durationMs;
      let bucket = 0;
      while (bucket < DURATION_BOUNDS_MS.length && durationMs > DURATION_BOUNDS_MS[bucket]!) bucket += 1;
      meter.countByBucket[bucket] = (meter.countByBucket[bucket] ?? 0) + 1;
    },
  };
}
