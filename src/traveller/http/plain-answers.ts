/** Answers without a stay: pages for people, with the matching status for programs. */
import type { Locale } from '../../domain/property.ts';
import type { RouteMatch } from '../../contract/reading/router.ts';
import type { Exchange, Hook } from '../../http/listener/exchange.ts';
import { HTML_TYPE, PAGE_CACHE_CONTROL, rootFor, wantedLocale } from '../../http/pages/page-answer.ts';
import type { TravellerPages } from '../web/handoff-page.ts';
import type { PageTitle } from '../web/messages/en-gb.ts';

type FaultPage = Exclude<PageTitle, 'testEnd'>;

const STATUSES: Readonly<Record<FaultPage, number>> = {
  invalid: 400,
  notFound: 404,
  tooMany: 429,
  tryLater: 503,
};

/** Codes for the log and the metrics; travellers never see them. */
const CODES = {
  invalid: 'HANDOFF_INVALID',
  notFound: 'PARTNER_OPERATION_NOT_FOUND',
  tooMany: 'RATE_LIMIT_EXCEEDED',
  tryLater: 'PARTNER_API_UNAVAILABLE',
} as const satisfies Record<FaultPage, string>;

export interface PlainOptions {
  readonly status?: number;
  readonly headers?: readonly string[];
  /** For the log of 503 and 500. */
  readonly cause?: { readonly reason?: string; readonly err?: unknown };
}

export function presentPlain(
  pages: TravellerPages,
  kind: FaultPage,
  { request, response }: Exchange,
  { status = STATUSES[kind], headers = [], cause }: PlainOptions = {},
): void {
  if (cause !== undefined) response.failureCause = cause;
  response.answer({
    status,
    code: status === 500 ? 'INTERNAL_ERROR' : CODES[kind],
    mediaType: HTML_TYPE,
    cacheControl: PAGE_CACHE_CONTROL,
    body: pages.plain(kind, wantedLocale(request.headers['accept-language']), rootFor(request.url ?? '/')),
    headers: [...pages.headers, ...headers],
  });
}

/** The end of a sandbox quote, in place of the booking site. */
export function presentTestEnd(pages: TravellerPages, locale: Locale, { request, response }: Exchange): void {
  response.answer({
    status: 200,
    mediaType: HTML_TYPE,
    cacheControl: PAGE_CACHE_CONTROL,
    body: pages.plain('testEnd', locale, rootFor(request.url ?? '/')),
    headers: pages.headers,
  });
}

/** 404, or 405 with Allow for a known path. */
export function unknownPathHandler(pages: TravellerPages, route: RouteMatch<unknown>): Hook {
  return (exchange) => {
    if (route.found !== 'path') return presentPlain(pages, 'notFound', exchange);
    const headers = ['Allow', route.allowedMethods.join(', ')];
    presentPlain(pages, 'notFound', exchange, { status: 405, headers });
  };
}

export function presentWebFailure(pages: TravellerPages): Exchange['presentFailure'] {
  return (exchange, err) => presentPlain(pages, 'tryLater', exchange, { status: 500, cause: { err } });
}
