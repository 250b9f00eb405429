/** Every way in which a call can fail: one class per family, distinguished by `code`. */
import type { Problem, QuoteConflictCode, RateLimit, ValidationIssue } from './types.ts';

export type RequestCode =
  | 'VALIDATION_ERROR'
  | 'INVALID_JSON'
  | 'PAYLOAD_TOO_LARGE'
  | 'HANDOFF_INVALID'
  | 'FEED_CURSOR_INVALID'
  | 'FEED_CURSOR_RESET';
export type AuthenticationCode =
  | 'PARTNER_AUTH_REQUIRED'
  | 'INVALID_PARTNER_CREDENTIAL'
  | 'PARTNER_ACCESS_REVOKED';
export type PermissionCode = 'PARTNER_SCOPE_INSUFFICIENT' | 'ORIGIN_NOT_ALLOWED';
export type NotFoundCode = 'PROPERTY_NOT_FOUND' | 'PARTNER_OPERATION_NOT_FOUND';
export type ServerCode = 'INTERNAL_ERROR' | 'PARTNER_API_UNAVAILABLE';
export type ConnectionCode = 'CONNECTION_FAILED' | 'TIMEOUT' | 'ABORTED' | 'INVALID_RESPONSE';
export type UsageCode = 'INVALID_ARGUMENT' | 'BROWSER_NOT_SUPPORTED';
/** Every code that the API answers with. */
export type ProblemCode =
  | RequestCode
  | AuthenticationCode
  | PermissionCode
  | NotFoundCode
  | QuoteConflictCode
  | 'RATE_LIMIT_EXCEEDED'
  | ServerCode;

/** What a problem answer was. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly problem: Problem;
  readonly rateLimit: RateLimit | undefined;
  readonly retryAfterMs: number | undefined;
}

/** On every error of every copy of this package: one program can load the ES module and the CommonJS module. */
const MARK = Symbol.for('@stayport/partner');

/** The service answered with a problem. `code` says which. */
abstract class ProblemError<Code extends string> extends Error {
  readonly code: Code;
  /** Of the answer, as HTTP has it. */
  readonly status: number;
  readonly headers: Headers;
  readonly problem: Problem;
  readonly correlationId: string;
  readonly rateLimit: RateLimit | undefined;
  /** How long to wait before the next try, where the service said so. */
  readonly retryAfterMs: number | undefined;
  /** What is wrong with the request, field by field; empty for every other problem. */
  readonly issues: readonly ValidationIssue[];

  constructor({ status, headers, problem, rateLimit, retryAfterMs }: Answered) {
    const issues = problem.errors ?? [];
    const named = issues.map(({ field, detail }) => `${field}: ${detail}`).join('; ');
    super(`${problem.code}: ${named === '' ? problem.detail : named}`);
    mark(this);
    this.name = new.target.name;
    this.code = problem.code as Code;
    this.status = status;
    this.headers = headers;
    this.problem = problem;
    this.correlationId = problem.correlationId;
    this.rateLimit = rateLimit;
    this.retryAfterMs = retryAfterMs;
    this.issues = issues;
  }
}

/** 400, 410 and 413: the request has to change before it can work. */
export class RequestError extends ProblemError<RequestCode> {}
/** 401: the token is missing, unknown or revoked. */
export class AuthenticationError extends ProblemError<AuthenticationCode> {}
/** 403: the token may not do this. */
export class PermissionError extends ProblemError<PermissionCode> {}
/** 404: the property does not exist, or is not visible to you. */
export class NotFoundError extends ProblemError<NotFoundCode> {}
/** 409: the stay is no longer possible, or has no price. */
export class QuoteConflictError extends ProblemError<QuoteConflictCode> {}
/** 429: wait `retryAfterMs`. */
export class RateLimitError extends ProblemError<'RATE_LIMIT_EXCEEDED'> {}
/** 500 and 503. */
export class ServerError extends ProblemError<ServerCode> {}

interface ConnectionDetails {
  readonly cause?: unknown;
  readonly wasNeverSent?: boolean;
  readonly status?: number;
  readonly headers?: Headers;
  readonly retryAfterMs?: number | undefined;
}

/** No answer, or one that is not of this API: nothing is known of what the service did. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ConnectionCode;
  /** True where the request can't have reached the service. */
  readonly wasNeverSent: boolean;
  /** Of an `INVALID_RESPONSE`: a balancer in front of the API can answer 502 or 429 in words of its own. */
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ConnectionCode, message: string, details: ConnectionDetails = {}) {
    super(message, { cause: details.cause });
    mark(this);
    this.code = code;
    this.wasNeverSent = details.wasNeverSent ?? false;
    this.status = details.status;
    this.headers = details.headers;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The call is wrong as it is written; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: UsageCode;
  /** The argument, such as `stay.checkOut`. */
  readonly field: string | undefined;

  constructor(code: UsageCode, message: string, field?: string, cause?: unknown) {
    super(message, { cause });
    mark(this);
    this.code = code;
    this.field = field;
  }
}

/** Everything that a call of this package throws; `switch (error.code)` narrows it. */
export type StayportError =
  | RequestError
  | AuthenticationError
  | PermissionError
  | NotFoundError
  | QuoteConflictError
  | RateLimitError
  | ServerError
  | ConnectionError
  | UsageError;

/** True for the errors of every copy of this package, unlike `instanceof`. */
export function isStayportError(error: unknown): error is StayportError {
  return typeof error === 'object' && error !== null && MARK in error;
}

function mark(error: Error): void {
  Object.defineProperty(error, MARK, { value: true });
}

/** The error of a problem, by the status of the answer. One that this version does not know counts with its hundred. */
export function errorOf(answered: Answered): StayportError {
  const { status } = answered;
  if (status === 401) return new AuthenticationError(answered);
  if (status === 403) return new PermissionError(answered);
  if (status === 404 || status === 405) return new NotFoundError(answered);
  if (status === 409) return new QuoteConflictError(answered);
  if (status === 429) return new RateLimitError(answered);
  if (status >= 500) return new ServerError(answered);
  return new RequestError(answered);
}
