/** Answers of the console: pages and JSON, compressed if that saves bytes; refusals; redirects. */
import { sayAlone, type Wrong } from '../../domain/wrong.ts';
import { type AnyProblemCode, problemKindOf } from '../../contract/problem-body.ts';
import type { RouteMatch } from '../../contract/reading/router.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { withoutSecrets } from '../reading/console-forms.ts';
import { withQuery } from '../reading/paths.ts';
import { type PageReader, type PageView, viewOf } from '../web/elements.ts';
import * as frame from '../web/frame.ts';
import { type Answer, JSON_TYPE } from '../../http/answers/answer-headers.ts';
import * as problems from '../../http/answers/present-problem.ts';
import type { Exchange } from '../../http/listener/exchange.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { asksForJson, takesGzip } from '../../http/pages/page-handler.ts';
import { HTML_TYPE, rootFor, wantedLocale } from '../../http/pages/page-answer.ts';
import { type ConsoleDeps, type ConsoleExchange, type ConsoleHook, formOf } from './console-exchange.ts';
import type { Drawn } from './make-page.ts';

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
  const before = exchange.request.method === 'POST' ? pageBefore(exchange) : undefined;
  const answer = { status: problemKindOf(code).status, code, ...options };
  const parts = frame.refusedPage(view, { kind, asked: askedPath(exchange), before });
  presentPage(exchange, 'refused', view, parts, answer);
}

/** The path and query that were asked for, from the root. */
function askedPath({ request: { url = '' } }: Exchange): string {
  return url.slice(url.indexOf(rawPathOf(url)));
}

/**
 * The form again with what was typed, to be sent once more: after signing in (again), or with `formToken`, that of the
 * session. A form of another site never gets this far: its body is not read.
 */
export async function presentReturnedForm(
  deps: DrawingDeps,
  exchange: ConsoleExchange,
  kind: 'form' | 'stale' | 'signedOut',
  formToken: string,
): Promise<void> {
  if (isForProgram(exchange)) return presentProblem(exchange, CODES[kind]);
  const asked = askedPath(exchange);
  const fields = withoutSecrets(formOf(exchange)).filter(([name]) => name !== 'form');
  const kept = { kind, asked, before: pageBefore(exchange), fields, formToken } as const;
  const code = CODES[kind];
  await presentDrawn(deps, exchange, { kept }, { status: problemKindOf(code).status, code });
}

type DrawingDeps = Pick<ConsoleDeps, 'makePage' | 'ports'>;

/** A page of what a form came to: drawn where all pages are made, not by the thread that serves partners. */
export async function presentDrawn(
  { makePage, ports }: DrawingDeps,
  exchange: ConsoleExchange,
  drawn: Drawn,
  options: Partial<Answer> = {},
): Promise<void> {
  const reader = readerOf(exchange, ports.clock());
  const gzip = takesGzip(exchange.request.headers['accept-encoding']);
  const made = await withinDeadline(makePage({ ...reader, takesGzip: gzip, drawn }), DRAWING_MS_MAX);
  const { mediaType, body, headers } = made!;
  present(exchange, { ...options, mediaType, body, headers });
}

/** The thread may first have to start on busy cores. */
const DRAWING_MS_MAX = 15_000;

function isForProgram({ request }: Exchange): boolean {
  return asksForJson(request.headers.accept);
}

function presentProblem({ response }: Exchange, code: AnyProblemCode, headers: readonly string[] = []): void {
  problems.presentProblem(response, code, { headers: [...frame.CONSOLE_HEADERS, ...headers] });
}

/** Pages redirect to the sign-in; the answer does not reveal whether the path exists. */
export function presentNoSession(exchange: Exchange, headers: readonly string[] = []): void {
  if (isForProgram(exchange)) return presentProblem(exchange, 'CONSOLE_SESSION_REQUIRED', headers);
  const { method } = exchange.request;
  const next = method === 'POST' ? pageBefore(exchange) : askedPath(exchange);
  const isWorth = next !== HOME_PATH && isNext(next);
  goTo(exchange, isWorth ? withQuery(SIGN_IN_PATH, { next }) : SIGN_IN_PATH, headers);
}

const HOME_PATH = '/console';
/** A longer address of a page is forgotten: it stands in the address of the sign-in. */
export const NEXT_LENGTH_MAX = 1_000;

/** Where the sign-in leads, from the root: the page of ours that was asked for. */
export function nextOf(query: URLSearchParams): string {
  const next = query.get('next') ?? '';
  return isNext(next) ? next : HOME_PATH;
}

/** Never an address of another site, nor a page that signs out or in. */
function isNext(path: string): boolean {
  const isOurs = path.length <= NEXT_LENGTH_MAX && /^\/console(?:[/?][\x21-\x7e]*)?$/.test(path);
  return isOurs && !/^\/console\/sign-|[\\]/.test(path);
}

interface ActRefused extends Partial<Answer> {
  readonly problem: Wrong;
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
      detail: sayAlone(problem, 'en-GB'),
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
