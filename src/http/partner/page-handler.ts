/** Serves the pages of `web/`: ready bytes, no credential. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { utcDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Page } from '../../web/kit/page.ts';
import { SECURITY_HEADERS } from '../../web/kit/security-headers.ts';
import type { Hook } from '../listener/exchange.ts';

/** Pages change only with a new version of the service, and their examples with the day. */
const CACHE_CONTROL = 'public, max-age=300';

/** The pages of a day by their paths; each day has the same paths. */
export type PagesNow = () => ReadonlyMap<string, Page>;

/** Pages show dates that can be booked: they are made once a day, by the first request of the day. */
export function pagesOfToday(build: (today: number) => readonly Page[], clock: Clock): PagesNow {
  let madeOn = Number.NaN;
  let pages: ReadonlyMap<string, Page> = new Map();
  return () => {
    const today = utcDay(clock());
    if (today !== madeOn) {
      pages = new Map(build(today).map((page) => [page.path, page]));
      madeOn = today;
    }
    return pages;
  };
}

/**
 * Leads from a path with a slash too many to the page, as people type it. The way is relative, because a proxy may have
 * put a prefix in front.
 */
export function slashHandler(path: string): Hook {
  const headers = [...SECURITY_HEADERS, 'Location', `../${path.slice(path.lastIndexOf('/') + 1)}`];
  return ({ response }) => {
    response.operationName = 'page';
    response.answer({ status: 308, cacheControl: CACHE_CONTROL, headers });
  };
}

/** The paths of pages that people may type with a slash at the end. */
export function withSlash(pages: Iterable<Page>): readonly string[] {
  return [...pages]
    .filter(({ path, mediaType }) => path !== '/' && mediaType.startsWith('text/html'))
    .map(({ path }) => path);
}

/** The handler of a page of this path, whatever the day. `operationName` is for logs and metrics. */
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

/** Browsers ask for HTML among other things; a program that wants JSON names it, and no HTML. */
export function asksForJson(accept: string | undefined): boolean {
  return (
    accept !== undefined && /\bapplication\/(?:problem\+)?json\b/i.test(accept) && !/\bhtml\b/i.test(accept)
  );
}

/** Sends the ready bytes to clients that take gzip; for the others they are unpacked once, and kept. */
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
