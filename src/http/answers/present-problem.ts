/** Refusals on the wire: the only place where they become HTTP (SPEC 7, RFC 9457). */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import { PROBLEM_CACHE_CONTROL } from '../../contract/partner/operations.ts';
import { METHOD_NOT_ALLOWED_STATUS } from '../../contract/partner/problems.ts';
import {
  type AnyProblemCode,
  formatProblem,
  problemKindOf,
  type ProblemParts,
} from '../../contract/problem-body.ts';
import type { WindowHit } from '../../limits/request-limits.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { GuardedResponse } from './guarded-response.ts';
import { PROBLEM_TYPE, retryAfterHeader } from './answer-headers.ts';

export interface ProblemOptions extends Pick<ProblemParts, 'detail' | 'errors' | 'members' | 'status'> {
  /** Flat list of names and values. */
  readonly headers?: readonly string[] | undefined;
}

/** Answers with a problem. */
export function presentProblem(
  response: GuardedResponse,
  code: AnyProblemCode,
  options: ProblemOptions = {},
): void {
  const status = options.status ?? problemKindOf(code).status;
  response.answer({
    status,
    code,
    mediaType: PROBLEM_TYPE,
    cacheControl: PROBLEM_CACHE_CONTROL,
    body: formatProblem(code, {
      problemsBaseUrl: response.context.problemsBaseUrl,
      correlationId: response.correlationId,
      detail: options.detail,
      errors: options.errors,
      members: options.members,
      status,
    }),
    headers: options.headers ?? [],
  });
}

/** 400 VALIDATION_ERROR with every issue of the request. */
export function presentIssues(
  response: GuardedResponse,
  errors: readonly ValidationIssue[],
  headers?: readonly string[],
): void {
  presentProblem(response, 'VALIDATION_ERROR', { errors, headers });
}

/** 404, or 405 with Allow if the path exists with other methods. The 404 includes `hint`. */
export function presentUnknownOperation(
  response: GuardedResponse,
  allowedMethods: readonly string[],
  hint?: string,
): void {
  const { operationNotFound } = response.context.codes;
  if (allowedMethods.length === 0) return presentProblem(response, operationNotFound, { detail: hint });
  presentProblem(response, operationNotFound, {
    status: METHOD_NOT_ALLOWED_STATUS,
    detail: 'The path exists, but not with this method.',
    headers: ['Allow', allowedMethods.join(', ')],
  });
}

/** Seconds before a client that got 503 should retry: outages usually end within moments. */
export const UNAVAILABLE_RETRY_SECONDS = 1;

/** 503 with Retry-After. `reason` is for the log; `detail` replaces the usual sentence for the client. */
export function presentUnavailable(response: GuardedResponse, reason: string, detail?: string): void {
  response.failureCause = { reason };
  presentProblem(response, response.context.codes.unavailable, {
    detail,
    headers: ['Retry-After', String(UNAVAILABLE_RETRY_SECONDS)],
  });
}

/** Answers a thrown error with a problem. Its own status, message and headers are never sent. */
export function presentFailure({ response }: { readonly response: GuardedResponse }, error: unknown): void {
  if (error instanceof StorageUnavailable) return presentUnavailable(response, error.message);
  response.failureCause = { err: error };
  presentProblem(response, 'INTERNAL_ERROR');
}

/** 429. The X-RateLimit-* headers describe the limit that refused. */
export function presentLimitExceeded(
  response: GuardedResponse,
  limit: number,
  hit: WindowHit,
  whose: string,
): void {
  response.rateLimit = { limit, hit };
  presentProblem(response, 'RATE_LIMIT_EXCEEDED', {
    detail: `More than ${limit} requests ${whose} in the current window.`,
    headers: retryAfterHeader(hit),
  });
}
