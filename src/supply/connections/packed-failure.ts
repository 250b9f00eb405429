/** Failures as they cross threads, which classes do not survive. */
import { type Told, Wrong } from '../../domain/wrong.ts';
import { ConnectionFailure, type FailureState } from './kinds/connection-kind.ts';

export interface PackedFailure {
  readonly wrong: Told;
  readonly state: FailureState;
  readonly retryAfterMs: number | undefined;
}

/** Anything else is a fault of ours, or an answer that the kind did not expect: its text may quote a provider. */
export function packFailure(error: unknown): PackedFailure {
  if (error instanceof ConnectionFailure) {
    const { wrong, state, retryAfterMs } = error;
    return { wrong, state, retryAfterMs };
  }
  return { wrong: new Wrong('answerUnexpected'), state: 'failing', retryAfterMs: undefined };
}

export function unpackFailure({ wrong, state, retryAfterMs }: PackedFailure): ConnectionFailure {
  return new ConnectionFailure(wrong, state, retryAfterMs);
}
