/** Counts the answers of each credential, for a limited number of credentials. */
import type { Caller } from '../caller.ts';
import type { MetricFamily } from './metric-family.ts';

/** Credentials with series of their own, four each. The others are counted together, as `other`. */
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

export interface CredentialMeter {
  /** Counts nothing for who is not known, or is an operator. */
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
