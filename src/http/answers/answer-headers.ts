/** The headers of an answer, as a flat list of names and values. */
import { pushCorsHeaders } from './cors-headers.ts';
import type { Answer, GuardedResponse } from './guarded-response.ts';
import { pushRateLimitHeaders } from './rate-limit-headers.ts';

/** A browser takes an answer for what its media type says, and for nothing else. Pages say so themselves. */
const NOSNIFF = ['X-Content-Type-Options', 'nosniff'] as const;

/** Answers differ by credential and by origin: a cache that several of them share must know. */
const VARY = 'Authorization, Origin';

export function headersOf(response: GuardedResponse, answer: Answer): string[] {
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
    pushCorsHeaders(headers, origin);
  }
  if (response.context.isClosing()) headers.push('Connection', 'close');
  if (answer.headers !== undefined) headers.push(...answer.headers);
  return headers;
}

function lengthOf({ encoding }: Answer, body: string | Uint8Array): number {
  return encoding === 'latin1' ? body.length : Buffer.byteLength(body);
}

function isAllowedOrigin({ isOriginRefused, context }: GuardedResponse, origin: string): boolean {
  return !isOriginRefused && context.isKnownOrigin(origin);
}

/** Public pages say so themselves. */
function isForAnyOrigin({ headers }: Answer): boolean {
  return headers?.includes('Access-Control-Allow-Origin') ?? false;
}
