/** Fetches a calendar from another party's server, which may be slow, wrong or hostile: every part is bounded. */
import { type Told, type ToldOf, Wrong } from '../../domain/wrong.ts';
import { OutOfTime, withinExchange } from '../../runtime/outbound/exchange.ts';
import type { IncomingMessage } from 'node:http';
import {
  type AddressRule,
  discardRest as discard,
  failureOf,
  type RequestFailure,
  requestPublic,
} from '../../runtime/outbound/public-request.ts';
import { CALENDAR_BYTES_MAX, CALENDAR_MB_MAX } from './calendar-text.ts';

export const REDIRECTS_MAX = 3;
/** From the first lookup to the last byte, redirects included. */
export const FETCH_MS_MAX = 30_000;
/** Time without any data, from connecting on, before the server is abandoned: other polls are waiting. */
export const SILENCE_MS_MAX = 10_000;
const URL_LENGTH_MAX = 2_000;
/** Length to which an ETag or Last-Modified is kept. */
const VALIDATOR_LENGTH_MAX = 500;

export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface FetchOptions extends AddressRule {
  readonly timeoutMs?: number;
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
}

export type FetchedFeed =
  | {
      readonly kind: 'fetched';
      readonly body: Buffer;
      readonly validators: Validators;
      readonly mediaType: string;
    }
  | { readonly kind: 'not-modified' }
  /** Without the URL, which may hold a secret. */
  | {
      readonly kind: 'failed';
      readonly reason: Told;
      /** `Retry-After`, as the server wrote it. */
      readonly retryAfter?: string | undefined;
    };

export function parseFeedUrl(text: string): URL | Wrong {
  if (!URL.canParse(text) || text.length > URL_LENGTH_MAX) {
    const example = 'https://www.airbnb.com/calendar/ical/1.ics';
    return new Wrong('feedUrlForm', { max: URL_LENGTH_MAX, example });
  }
  // Calendar programs write webcal: instead of https:.
  const url = new URL(text.replace(/^\s*webcal:/i, 'https:'));
  if (!isHttp(url)) return new Wrong('notHttp');
  return canDecode(url) ? url : new Wrong('loginNotEncoded');
}

/** Rejects only if `options.signal` aborts. */
export async function fetchFeed(
  url: URL,
  validators: Validators,
  options: FetchOptions,
): Promise<FetchedFeed> {
  const timeoutMs = options.timeoutMs ?? FETCH_MS_MAX;
  try {
    return await withinExchange({ timeoutMs, signal: options.signal }, (signal) =>
      follow(url, validators, { ...options, signal }),
    );
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    if (error instanceof OutOfTime) return failed(new Wrong('calendarLate', { seconds: timeoutMs / 1000 }));
    return failed(failureOf(error, 'ICAL_ALLOW_PRIVATE') satisfies ToldOf<RequestFailure['code']>);
  }
}

type Bounded = FetchOptions & { readonly signal: AbortSignal };

async function follow(start: URL, validators: Validators, options: Bounded): Promise<FetchedFeed> {
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const response = await get(url, start, validators, options);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status === 304) return discard(response, notModified(validators));
    if (status === 200) return await readBody(response);
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
      const reason = new Wrong('serverStatus', { status });
      return discard(response, { ...failed(reason), retryAfter: response.headers['retry-after'] });
    }
    if (redirects >= REDIRECTS_MAX)
      return discard(response, failed(new Wrong('redirectsMany', { max: REDIRECTS_MAX })));
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined || !isHttp(next)) return discard(response, failed(new Wrong('redirectsAway')));
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      return discard(response, failed(new Wrong('redirectsInsecure')));
    }
    discard(response, undefined);
    url = next;
  }
}

function get(url: URL, start: URL, validators: Validators, options: Bounded): Promise<IncomingMessage> {
  const headers: Record<string, string> = {
    Accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Stayport',
  };
  if (validators.etag !== null) headers['If-None-Match'] = validators.etag;
  if (validators.lastModified !== null) headers['If-Modified-Since'] = validators.lastModified;
  // Name and password go only to the server that they were given for.
  const auth = url.origin === start.origin && start.username !== '' ? credentialsOf(start) : undefined;
  return requestPublic(url, { ...options, silenceMs: options.silenceMs ?? SILENCE_MS_MAX, headers, auth });
}

/** Some servers answer 304 to every request; without validators it means nothing. */
function notModified({ etag, lastModified }: Validators): FetchedFeed {
  const wasAsked = etag !== null || lastModified !== null;
  return wasAsked ? { kind: 'not-modified' } : failed(new Wrong('notAskedFor'));
}

async function readBody(response: IncomingMessage): Promise<FetchedFeed> {
  const { headers } = response;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return discard(response, failed(new Wrong('compressed')));
  const tooLarge = failed(new Wrong('answerLarge', { max: CALENDAR_MB_MAX }));
  if (Number(headers['content-length']) > CALENDAR_BYTES_MAX) return discard(response, tooLarge);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > CALENDAR_BYTES_MAX) return discard(response, tooLarge);
    chunks.push(chunk);
  }
  if (!response.complete) return failed(new Wrong('endedEarly'));
  const validators = { etag: keep(headers.etag), lastModified: keep(headers['last-modified']) };
  const mediaType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  return { kind: 'fetched', body: Buffer.concat(chunks), validators, mediaType };
}

function keep(validator: string | undefined): string | null {
  return validator === undefined || validator.length > VALIDATOR_LENGTH_MAX ? null : validator;
}

function credentialsOf({ username, password }: URL): string {
  return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
}

function canDecode(url: URL): boolean {
  try {
    return credentialsOf(url) !== '';
  } catch {
    return false;
  }
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

function failed(reason: Told): FetchedFeed {
  return { kind: 'failed', reason };
}
