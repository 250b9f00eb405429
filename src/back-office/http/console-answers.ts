/** Answers of the console: pages and JSON, compressed if that saves bytes; refusals; redirects. */
import { type AnyProblemCode, problemKindOf } from '../../contract/problem-body.ts';
import type { RouteMatch } from '../../contract/reading/router.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { type PageReader, type PageView, viewOf } from '../web/elements.ts';
import * as frame from '../web/frame.ts';
import { type Answer, JSON_TYPE } from '../../http/answers/answer-headers.ts';
import * as problems from '../../http/answers/present-problem.ts';
import type { Exchange } from '../../http/listener/exchange.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { asksForJson } from '../../http/pages/page-handler.ts';
import { HTML_TYPE, rootFor, wantedLocale } from '../../http/pages/page-answer.ts';
import { type ConsoleExchange, type ConsoleHook, formOf } from './console-exchange.ts';

export const SIGN_IN_PATH = '/console/sign-in';

/** Session data of an exchange; a listener's own exchange has none. */
type Asked = Exchange & Partial<Pick<ConsoleExchange, 'brand' | 'formId' | 'leadsToSetup' | 'session'>>;

/** The reader of a page: language, path to the root, session. */
export function readerOf(exchange: Asked, nowMs: number): PageReader {
  const { request, session, brand, formId = '', leadsToSetup = false } = exchange;
  const person = session && personOf(session);
  const locale = wantedLocale(request.headers['accept-language']);
  return {
    locale,
    root: rootFor(request.url ?? '/'),
    nowMs,
    formId,
    person,
    leadsToSetup,
    brand: brand && { name: brand.name, iconPath: brand.icon.path },
  };
}

function personOf({ sessionId, name, role, isByLink, freshMs, formToken }: NonNullable<Asked['session']>) {
  return { sessionId, name, role, isByLink, freshMs, formToken };
}

/** Status 200 by default. */
export function present({ response }: Exchange, { headers = [], ...answer }: Partial<Answer>): void {
  const own = { status: 200, cacheControl: 'no-store', ...answer };
  response.answer({ ...own, headers: [...frame.CONSOLE_HEADERS, ...headers] });
}

/** `page` becomes its `data-page`. */
export function presentPage(
  exchange: Exchange,
  page: string,
  view: PageView,
  parts: frame.PageParts,
  options: Partial<Answer> = {},
): void {
  const body = frame.formatPage(view, page, '', parts);
  present(exchange, { ...options, mediaType: HTML_TYPE, body });
}

export function presentJson(exchange: Exchange, document: unknown, options: Partial<Answer> = {}): void {
  present(exchange, { ...options, mediaType: JSON_TYPE, body: JSON.stringify(document) });
}

const CODES = {
  linkInvalid: 'CONSOLE_LINK_INVALID',
  tooMany: 'CONSOLE_ATTEMPTS_EXCEEDED',
  role: 'CONSOLE_ROLE_INSUFFICIENT',
  signedOut: 'CONSOLE_SESSION_REQUIRED',
  stale: 'CONSOLE_SIGN_IN_TOO_OLD',
  form: 'CONSOLE_FORM_REFUSED',
  tooLarge: 'CONSOLE_FORM_REFUSED',
  notFound: 'OPERATOR_OPERATION_NOT_FOUND',
  unavailable: 'OPERATOR_API_UNAVAILABLE',
  failed: 'INTERNAL_ERROR',
} as const satisfies Readonly<Record<frame.RefusedPage, AnyProblemCode>>;

/** In the session's frame, if there is a session. */
export function presentRefusal(
  exchange: Asked,
  kind: frame.RefusedPage,
  options: Partial<Answer> = {},
): void {
  const code = CODES[kind];
  if (isForProgram(exchange)) return presentProblem(exchange, code, options.headers);
  const view = viewOf(readerOf(exchange, 0));
  const { method, url = '' } = exchange.request;
  const asked = url.slice(url.indexOf(rawPathOf(url)));
  const before = method === 'POST' ? pageBefore(exchange) : undefined;
  const answer = { status: problemKindOf(code).status, code, ...options };
  const parts = frame.refusedPage(view, { kind, asked, before, typed: typedIn(exchange, kind) });
  presentPage(exchange, 'refused', view, parts, answer);
}

/**
 * The text typed into a form, to be sent again after signing in (again), or with the current token of the browser's
 * session. A form of another site never gets this far: its body is not read.
 */
function typedIn(exchange: Asked, kind: frame.RefusedPage): frame.Typed {
  const isKept = exchange.session === undefined ? kind === 'signedOut' : kind === 'stale' || kind === 'form';
  if (!isKept) return [];
  return [...formOf(exchange)].filter(([name]) => name !== 'form');
}

function isForProgram({ request }: Exchange): boolean {
  return asksForJson(request.headers.accept);
}

function presentProblem({ response }: Exchange, code: AnyProblemCode, headers: readonly string[] = []): void {
  problems.presentProblem(response, code, { headers: [...frame.CONSOLE_HEADERS, ...headers] });
}

/** Pages redirect to the sign-in; the answer does not reveal whether the path exists. */
export function presentNoSession(exchange: Exchange, headers: readonly string[] = []): void {
  if (isForProgram(exchange)) presentProblem(exchange, 'CONSOLE_SESSION_REQUIRED', headers);
  else goTo(exchange, SIGN_IN_PATH, headers);
}

interface ActRefused extends Partial<Answer> {
  /** One sentence. */
  readonly problem: string;
  /** The form again, with what was typed. */
  readonly draw: (view: PageView) => frame.PageParts;
}

export function presentActRefused(
  exchange: Asked,
  nowMs: number,
  { problem, draw, ...options }: ActRefused,
): void {
  const code = 'CONSOLE_ACT_REFUSED';
  if (isForProgram(exchange))
    return problems.presentProblem(exchange.response, code, {
      detail: problem,
      headers: options.headers ?? [],
    });
  const view = viewOf(readerOf(exchange, nowMs));
  presentPage(exchange, 'refused', view, draw(view), { status: 422, code, ...options });
}

/** Headers of a file: the browser must not show or run any of it as a page. */
export const DOWNLOAD_HEADERS = frame.CONSOLE_HEADERS;

/** Answers a bug, or a database that is away. */
export function presentFault(exchange: Exchange, error: unknown): void {
  if (isForProgram(exchange)) return problems.presentFailure(exchange, error);
  const isAway = error instanceof StorageUnavailable;
  exchange.response.failureCause = isAway ? { reason: error.message } : { err: error };
  if (!isAway) return presentRefusal(exchange, 'failed');
  const headers = ['Retry-After', String(problems.UNAVAILABLE_RETRY_SECONDS)];
  presentRefusal(exchange, 'unavailable', { headers });
}

export function unknownPathHook(route: RouteMatch<unknown>): ConsoleHook {
  return (exchange) => {
    if (route.found !== 'path') return presentRefusal(exchange, 'notFound');
    const { allowedMethods } = route;
    if (isForProgram(exchange)) return problems.presentUnknownOperation(exchange.response, allowedMethods);
    presentRefusal(exchange, 'notFound', { status: 405, headers: ['Allow', allowedMethods.join(', ')] });
  };
}

/** The page of the form that was sent, from the root. */
export function pageBefore({ request }: Exchange): string {
  const path = rawPathOf(request.url ?? '');
  return path.slice(0, path.lastIndexOf('/'));
}

/** `path` is ours, from the root. */
export function goTo(exchange: Exchange, path: string, headers: readonly string[] = []): void {
  const location = `${rootFor(exchange.request.url ?? '/')}${path.slice(1)}`;
  present(exchange, { status: 303, headers: [...headers, 'Location', location] });
}
