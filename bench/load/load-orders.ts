/** What the load process is told, and what it answers. */
import type { Latencies } from '../measure/statistics.ts';

export interface LoadTarget {
  readonly port: number;
  /** Complete HTTP requests, sent in turn; every connection takes the next one. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** `asFastAsPossible`: each connection sends when it has its answer. Else so many requests a second, come what may. */
export interface LoadOrder extends LoadTarget {
  readonly requestsPerSecond: number | 'asFastAsPossible';
}

export interface LoadReport {
  readonly answers: number;
  /** The same with the warm-up. */
  readonly answersInAll: number;
  /** Answers that were no 2xx. */
  readonly refusals: number;
  readonly seconds: number;
  readonly answersPerSecond: number;
  readonly bytesPerAnswer: number;
  readonly latencies: Latencies;
  /** Share of its core that the load itself used; near 1 it is what limits the rate. */
  readonly loadBusy: number;
}
