/** What can be chosen for each call, and what is told of each request. */
import { checkFields, checkNumber, refuse } from './check-arguments.ts';
import type { StayportError } from './errors.ts';

export interface CallOptions {
  /** Ends the call, its waits and its tries. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one try, in place of the client's. */
  timeout?: number | undefined;
  /** Milliseconds for the whole call: all its tries and waits. */
  deadline?: number | undefined;
  /** Further tries, in place of the client's. */
  maxRetries?: number | undefined;
  /** Sent as well, or in place of the client's own; `Authorization` stays the client's. */
  headers?: Headers | Record<string, string> | undefined;
}

/** Before a request is sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Of this try, from 0. */
  readonly attempt: number;
  /** Without the token. What a hook sets here is sent. */
  readonly headers: Headers;
}

/** After a request was answered, or failed. */
export interface ReceivedResponse {
  readonly method: string;
  readonly url: string;
  readonly attempt: number;
  readonly durationMs: number;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  /** What this try failed with; it may be tried again. */
  readonly error: StayportError | undefined;
}

/** Called for each try. A hook observes: what it throws is ignored, and it is not waited for. */
export interface HookOptions {
  onRequest?: ((request: SentRequest) => void) | undefined;
  onResponse?: ((response: ReceivedResponse) => void) | undefined;
}

/** What `setTimeout` takes. */
export const MS_MAX = 2_147_483_647;
export const RETRIES_MAX = 100;

/** Throws a `UsageError`. */
export function checkCallOptions(options: CallOptions): void {
  checkFields(options, 'options');
  const { signal, timeout, deadline, maxRetries, headers } = options;
  checkNumber(timeout, 'timeout', { min: 1, max: MS_MAX });
  checkNumber(deadline, 'deadline', { min: 1, max: MS_MAX });
  checkNumber(maxRetries, 'maxRetries', { min: 0, max: RETRIES_MAX, isWhole: true });
  if (
    signal !== undefined &&
    typeof (signal as Partial<AbortSignal> | null)?.addEventListener !== 'function'
  ) {
    refuse('signal', 'is not an AbortSignal');
  }
  if (hasAuthorization(headers)) refuse('headers', 'Authorization is the token of the client');
}

function hasAuthorization(headers: CallOptions['headers']): boolean {
  try {
    return new Headers(headers).has('authorization');
  } catch (error) {
    return refuse('headers', (error as Error).message, error);
  }
}
