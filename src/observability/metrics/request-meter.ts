/** Counts answers for the metrics, cheaply enough for every request: the numbers are formatted at the scrape. */

import { createCredentialMeter, type CredentialMeter } from './credential-meter.ts';
import { type ConnectionMeter, createConnectionMeter } from './connection-meter.ts';

/** Upper bounds in ms; a last bucket takes everything above. */
export const DURATION_BOUNDS_MS = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000,
] as const;

/** The code of an answer that is not a problem. */
export const NO_PROBLEM = 'OK';

export interface AnswerCount {
  readonly status: number;
  /** The problem's code, or NO_PROBLEM. */
  readonly code: string;
  count: number;
}

export interface OperationMeter {
  /** One per status and code that was answered; a handful. */
  readonly answers: readonly AnswerCount[];
  /** One count per bound, not cumulated, and one for everything above. */
  readonly countByBucket: readonly number[];
  readonly sumMs: number;
}

/** Decisions of one limit. */
export interface LimitTally {
  passed: number;
  refused: number;
}

export interface RequestMeter {
  /**
   * `operationName` and `code` are from our own short lists, never from the request: their values are held for ever.
   */
  count(operationName: string, status: number, code: string, durationMs: number): void;
  readonly operations: ReadonlyMap<string, OperationMeter>;
  readonly credentials: CredentialMeter;
  /** By their names in the metrics. */
  readonly limits: Readonly<Record<'ingress' | 'quota' | 'quotes_per_day', LimitTally>>;
  readonly connections: ConnectionMeter;
  /** Requests that were refused because the event loop was late. */
  shedCount: number;
}

export function createRequestMeter(): RequestMeter {
  const operations = new Map<string, CountingMeter>();
  return {
    operations,
    credentials: createCredentialMeter(),
    limits: {
      ingress: { passed: 0, refused: 0 },
      quota: { passed: 0, refused: 0 },
      quotes_per_day: { passed: 0, refused: 0 },
    },
    connections: createConnectionMeter(),
    shedCount: 0,
    count(operationName, status, code, durationMs) {
      let meter = operations.get(operationName);
      if (meter === undefined) operations.set(operationName, (meter = new CountingMeter()));
      meter.count(status, code, durationMs);
    },
  };
}

class CountingMeter implements OperationMeter {
  readonly answers: AnswerCount[] = [];
  readonly countByBucket: number[] = [...DURATION_BOUNDS_MS, 0].fill(0);
  sumMs = 0;

  count(status: number, code: string, durationMs: number): void {
    this.#answerCount(status, code).count += 1;
    this.sumMs += durationMs;
    let bucket = 0;
    while (bucket < DURATION_BOUNDS_MS.length && durationMs > DURATION_BOUNDS_MS[bucket]!) bucket += 1;
    this.countByBucket[bucket]! += 1;
  }

  /** The first is nearly always the one: whatever an operation answered first, mostly its success. */
  #answerCount(status: number, code: string): AnswerCount {
    for (const known of this.answers) if (known.status === status && known.code === code) return known;
    const fresh = { status, code, count: 0 };
    this.answers.push(fresh);
    return fresh;
  }
}
