/** Serves the pages of `web/`: ready bytes, without credentials. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { utcDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Page } from '../html/page.ts';
import { SECURITY_HEADERS } from '../html/security-headers.ts';
import type { Hook } from '../listener/exchange.ts';

/** Pages change only with a new version of the service, and their examples with the day. */
const CACHE_CONTROL = 'public, max-age=300';

/** The pages of a day by path; each day has the same paths. */
export type PagesNow = () => ReadonlyMap<string, Page>;

/**
 * Pages show bookable dates: the first request of each day makes them, and the first after a change of what `about`
 * returns.
 */
export function pagesOfToday(
  build: (today: number) => readonly Page[],
  clock: Clock,
  about: () => string = () => '',
): PagesNow {
  let madeOn = '';
  let pages: ReadonlyMap<string, Page> = new Map();
  return () => {
    const today = utcDay(clock());
    const now = `${today} ${about()}`;
    if (now !== madeOn) {
      pages = new Map(build(today).map((page) => [page.path, page]));
      madeOn = now;
    }
    return pages;
  };
}

/**
 * Redirects from a path with a slash too many to the page. The target is relative, because a proxy may add a prefix.
 */
export function slashHandler(path: string): Hook {
  const headers = [...SECURITY_HEADERS, 'Location', `../${path.slice(path.lastIndexOf('/') + 1)}`];
  return ({ response }) => {
    response.operationName = 'page';
    response.answer({ status: 308, cacheControl: CACHE_CONTROL, headers });
  };
}

/** Paths of pages that people may type with a final slash. */
export function withSlash(pages: Iterable<Page>): readonly string[] {
  return [...pages]
    .filter(({ path, mediaType }) => path !== '/' && mediaType.startsWith('text/html'))
    .map(({ path }) => path);
}

/** Serves the page of this path for any day. `operationName` is for logs and metrics. */
export function pageHandler(pages: PagesNow, path: string, operationName = 'page'): Hook {
  const handlerOf = pages().get(path)?.encoding === undefined ? plainHandler : compressedHandler;
  return handlerOf(pages, path, operationName);
}

function plainHandler(pages: PagesNow, path: string, operationName: string): Hook {
  return ({ request, response }) => {
    const { mediaType, body, json, headers, cacheControl = CACHE_CONTROL } = pages().get(path)!;
    const isJson = json !== undefined && asksForJson(request.headers.accept);
    const shown = isJson ? json : { mediaType, body };
    response.operationName = operationName;
    response.answer({
      ...shown,
      status: 200,
      cacheControl,
      headers: json === undefined ? headers : [...headers, 'Vary', 'Accept'],
    });
  };
}

/** Browsers accept HTML among others; a program that wants JSON names it without HTML. */
export function asksForJson(accept: string | undefined): boolean {
  return (
    accept !== undefined && /\bapplication\/(?:problem\+)?json\b/i.test(accept) && !/\bhtml\b/i.test(accept)
  );
}

/** Sends the ready bytes to clients that accept gzip; for others they are unpacked once and cached. */
function compressedHandler(pages: PagesNow, path: string, operationName: string): Hook {
  let unpacked: Promise<Uint8Array> | undefined;
  return async ({ request, response }) => {
    const { mediaType, body, headers, cacheControl = CACHE_CONTROL } = pages().get(path)!;
    response.operationName = operationName;
    const answer = { status: 200, mediaType, cacheControl };
    const varying = [...headers, 'Vary', 'Accept-Encoding'];
    if (takesGzip(request.headers['accept-encoding'])) {
      response.answer({ ...answer, body, headers: [...varying, 'Content-Encoding', 'gzip'] });
    } else {
      unpacked ??= promisify(gunzip)(body);
      response.answer({ ...answer, body: await unpacked, headers: varying });
    }
  };
}

/** RFC 9110 12.5.3, as browsers and tools write it: a coding with `q=0` is refused. */
export function takesGzip(acceptEncoding: string | string[] | undefined): boolean {
  const codings = String(acceptEncoding ?? '')
    .toLowerCase()
    .split(',');
  return codings.some((coding) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding));
}
