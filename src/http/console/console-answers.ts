/** How the console answers: pages and JSON, packed where that saves bytes; refusals; ways to another page. */
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { AnyProblemCode } from '../../contract/problem-body.ts';
import type { RouteMatch } from '../../contract/reading/router.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { PageView } from '../../web/console/elements.ts';
import {
  CONSOLE_HEADERS,
  formatPage,
  type PageParts,
  type RefusedPage,
  refusedPage,
} from '../../web/console/frame.ts';
import type { Page } from '../../web/kit/page.ts';
import { JSON_TYPE } from '../answers/answer-headers.ts';
import {
  presentFailure,
  presentProblem,
  presentUnknownOperation,
  UNAVAILABLE_RETRY_SECONDS,
} from '../answers/present-problem.ts';
import type { Exchange } from '../listener/exchange.ts';
import { asksForJson, takesGzip } from '../partner/page-handler.ts';
import { rootFor, wantedLocale } from '../web/plain-answers.ts';
import type { ConsoleExchange, ConsoleHook } from './console-exchange.ts';
import { HTML_TYPE, type MadePage, makeView, type PageReader, placeOf } from './make-page.ts';

export const SIGN_IN_PATH = '/console/sign-in';

export interface AnswerOptions {
  readonly status?: number;
  readonly code?: AnyProblemCode;
  readonly headers?: readonly string[];
}

const ANSWER = { status: 200, cacheControl: 'no-store' };

/** Language, way to the root, session. */
export function readerOf(
  { request, session }: Pick<ConsoleExchange, 'request' | 'session'>,
  nowMs: number,
): PageReader {
  const person = session && { name: session.name, role: session.role, formToken: session.formToken };
  const locale = wantedLocale(request.headers['accept-language']);
  return { locale, root: rootFor(request.url ?? '/'), nowMs, person };
}

export function viewOf(exchange: Pick<ConsoleExchange, 'request' | 'session'>, nowMs: number): PageView {
  return makeView(readerOf(exchange, nowMs));
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

export function presentMade({ response }: Exchange, { headers, ...made }: MadePage): void {
  response.answer({ ...ANSWER, ...made, headers: [...CONSOLE_HEADERS, ...headers] });
}

export function presentJson({ response }: Exchange, document: unknown): void {
  const body = JSON.stringify(document);
  response.answer({ ...ANSWER, mediaType: JSON_TYPE, body, headers: CONSOLE_HEADERS });
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
  if (!isAway) return presentRefusal(exchange, 'failed');
  presentRefusal(exchange, 'unavailable', { headers: ['Retry-After', String(UNAVAILABLE_RETRY_SECONDS)] });
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
