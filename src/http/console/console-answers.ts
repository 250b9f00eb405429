/** How the console answers: pages and JSON, packed where that saves bytes; refusals; ways to another page. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { mayAct } from '../../access/console-sessions.ts';
import type { AnyProblemCode } from '../../contract/problem-body.ts';
import type { RouteMatch } from '../../contract/reading/router.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { PageView } from '../../web/console/elements.ts';
import {
  CONSOLE_HEADERS,
  formatPage,
  type PageInBar,
  type PageParts,
  type RefusedPage,
  refusedPage,
} from '../../web/console/frame.ts';
import { MESSAGES } from '../../web/console/messages/messages.ts';
import type { Page } from '../../web/kit/page.ts';
import { JSON_TYPE } from '../answers/answer-headers.ts';
import { presentFailure, presentProblem, presentUnknownOperation } from '../answers/present-problem.ts';
import type { Exchange } from '../listener/exchange.ts';
import { asksForJson, takesGzip } from '../partner/page-handler.ts';
import { rootFor, wantedLocale } from '../web/plain-answers.ts';
import type { ConsoleExchange, ConsoleHook } from './console-exchange.ts';
import { CONSOLE_PAGES } from './console-routes.ts';

export const SIGN_IN_PATH = '/console/sign-in';

export interface AnswerOptions {
  readonly status?: number;
  readonly code?: AnyProblemCode;
  readonly headers?: readonly string[];
}

const ANSWER = { status: 200, cacheControl: 'no-store' };

/** A page for its reader: language, way to the root, session. */
export function viewOf(
  { request, session }: Pick<ConsoleExchange, 'request' | 'session'>,
  nowMs: number,
): PageView {
  const person = session && {
    ...session,
    mayAct: (needed: typeof session.role) => mayAct(session.role, needed),
  };
  const messages = MESSAGES[wantedLocale(request.headers['accept-language'])];
  return { messages, root: rootFor(request.url ?? '/'), nowMs, person };
}

const isInBar = (page: string): page is PageInBar => page in MESSAGES['en-GB'].bar;
const PATHS = new Map(CONSOLE_PAGES.map(({ page, path }) => [page, path]));
const BAR = new Map(
  (Object.keys(MESSAGES['en-GB'].bar) as PageInBar[]).map((page) => [page, PATHS.get(page)!]),
);

/** The page of a partner belongs to that of all partners. */
function placeOf(page: string) {
  const path = PATHS.get(page) ?? '';
  const above = [...BAR].find(([name, barPath]) => name !== 'today' && path.startsWith(`${barPath}/`));
  return { page, bar: BAR, current: isInBar(page) ? page : above?.[0] };
}

/** `page` is its `data-page`. */
export function presentPage(
  { response }: Exchange,
  page: string,
  view: PageView,
  parts: PageParts,
  { headers = [], ...options }: AnswerOptions = {},
): void {
  response.answer({
    ...ANSWER,
    ...options,
    mediaType: HTML_TYPE,
    body: formatPage(view, placeOf(page), parts),
    headers: [...CONSOLE_HEADERS, ...headers],
  });
}

const HTML_TYPE = 'text/html; charset=utf-8';

/** The same, packed. */
export function presentPackedPage(exchange: Exchange, page: string, view: PageView, parts: PageParts) {
  return presentPacked(exchange, HTML_TYPE, formatPage(view, placeOf(page), parts));
}

/** `nextPath` leads programs to the rows behind those of this answer (RFC 8288). */
export function presentJson(exchange: Exchange, document: unknown, nextPath?: string): Promise<void> {
  const link =
    nextPath === undefined ? [] : ['Link', `<${hrefFrom(exchange.request, nextPath)}>; rel="next"`];
  return presentPacked(exchange, JSON_TYPE, JSON.stringify(document), link);
}

/** Shorter pages cost less than packing them saves. */
const PACKED_FROM_LENGTH = 8_192;
/** More of it takes longer, and saves a tenth at most: a heat-map is thousands of cells that are alike. */
const PACKING = { level: 4 };
const pack = promisify(gzip);

/**
 * Packed for browsers, off the main thread. What a foreign page could learn from the length it can't ask for: the cookie
 * is `SameSite=Strict`.
 */
async function presentPacked(
  { request, response }: Exchange,
  mediaType: string,
  body: string,
  headers: readonly string[] = [],
): Promise<void> {
  const answer = { ...ANSWER, mediaType };
  const all = [...CONSOLE_HEADERS, ...headers];
  const isPacked = body.length >= PACKED_FROM_LENGTH && takesGzip(request.headers['accept-encoding']);
  if (!isPacked) return response.answer({ ...answer, body, headers: all });
  const packed = await pack(body, PACKING);
  response.answer({ ...answer, body: packed, headers: [...all, 'Content-Encoding', 'gzip'] });
}

const REFUSALS: Readonly<Record<RefusedPage, { readonly status: number; readonly code: AnyProblemCode }>> = {
  linkInvalid: { status: 401, code: 'CONSOLE_LINK_INVALID' },
  tooMany: { status: 429, code: 'CONSOLE_ATTEMPTS_EXCEEDED' },
  role: { status: 403, code: 'CONSOLE_ROLE_INSUFFICIENT' },
  stale: { status: 403, code: 'CONSOLE_SIGN_IN_TOO_OLD' },
  form: { status: 403, code: 'CONSOLE_FORM_REFUSED' },
  notFound: { status: 404, code: 'OPERATOR_OPERATION_NOT_FOUND' },
  unavailable: { status: 503, code: 'OPERATOR_API_UNAVAILABLE' },
  failed: { status: 500, code: 'INTERNAL_ERROR' },
};

export function presentRefusal(exchange: Exchange, kind: RefusedPage, options: AnswerOptions = {}): void {
  const answer = { ...REFUSALS[kind], ...options };
  const { request, response } = exchange;
  if (asksForJson(request.headers.accept))
    return presentProblem(response, answer.code, {
      headers: [...CONSOLE_HEADERS, ...(options.headers ?? [])],
    });
  const view = viewOf({ request, session: undefined }, 0);
  presentPage(exchange, 'refused', view, refusedPage(view, kind), answer);
}

/** Pages lead to the one that says how to sign in; nothing says whether the path exists. */
export function presentNoSession(exchange: Exchange, headers: readonly string[] = []): void {
  if (!asksForJson(exchange.request.headers.accept)) return goTo(exchange, SIGN_IN_PATH, headers);
  presentProblem(exchange.response, 'CONSOLE_SESSION_REQUIRED', {
    headers: [...CONSOLE_HEADERS, ...headers],
  });
}

/** A bug, or the database is away. */
export function presentFault(exchange: Exchange, error: unknown): void {
  const isAway = error instanceof StorageUnavailable;
  if (asksForJson(exchange.request.headers.accept)) return presentFailure(exchange, error);
  exchange.response.failureCause = isAway ? { reason: error.message } : { err: error };
  presentRefusal(exchange, isAway ? 'unavailable' : 'failed');
}

export function unknownPathHook(route: RouteMatch<unknown>): ConsoleHook {
  return (exchange) => {
    if (route.found !== 'path') return presentRefusal(exchange, 'notFound');
    const headers = ['Allow', route.allowedMethods.join(', ')];
    if (asksForJson(exchange.request.headers.accept))
      return presentUnknownOperation(exchange.response, route.allowedMethods);
    presentRefusal(exchange, 'notFound', { status: 405, headers });
  };
}

/** `path` is ours, from the root. */
export function goTo({ request, response }: Exchange, path: string, headers: readonly string[] = []): void {
  const location = ['Location', hrefFrom(request, path)];
  response.answer({ ...ANSWER, status: 303, headers: [...CONSOLE_HEADERS, ...headers, ...location] });
}

function hrefFrom({ url = '/' }: IncomingMessage, path: string): string {
  return `${rootFor(url)}${path.slice(1)}`;
}

/** Packed once: everybody may ask, also without a session. */
export function assetHook({ mediaType, body, headers, cacheControl = 'no-store' }: Page): ConsoleHook {
  const packed = gzipSync(body);
  const answer = { status: 200, mediaType, cacheControl };
  const varied = [...headers, 'Vary', 'Accept-Encoding'];
  return ({ request, response }) => {
    const isPacked = takesGzip(request.headers['accept-encoding']);
    if (!isPacked) return response.answer({ ...answer, body, headers: varied });
    response.answer({ ...answer, body: packed, headers: [...varied, 'Content-Encoding', 'gzip'] });
  };
}
