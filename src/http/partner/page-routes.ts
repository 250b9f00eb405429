/** Serves the pages of `web/`: ready bytes, no credential. */
import type { Clock } from '../../runtime/clock.ts';
import type { Page } from '../../web/kit/page.ts';
import type { App, Handler } from '../listener/app.ts';

/** Pages change only with a new version of the service, and their examples with the day. */
const CACHE_CONTROL = 'public, max-age=300';
const PAGE_METHODS = ['GET', 'HEAD'] as const;
const DAY_MS = 86_400_000;

/** The pages of a day by their paths; each day has the same paths. */
export type PagesNow = () => ReadonlyMap<string, Page>;

/** Pages show dates that can be booked: they are made once a day, by whoever asks first. */
export function pagesOfToday(build: (today: number) => readonly Page[], clock: Clock): PagesNow {
  let madeOn = Number.NaN;
  let pages: ReadonlyMap<string, Page> = new Map();
  return () => {
    const today = Math.floor(clock() / DAY_MS);
    if (today !== madeOn) {
      pages = new Map(build(today).map((page) => [page.path, page]));
      madeOn = today;
    }
    return pages;
  };
}

export function registerPages(app: App, pages: PagesNow): void {
  for (const path of pages().keys())
    app.route({ method: [...PAGE_METHODS], url: path, handler: pageHandler(pages, path) });
}

/** Methods of a page's path; empty for any other path. */
export function pageMethods(pages: PagesNow, rawPath: string): readonly string[] {
  return pages().has(rawPath) ? PAGE_METHODS : [];
}

function pageHandler(pages: PagesNow, path: string): Handler {
  return (_request, reply) => {
    const { mediaType, body, headers } = pages().get(path)!;
    reply.raw.operationName = 'page';
    reply.raw.answer({ status: 200, mediaType, cacheControl: CACHE_CONTROL, body, headers });
  };
}
