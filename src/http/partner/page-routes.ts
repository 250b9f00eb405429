/** Serves the pages of `web/`: ready bytes, no credential. */
import type { Page } from '../../web/kit/page.ts';
import type { App, Handler } from '../listener/app.ts';

/** Pages change only with a new version of the service. */
const CACHE_CONTROL = 'public, max-age=300';
const PAGE_METHODS = ['GET', 'HEAD'] as const;

export function registerPages(app: App, pages: readonly Page[]): void {
  for (const page of pages)
    app.route({ method: [...PAGE_METHODS], url: page.path, handler: pageHandler(page) });
}

/** Methods of a page's path; empty for any other path. */
export function pageMethods(pages: readonly Page[], rawPath: string): readonly string[] {
  return pages.some(({ path }) => path === rawPath) ? PAGE_METHODS : [];
}

function pageHandler({ mediaType, body, headers }: Page): Handler {
  return (_request, reply) => {
    reply.raw.operationName = 'page';
    reply.raw.answer({ status: 200, mediaType, cacheControl: CACHE_CONTROL, body, headers });
  };
}
