/** An answer, and its headers as a flat list of names and values (SPEC 4). */
import type { IncomingMessage } from 'node:http';
import { EXPOSED_HEADERS } from '../../contract/partner/answer-headers.ts';
import type { AnyProblemCode } from '../../contract/problem-body.ts';
import type { WindowHit } from '../../limits/request-limits.ts';

/** The exact media type of answers (SPEC 1), without parameters. */
export const JSON_TYPE = 'application/json';
/** The only type with a parameter: calendars are outside the contract, and some platforms guess another charset. */
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json';

export interface Answer {
  readonly status: number;
  /** Set if the answer is a problem. */
  readonly code?: AnyProblemCode;
  readonly mediaType?: string;
  readonly cacheControl: string;
  readonly body?: string | Uint8Array;
  /** Set for a string whose characters are its bytes: it is sent together with the headers. Default: UTF-8. */
  readonly encoding?: 'latin1';
  /** Flat list of names and values. */
  readonly headers?: readonly string[];
}

/** The limit that an answer reports: the credential's quota, or the ingress limit if that refused. */
export interface RateLimitState {
  readonly limit: number;
  readonly hit: WindowHit;
}

/** State of a request that determines the headers of its answer. */
export interface AnsweredRequest {
  readonly correlationId: string;
  /** Undefined until a limit was checked. */
  readonly rateLimit: RateLimitState | undefined;
  /** The Origin is known but belongs to another partner. */
  readonly isOriginRefused: boolean;
  readonly req: IncomingMessage;
  readonly context: HeaderContext;
}

/** Header settings of one listener. */
export interface HeaderContext {
  /** While true, every answer announces that its connection ends. */
  readonly isClosing: () => boolean;
  /** The listener has its own certificate. */
  readonly hasTls: boolean;
  /** Whether scripts of this origin may read answers. */
  readonly isKnownOrigin: (origin: string) => boolean;
}

/** Browsers must not guess another media type. Pages set this header themselves. */
const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** Answers differ by credential and origin, which shared caches must know. */
const VARY = 'Authorization, Origin';

/** After one visit over TLS, browsers always use TLS (RFC 6797); a year, as preload lists require. */
const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/** Flat list of names and values. */
export function headersOf(response: AnsweredRequest, answer: Answer): string[] {
  const { status, body } = answer;
  const headers = [
    'X-Correlation-ID',
    response.correlationId,
    'Cache-Control',
    answer.cacheControl,
    'Vary',
    VARY,
  ];
  if (answer.headers?.includes(NOSNIFF[0]) !== true) headers.push(...NOSNIFF);
  if (body !== undefined) {
    headers.push(
      'Content-Type',
      answer.mediaType ?? 'application/octet-stream',
      'Content-Length',
      String(lengthOf(answer, body)),
    );
  }
  if (response.rateLimit !== undefined) pushRateLimitHeaders(headers, status, response.rateLimit);
  const { origin } = response.req.headers;
  if (origin !== undefined && !isForAnyOrigin(answer) && isAllowedOrigin(response, origin)) {
    pushCorsHeaders(headers, origin, answer.headers?.includes('ETag') === true);
  }
  if (response.context.hasTls || cameOverTls(response)) headers.push(...STRICT_TRANSPORT);
  if (response.context.isClosing()) headers.push('Connection', 'close');
  if (answer.headers !== undefined) headers.push(...answer.headers);
  return headers;
}

/** As the proxy in front says; browsers ignore the header on plain HTTP, so nobody gains by saying so. */
function cameOverTls({ req }: AnsweredRequest): boolean {
  return /^https\b/i.test(String(req.headers['x-forwarded-proto'] ?? ''));
}

function lengthOf({ encoding }: Answer, body: string | Uint8Array): number {
  return encoding === 'latin1' ? body.length : Buffer.byteLength(body);
}

function isAllowedOrigin({ isOriginRefused, context }: AnsweredRequest, origin: string): boolean {
  return !isOriginRefused && context.isKnownOrigin(origin);
}

/** Public pages set this themselves. */
function isForAnyOrigin({ headers }: Answer): boolean {
  return headers?.includes('Access-Control-Allow-Origin') ?? false;
}

/** Whether `If-None-Match` (RFC 9110 13.1.2) names the ETag; weak validators count. */
export function isKnownEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true;
}

/** CORS headers for browsers (SPEC 4, 5). CORS is not authentication: every operation still needs its credential. */
const EXPOSED = EXPOSED_HEADERS.join(', ');

/** How long a browser may cache a preflight. */
const PREFLIGHT_SECONDS = 600;

/** Exposed headers of answers with an ETag. */
const EXPOSED_WITH_ETAG = `${EXPOSED}, ETag`;

/** Allows scripts of this origin to read the answer. */
function pushCorsHeaders(headers: string[], origin: string, hasEtag: boolean): void {
  const exposed = hasEtag ? EXPOSED_WITH_ETAG : EXPOSED;
  headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed);
}

/** The additional headers of an answered preflight. */
export function preflightHeaders(methods: readonly string[], isConditional: boolean): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    isConditional ? 'Authorization, Content-Type, If-None-Match' : 'Authorization, Content-Type',
    'Access-Control-Max-Age',
    String(PREFLIGHT_SECONDS),
  ];
}

/** SPEC 4 lists the headers on every answer to an authenticated request except these statuses. */
const STATUSES_WITHOUT: ReadonlySet<number> = new Set([401, 413, 503]);

/** Adds the three headers to a flat list of names and values if this status has them. */
function pushRateLimitHeaders(headers: string[], status: number, state: RateLimitState): void {
  if (STATUSES_WITHOUT.has(status)) return;
  const { limit, hit } = state;
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(Math.max(0, limit - hit.count)),
    'X-RateLimit-Reset',
    String(resetSeconds(hit.resetAtMs)),
  );
}

export function retryAfterHeader(hit: WindowHit): readonly [string, string] {
  return ['Retry-After', String(retryAfterSeconds(hit.resetInMs))];
}

/** Whole seconds, at least 1 (SPEC 4); a client that waits that long is in the next window. */
export function retryAfterSeconds(resetInMs: number): number {
  return Math.max(1, Math.ceil(resetInMs / 1000));
}

/** Unix seconds, rounded up: the window is over by that second. */
export function resetSeconds(resetAtMs: number): number {
  return Math.ceil(resetAtMs / 1000);
}
