/** An answer, and its headers as a flat list of names and values (SPEC 4). */
import type { IncomingMessage } from 'node:http';
import { EXPOSED_HEADERS } from '../../contract/partner/answer-headers.ts';
import type { AnyProblemCode } from '../../contract/problem-body.ts';
import type { WindowHit } from '../../limits/request-limits.ts';

/** The exact types that are sent (SPEC 1): no parameters. */
export const JSON_TYPE = 'application/json';
/** The one with a parameter: calendars are not of the contract, and some platforms guess another charset. */
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json';

export interface Answer {
  readonly status: number;
  /** Of the problem, when it is one. */
  readonly code?: AnyProblemCode;
  readonly mediaType?: string;
  readonly cacheControl: string;
  readonly body?: string | Uint8Array;
  /** Of a string whose characters are its bytes: it is sent in one piece with the headers. UTF-8 unless given. */
  readonly encoding?: 'latin1';
  /** Flat list of names and values. */
  readonly headers?: readonly string[];
}

/** The limit that an answer describes: the credential's quota, or the ingress limit when that one refused. */
export interface RateLimitState {
  readonly limit: number;
  readonly hit: WindowHit;
}

/** What the headers of an answer depend on, besides the answer. */
export interface AnsweredRequest {
  readonly correlationId: string;
  /** Undefined until a limit was checked. */
  readonly rateLimit: RateLimitState | undefined;
  /** The Origin is known, but is not this partner's. */
  readonly isOriginRefused: boolean;
  readonly req: IncomingMessage;
  readonly context: HeaderContext;
}

/** Of one listener. */
export interface HeaderContext {
  /** While true, every answer says that its connection ends. */
  readonly isClosing: () => boolean;
  /** The listener has a certificate of its own. */
  readonly hasTls: boolean;
  /** Whether scripts of this origin may read answers. */
  readonly isKnownOrigin: (origin: string) => boolean;
}

/** A browser takes an answer for what its media type says, and for nothing else. Pages say so themselves. */
const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** Answers differ by credential and by origin: a cache that several of them share must know. */
const VARY = 'Authorization, Origin';

/** A browser that came once over TLS never asks again without it (RFC 6797); a year, as the preload lists ask. */
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
  if (response.context.hasTls) headers.push(...STRICT_TRANSPORT);
  if (response.context.isClosing()) headers.push('Connection', 'close');
  if (answer.headers !== undefined) headers.push(...answer.headers);
  return headers;
}

function lengthOf({ encoding }: Answer, body: string | Uint8Array): number {
  return encoding === 'latin1' ? body.length : Buffer.byteLength(body);
}

function isAllowedOrigin({ isOriginRefused, context }: AnsweredRequest, origin: string): boolean {
  return !isOriginRefused && context.isKnownOrigin(origin);
}

/** Public pages say so themselves. */
function isForAnyOrigin({ headers }: Answer): boolean {
  return headers?.includes('Access-Control-Allow-Origin') ?? false;
}

/** `If-None-Match` (RFC 9110 13.1.2) names the ETag: a weak validator is as good here. */
export function isKnownEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true;
}

/**
 * CORS headers for browsers (SPEC 4, 5). CORS is not authentication: every operation needs its credential all the same.
 */
const EXPOSED = EXPOSED_HEADERS.join(', ');

/** How long a browser may remember a preflight. */
const PREFLIGHT_SECONDS = 600;

/** Of answers that have an ETag. */
const EXPOSED_WITH_ETAG = `${EXPOSED}, ETag`;

/** Adds what lets scripts of this origin read the answer. */
function pushCorsHeaders(headers: string[], origin: string, hasEtag: boolean): void {
  const exposed = hasEtag ? EXPOSED_WITH_ETAG : EXPOSED;
  headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed);
}

/** What an answered preflight has beside those. */
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

/** SPEC 4 lists the headers on every answer of an authenticated request but these. */
const STATUSES_WITHOUT: ReadonlySet<number> = new Set([401, 413, 503]);

/** Adds the three headers to a flat list of names and values, where this status has them. */
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

/** Unix seconds; the window is over at that second, never only after it. */
export function resetSeconds(resetAtMs: number): number {
  return Math.ceil(resetAtMs / 1000);
}
