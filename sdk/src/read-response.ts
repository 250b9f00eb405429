/** From a `Response` to a result or an error. */
import { ConnectionError, errorOf } from './errors.ts';
import type { Problem, RateLimit, Result } from './types.ts';

/** Rejects with a `StayportError` for a problem, and with a `ConnectionError` for what is not of this API. */
export async function readResponse<Body>(response: Response): Promise<Result<Body>> {
  const body = await readJson(response);
  const { headers, status } = response;
  const rateLimit = rateLimitOf(headers);
  if (response.ok) {
    return { data: body as Body, correlationId: headers.get('x-correlation-id') ?? '', rateLimit };
  }
  if (!isProblem(body)) throw notOurs(response, `status ${status} without a problem`);
  throw errorOf({ problem: body, rateLimit, retryAfterMs: retryAfterMsOf(headers) });
}

async function readJson(response: Response): Promise<unknown> {
  // Broken off in the middle rejects here, and the caller judges it as a lost connection.
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw notOurs(response, 'a body that is not JSON');
  }
}

function notOurs(response: Response, what: string): ConnectionError {
  const { origin } = new URL(response.url);
  return new ConnectionError(
    'INVALID_RESPONSE',
    `${origin} answered with ${what}: is baseUrl a Stayport API?`,
  );
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'correlationId' in body;
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const limit = headers.get('x-ratelimit-limit');
  if (limit === null) return undefined;
  return {
    limit: Number(limit),
    remaining: Number(headers.get('x-ratelimit-remaining')),
    resetAt: new Date(Number(headers.get('x-ratelimit-reset')) * 1000),
  };
}

function retryAfterMsOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}
