/** One call: sends it, waits at most so long, tries again where that is safe. */
import { ConnectionError, isStayportError, RateLimitError } from './errors.ts';
import type { Limiter } from './limiter.ts';
import { readResponse } from './read-response.ts';
import { retryWaitMs } from './retry.ts';
import type { RateLimit, Result } from './types.ts';

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: typeof fetch;
  /** Of one try. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly limiter: Limiter | undefined;
}

/** The connection was refused, or the name is unknown: no byte of the request left this machine. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Rejects with a `StayportError`. */
export async function send<Body>(call: Call, options: TransportOptions): Promise<Result<Body>> {
  for (let index = 0; ; index += 1) {
    try {
      return await sendOnce<Body>(call, options);
    } catch (error) {
      if (!isStayportError(error) || index >= options.maxRetries) throw error;
      const attempt = { index, isRepeatable: call.method === 'GET', random: Math.random() };
      const waitMs = retryWaitMs(error, attempt);
      if (waitMs === undefined) throw error;
      await wait(waitMs, call.signal);
    }
  }
}

async function sendOnce<Body>(call: Call, options: TransportOptions): Promise<Result<Body>> {
  const { limiter } = options;
  if (limiter === undefined) return exchange<Body>(call, options);
  await limiter.take(call.signal).catch(() => Promise.reject(abortedBy(call.signal)));
  let rateLimit: RateLimit | undefined;
  try {
    const result = await exchange<Body>(call, options);
    rateLimit = result.rateLimit;
    return result;
  } catch (error) {
    if (error instanceof RateLimitError || (isStayportError(error) && 'rateLimit' in error)) {
      rateLimit = error.rateLimit;
    }
    throw error;
  } finally {
    limiter.settle(rateLimit);
  }
}

async function exchange<Body>(call: Call, options: TransportOptions): Promise<Result<Body>> {
  const { method, path, body, signal } = call;
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const headers: Record<string, string> = {
    Authorization: `Bearer ${options.token}`,
    Accept: 'application/json, application/problem+json',
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    const response = await options.fetch(`${options.baseUrl}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      // A redirect would carry the token to another place.
      redirect: 'error',
    });
    return await readResponse<Body>(response);
  } catch (error) {
    if (isStayportError(error)) throw error;
    if (signal?.aborted === true) throw abortedBy(signal);
    throw connectionError(error, timeout.aborted, options);
  }
}

function connectionError(cause: unknown, isTimeout: boolean, options: TransportOptions): ConnectionError {
  if (isTimeout) {
    return new ConnectionError('TIMEOUT', `no whole answer within ${options.timeoutMs} ms`, { cause });
  }
  const code = codeOf(cause);
  const { origin } = new URL(options.baseUrl);
  const message = `${origin} can't be reached, or broke off the answer${code === undefined ? '' : ` (${code})`}`;
  return new ConnectionError('CONNECTION_FAILED', message, {
    cause,
    wasNeverSent: code !== undefined && NEVER_SENT.has(code),
  });
}

/** `fetch` hides the system's code one or two causes deep. */
function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 4; depth += 1) {
    const { code, cause, errors } = at as { code?: unknown; cause?: unknown; errors?: unknown[] };
    if (typeof code === 'string') return code;
    at = cause ?? errors?.[0];
  }
  return undefined;
}

function abortedBy(signal: AbortSignal | undefined): ConnectionError {
  return new ConnectionError('ABORTED', 'the call was aborted by its signal', { cause: signal?.reason });
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortedBy(signal));
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      reject(abortedBy(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
