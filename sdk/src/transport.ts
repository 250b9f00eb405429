/** One call: sends it, waits at most so long, tries again where that is safe. */
import type { CallOptions, HookOptions } from './call-options.ts';
import { startEnding, wait, within } from './deadline.ts';
import { ConnectionError, isStayportError, type StayportError } from './errors.ts';
import type { Limiter } from './limiter.ts';
import { readResponse, timeOf } from './read-response.ts';
import { retryWaitMs } from './retry.ts';
import type { Result } from './types.ts';

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, with its query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** Whether asking twice changes nothing. A GET unless said. */
  readonly isRepeatable?: boolean;
  /** Whether what came back is what the operation gives. */
  readonly isBody: (body: unknown) => boolean;
  /** Checked. */
  readonly options: CallOptions;
}

export interface TransportOptions extends HookOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: typeof fetch;
  /** Of one try; undefined is the default, which does not count the wait of the limiter. */
  readonly timeoutMs: number | undefined;
  readonly deadlineMs: number | undefined;
  readonly maxRetries: number | undefined;
  readonly limiter: Limiter | undefined;
}

/** The version of `package.json`: a test compares them. */
export const VERSION = '1.0.0-beta.2';

const TIMEOUT_MS = 10_000;
const RETRIES = 2;
/** The connection was refused, or the name is unknown: no byte of the request left this machine. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Rejects with a `StayportError`. */
export async function send<Body>(call: Call, transport: TransportOptions): Promise<Result<Body>> {
  const { signal, ...own } = call.options;
  const endsAtMs = performance.now() + (own.deadline ?? transport.deadlineMs ?? Infinity);
  const maxRetries = own.maxRetries ?? transport.maxRetries ?? RETRIES;
  const isRepeatable = call.isRepeatable ?? call.method === 'GET';
  for (let attempt = 0; ; attempt += 1) {
    const limitMs = await takeTurn(call, transport, endsAtMs);
    try {
      return await tryOnce<Body>(call, transport, attempt, limitMs);
    } catch (error) {
      if (!isStayportError(error) || attempt >= maxRetries) throw error;
      const waitMs = retryWaitMs(error, { index: attempt, isRepeatable, random: Math.random() });
      if (waitMs === undefined || performance.now() + waitMs >= endsAtMs) throw error;
      await wait(waitMs, signal);
    }
  }
}

/**
 * Waits for the limiter, and gives the milliseconds that are left for the try. A timeout that the caller chose counts
 * the wait as well; the default one begins after it.
 */
async function takeTurn(
  { options: { timeout, signal } }: Call,
  { limiter, timeoutMs }: TransportOptions,
  endsAtMs: number,
): Promise<number> {
  const startMs = performance.now();
  const chosenMs = timeout ?? timeoutMs;
  if (limiter !== undefined) {
    const { ended, stop } = startEnding(Math.min(chosenMs ?? Infinity, endsAtMs - startMs), signal);
    await limiter.take(ended).finally(stop);
  }
  const nowMs = performance.now();
  return Math.min(chosenMs === undefined ? TIMEOUT_MS : startMs + chosenMs - nowMs, endsAtMs - nowMs);
}

async function tryOnce<Body>(
  call: Call,
  transport: TransportOptions,
  attempt: number,
  limitMs: number,
): Promise<Result<Body>> {
  const { method, path, options } = call;
  const { limiter } = transport;
  const url = `${transport.baseUrl}${path}`;
  const startMs = performance.now();
  let met: Partial<Result<Body>> & { error?: StayportError } = {};
  try {
    const result = await within(limitMs, options.signal, (ended) =>
      exchange<Body>(call, { transport, url, attempt, ended }),
    );
    met = result;
    return result;
  } catch (error) {
    if (isStayportError(error)) met = { ...error, error } as typeof met;
    throw error;
  } finally {
    limiter?.settle(met.rateLimit, timeOf(met.headers));
    const { status, headers, error } = met;
    const durationMs = performance.now() - startMs;
    notify(transport.onResponse, { method, url, attempt, durationMs, status, headers, error });
  }
}

interface Try {
  readonly transport: TransportOptions;
  readonly url: string;
  readonly attempt: number;
  readonly ended: AbortSignal;
}

async function exchange<Body>(call: Call, { transport, url, attempt, ended }: Try): Promise<Result<Body>> {
  const { method, body, isBody } = call;
  const { baseUrl, token, fetch, onRequest } = transport;
  const headers = headersOf(call);
  notify(onRequest, { method, url, attempt, headers });
  headers.delete('authorization');
  try {
    // Called without an object before it: Cloudflare Workers refuse their own `fetch` as a method of something else.
    const response = await fetch(url, {
      method,
      headers: { ...Object.fromEntries(headers), Authorization: `Bearer ${token}` },
      body: body ?? null,
      signal: ended,
      // Refused when it is read. "error" is unknown to Workers, and makes Node.js 20 and 22 lose the signal.
      redirect: 'manual',
    });
    return await readResponse<Body>(response, { baseUrl, isBody, ended });
  } catch (error) {
    if (isStayportError(error)) throw error;
    throw connectionError(error, baseUrl);
  }
}

function headersOf({ body, options }: Call): Headers {
  const headers = new Headers({
    Accept: 'application/json, application/problem+json',
    'User-Agent': `stayport-partner/${VERSION}`,
  });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  new Headers(options.headers).forEach((value, name) => headers.set(name, value));
  return headers;
}

/** A hook observes: what it throws does not change the call. */
function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    Promise.resolve(hook?.(event)).catch(() => {});
  } catch {
    // As above.
  }
}

function connectionError(cause: unknown, baseUrl: string): ConnectionError {
  const code = codeOf(cause);
  const reason = code === undefined ? '' : ` (${code})`;
  return new ConnectionError(
    'CONNECTION_FAILED',
    `${baseUrl} can't be reached, or broke off the answer${reason}`,
    {
      cause,
      wasNeverSent: code !== undefined && NEVER_SENT.has(code),
    },
  );
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
