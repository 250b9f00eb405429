/** Counts answers for the metrics, cheaply enough for every request; the scrape formats them. */
import { type ConnectionMeter, createConnectionMeter } from './connection-meter.ts';
import type { Caller } from '../caller.ts';
import type { MetricFamily } from './metric-family.ts';

/** Upper bounds in ms; a last bucket takes everything above. */
export const DURATION_BOUNDS_MS = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000,
] as const;

/** The code of a success. */
export const NO_PROBLEM = 'OK';

interface AnswerCount {
  readonly status: number;
  /** The problem's code, or NO_PROBLEM. */
  readonly code: string;
  count: number;
}

export interface OperationMeter {
  /** One per status and code; a handful. */
  readonly answers: readonly AnswerCount[];
  /** One count per bound, not cumulative, and one for the rest. */
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
   * `operationName` and `code` come from our own short lists, never from the request: their values are kept for ever.
   */
  count(operationName: string, status: number, code: string, durationMs: number): void;
  readonly operations: ReadonlyMap<string, OperationMeter>;
  readonly credentials: CredentialMeter;
  /** By their names in the metrics. */
  readonly limits: Readonly<Record<'ingress' | 'quota' | 'quotes_per_day', LimitTally>>;
  readonly connections: ConnectionMeter;
  /** Requests refused because the event loop was late. */
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

  /** The first entry is nearly always the right one: an operation's first answer is mostly its success. */
  #answerCount(status: number, code: string): AnswerCount {
    for (const known of this.answers) if (known.status === status && known.code === code) return known;
    const fresh = { status, code, count: 0 };
    this.answers.push(fresh);
    return fresh;
  }
}

// Counts the answers of each credential, for a limited number of credentials.

/** Credentials with four series each; the others share `other`. */
export const CREDENTIALS_COUNTED_MAX = 500;

/**
 * `refused`: 401, its token was revoked or had expired. `limited`: 429. `failed`: 500 and above. `answered`: all else.
 */
export const CREDENTIAL_OUTCOMES = ['answered', 'refused', 'limited', 'failed'] as const;
type Outcome = (typeof CREDENTIAL_OUTCOMES)[number];

interface CredentialCount {
  readonly partnerId: string;
  readonly credentialId: string;
  readonly answers: Record<Outcome, number>;
}

interface CredentialMeter {
  /** Ignores unknown callers and operators. */
  count(caller: Caller | undefined, status: number): void;
  counts(): Iterable<CredentialCount>;
}

export function createCredentialMeter(): CredentialMeter {
  const byCredential = new Map<string, CredentialCount>();
  let other: CredentialCount | undefined;

  function countOf({ credentialId, partnerId }: Caller): CredentialCount | undefined {
    if (credentialId === undefined) return undefined;
    const known = byCredential.get(credentialId);
    if (known !== undefined) return known;
    if (byCredential.size >= CREDENTIALS_COUNTED_MAX)
      return (other ??= { partnerId: 'other', credentialId: 'other', answers: noAnswers() });
    const fresh = { partnerId: partnerId ?? '', credentialId, answers: noAnswers() };
    byCredential.set(credentialId, fresh);
    return fresh;
  }

  return {
    count(caller, status) {
      const counted = caller === undefined ? undefined : countOf(caller);
      if (counted !== undefined) counted.answers[outcomeOf(status)] += 1;
    },
    *counts() {
      yield* byCredential.values();
      if (other !== undefined) yield other;
    },
  };
}

export function credentialFamily(meter: CredentialMeter): MetricFamily {
  return {
    name: 'stayport_credential_requests_total',
    help: `Answers by partner, credential and outcome, for ${CREDENTIALS_COUNTED_MAX} credentials; the rest as other.`,
    type: 'counter',
    *read() {
      for (const { partnerId, credentialId, answers } of meter.counts()) {
        for (const outcome of CREDENTIAL_OUTCOMES) {
          const labels = { partner: partnerId, credential: credentialId, outcome };
          yield { value: answers[outcome], labels };
        }
      }
    },
  };
}

function outcomeOf(status: number): Outcome {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  return status === 401 ? 'refused' : 'answered';
}

function noAnswers(): Record<Outcome, number> {
  return { answered: 0, refused: 0, limited: 0, failed: 0 };
}

// Counts what became of quotes and handoffs.

export interface OutcomeMeter {
  quotesStored: number;
  readonly handoffs: Record<'unchanged' | 'price_changed' | 'unavailable' | 'expired' | 'invalid', number>;
}

export function createOutcomeMeter(): OutcomeMeter {
  return {
    quotesStored: 0,
    handoffs: { unchanged: 0, price_changed: 0, unavailable: 0, expired: 0, invalid: 0 },
  };
}

type CountedResolution =
  | {
      readonly refusal?: undefined;
      readonly outcome: Exclude<keyof OutcomeMeter['handoffs'], 'invalid'>;
      readonly test: boolean;
    }
  | { readonly refusal: string };

/** Counts the outcome unless it is of the sandbox, and returns the resolution. */
export function countHandoff<Resolution extends CountedResolution>(
  meter: OutcomeMeter,
  resolution: Resolution,
): Resolution {
  if (resolution.refusal !== undefined) meter.handoffs.invalid += 1;
  else if (!resolution.test) meter.handoffs[resolution.outcome] += 1;
  return resolution;
}
