/**
 * Calls to a provider, which may be slow, wrong or hostile, and counts what we ask of it: at most half of its own limit,
 * over restarts, and less where it says so. No redirect is followed, because headers are secrets.
 */
import { type ToldOf, Wrong } from '../../domain/wrong.ts';
import type { Clock } from '../../runtime/clock.ts';
import { OutOfTime, withinExchange } from '../../runtime/outbound/exchange.ts';
import {
  type AddressRule,
  discardRest,
  failureOf,
  type RequestFailure,
  requestPublic,
} from '../../runtime/outbound/public-request.ts';
import { parseRetryAfter, RETRY_AFTER_MS_MAX } from '../../runtime/outbound/retry-after.ts';
import type { StoredCalls } from '../../storage/connections/store.ts';
import {
  type CallHeaders,
  type CallRequest,
  ConnectionFailure,
  type ConnectionKind,
} from './kinds/connection-kind.ts';

/** From the lookup to the last byte. */
export const CALL_MS_MAX = 20_000;
export const ANSWER_MB_MAX = 32;
const ANSWER_BYTES_MAX = ANSWER_MB_MAX * 1024 * 1024;
/** Others use the account too, so we take half of what its provider allows. */
const SHARE = 0.5;
/** A longer wait for the provider's window ends the read, which is tried again then. */
export const WINDOW_WAIT_MS_MAX = 6 * 60_000;
/** The account is kept ours so often, by far more often than a claim ends. */
const RENEW_MS = 30_000;

export interface CallerDeps extends AddressRule {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Resolves when the count is stored: a process that dies has counted its call. */
  readonly saveCalls: (calls: StoredCalls) => Promise<void>;
  readonly onCall?: () => void;
  /** Keeps the account ours; false: another works on it. */
  readonly renew: () => Promise<boolean>;
  /** How often it waits for the provider's window; as often as it takes unless given. */
  readonly windowWaitsMax?: number | undefined;
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Its body is decoded where it is parsed, off the thread that serves. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: CallHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Rejects with `ConnectionFailure`, or with the reason of `CallerDeps.signal`. */
export type RawCall = (request: CallRequest) => Promise<RawAnswer>;

export const NO_CALLS: StoredCalls = { sinceMs: 0, used: 0, notBeforeMs: 0 };

/** `origin` is the kind's own, unless a test or a person names another. */
export function createCaller(
  { limit, readLimit }: Pick<ConnectionKind, 'limit' | 'readLimit'>,
  { origin, calls: before }: { readonly origin: string; readonly calls: StoredCalls },
  deps: CallerDeps,
): RawCall {
  const most = Math.max(1, Math.floor(limit.calls * SHARE));
  let calls = before;
  let waits = 0;
  const save = async (next: StoredCalls): Promise<void> => {
    calls = next;
    await deps.saveCalls(next);
  };

  let renewedAtMs = deps.clock();
  async function keepAccount(): Promise<void> {
    const nowMs = deps.clock();
    if (Math.abs(nowMs - renewedAtMs) < RENEW_MS) return;
    if (!(await deps.renew())) throw new ConnectionFailure(new Wrong('claimLost'));
    renewedAtMs = nowMs;
  }

  /** Waits until a call is allowed, and counts it. */
  async function count(): Promise<void> {
    for (let isWaiting = false; ; isWaiting = true) {
      await keepAccount();
      const nowMs = deps.clock();
      // A clock that went back makes no new window, and none that lasts until the time it had shown.
      if (calls.sinceMs > nowMs) calls = { ...calls, sinceMs: nowMs };
      const isOver = nowMs - calls.sinceMs >= limit.windowMs;
      const { sinceMs, used } = isOver ? { sinceMs: nowMs, used: 0 } : calls;
      const notBeforeMs = calls.notBeforeMs - nowMs > RETRY_AFTER_MS_MAX ? 0 : calls.notBeforeMs;
      const freeAtMs = Math.max(notBeforeMs, used < most ? 0 : sinceMs + limit.windowMs);
      const waitMs = freeAtMs - nowMs;
      if (waitMs <= 0) return save({ ...calls, sinceMs, used: used + 1 });
      if (!isWaiting) waits += 1;
      if (waitMs > WINDOW_WAIT_MS_MAX || waits > (deps.windowWaitsMax ?? Infinity))
        throw new ConnectionFailure(new Wrong('callsSpent'), 'failing', waitMs);
      await deps.sleep(Math.min(waitMs, RENEW_MS), deps.signal);
    }
  }

  /** The provider's word counts, where it allows less than we do; its waits as far as those of others do. */
  async function learn(headers: CallHeaders, isRefused: boolean): Promise<number | undefined> {
    const nowMs = deps.clock();
    const { cost = 1, remaining, resetsAtMs } = readLimit(headers, nowMs);
    const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs);
    const windowEndMs = Math.min(resetsAtMs ?? calls.sinceMs + limit.windowMs, nowMs + RETRY_AFTER_MS_MAX);
    const isSpent = isRefused || (remaining !== undefined && remaining <= 0);
    const notBeforeMs = Math.max(
      isSpent ? windowEndMs : 0,
      retryAfterMs === undefined ? 0 : nowMs + retryAfterMs,
      calls.notBeforeMs,
    );
    if (cost > 1 || notBeforeMs > calls.notBeforeMs)
      await save({ ...calls, used: calls.used + Math.max(0, Math.ceil(cost) - 1), notBeforeMs });
    return isRefused ? Math.max(0, notBeforeMs - nowMs) : undefined;
  }

  return async (request) => {
    await count();
    deps.onCall?.();
    const answer = await exchange(origin, request, deps);
    const refusedMs = await learn(answer.headers, answer.status === 429);
    if (refusedMs !== undefined) throw new ConnectionFailure(new Wrong('callsRefused'), 'failing', refusedMs);
    return answer;
  };
}

/** Rejects with `ConnectionFailure`, or with the reason of `deps.signal`. */
async function exchange(origin: string, request: CallRequest, deps: CallerDeps): Promise<RawAnswer> {
  const { path, query, method, headers, body } = request;
  const url = new URL(`${origin}${path}${query === undefined ? '' : `?${query}`}`);
  try {
    return await withinExchange({ timeoutMs: CALL_MS_MAX, signal: deps.signal }, async (signal) => {
      const { allowsPrivate, lookup, isPublic } = deps;
      const response = await requestPublic(url, {
        allowsPrivate,
        ...(lookup === undefined ? {} : { lookup }),
        ...(isPublic === undefined ? {} : { isPublic }),
        signal,
        silenceMs: CALL_MS_MAX,
        method,
        headers: {
          'User-Agent': 'Stayport',
          'Accept-Encoding': 'identity',
          Accept: 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      return await readAnswer(response);
    });
  } catch (error) {
    if (deps.signal?.aborted === true || error instanceof ConnectionFailure) throw error;
    if (error instanceof OutOfTime)
      throw new ConnectionFailure(new Wrong('serverLate', { seconds: CALL_MS_MAX / 1000 }));
    const failure = failureOf(error, 'CONNECTIONS_ALLOW_PRIVATE') satisfies ToldOf<RequestFailure['code']>;
    throw new ConnectionFailure(failure);
  }
}

async function readAnswer(response: Awaited<ReturnType<typeof requestPublic>>): Promise<RawAnswer> {
  const status = response.statusCode ?? 0;
  const headers = headersOf(response.headers);
  if (status >= 300 && status < 400)
    throw discardRest(response, new ConnectionFailure(new Wrong('providerRedirects')));
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw discardRest(response, new ConnectionFailure(new Wrong('compressed')));
  const tooLarge = new ConnectionFailure(new Wrong('answerLarge', { max: ANSWER_MB_MAX }));
  if (Number(headers['content-length']) > ANSWER_BYTES_MAX) throw discardRest(response, tooLarge);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > ANSWER_BYTES_MAX) throw discardRest(response, tooLarge);
    chunks.push(chunk);
  }
  if (!response.complete) throw new ConnectionFailure(new Wrong('endedEarly'));
  return { status, headers, body: new Uint8Array(Buffer.concat(chunks)) };
}

function headersOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): CallHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
