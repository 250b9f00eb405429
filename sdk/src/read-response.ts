/** From a `Response` to a result or an error. */
import { ConnectionError, errorOf } from './errors.ts';
import type { Problem, RateLimit, Result } from './types.ts';

/** 50 properties with the longest texts that the service takes come to some 60 MB; an ordinary page has 60 KB. */
export const RESPONSE_BYTES_MAX = 67_108_864;

export interface Expected {
  /** Who was asked, for messages. */
  readonly baseUrl: string;
  /** Whether a body of status 200 or 201 is what the operation gives. */
  readonly isBody: (body: unknown) => boolean;
  /** Ends the reading. */
  readonly ended: AbortSignal;
}

/** Rejects with a `StayportError` for a problem, and with a `ConnectionError` for what is not of this API. */
export async function readResponse<Body>(response: Response, expected: Expected): Promise<Result<Body>> {
  const { headers, status } = response;
  const retryAfterMs = retryAfterMsOf(headers);
  const refuse = (what: string): never => {
    const message = `${expected.baseUrl} answered with ${what}: is baseUrl a Stayport API?`;
    throw new ConnectionError('INVALID_RESPONSE', message, { status, headers, retryAfterMs });
  };
  // Followed, a redirect would carry the token to another place.
  if (isRedirect(response)) {
    void response.body?.cancel().catch(() => {});
    refuse(`status ${status}, a redirect`);
  }
  const text = await readText(response, expected.ended);
  if (text === undefined) return refuse(`more than ${RESPONSE_BYTES_MAX} bytes`);
  const body = parse(text);
  const rateLimit = rateLimitOf(headers);
  if (!response.ok) {
    if (!isProblem(body)) return refuse(`status ${status} without a problem`);
    throw errorOf({ status, headers, problem: withIssues(body), rateLimit, retryAfterMs });
  }
  if (!expected.isBody(body)) refuse(body === undefined ? 'a body that is not JSON' : 'JSON of another kind');
  return {
    data: body as Body,
    status,
    headers,
    correlationId: headers.get('x-correlation-id') ?? '',
    rateLimit,
  };
}

/** What the clock of the service shows, Unix ms; the clock of this machine where it does not say. */
export function timeOf(headers: Headers | undefined): number {
  const ms = Date.parse(headers?.get('date') ?? '');
  return Number.isNaN(ms) ? Date.now() : ms;
}

/** A value with fields: no list, and not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** With `redirect: 'manual'` a runtime shows the redirect itself, or hides it; a `fetch` of the caller may follow it. */
function isRedirect({ type, status, redirected }: Response): boolean {
  return type === 'opaqueredirect' || redirected || (status >= 300 && status < 400);
}

/** Undefined for more than the bound. Broken off in the middle rejects, and the caller judges it as a lost connection. */
async function readText(response: Response, ended: AbortSignal): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const cancel = (): void => void reader.cancel().catch(() => {});
  if (ended.aborted) cancel();
  ended.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    byteCount += value.length;
    if (byteCount > RESPONSE_BYTES_MAX) {
      cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Problem {
  return isRecord(body) && typeof body['code'] === 'string' && typeof body['correlationId'] === 'string';
}

/** With `errors` that an error can read, or without. */
function withIssues(problem: Problem): Problem {
  const { errors, ...others } = problem as { errors?: unknown } & Problem;
  if (errors === undefined) return problem;
  return Array.isArray(errors) && errors.every(isRecord) ? problem : others;
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    wholeNumber(headers.get(`x-ratelimit-${name}`)),
  );
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}

/** Seconds, or a date (RFC 9110, 10.2.3); undefined for anything else, such as -1. */
function retryAfterMsOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  const seconds = wholeNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  const ms = /^[A-Z]/i.test(text ?? '') ? Date.parse(text ?? '') : NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms - timeOf(headers));
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
