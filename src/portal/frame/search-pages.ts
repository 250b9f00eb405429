/**
 * The search index of the documentation, and a page of all headings for browsers without JavaScript. Both are read from
 * the finished pages.
 */
import { type Html, html, unescapeHtml } from '../../http/html/html.ts';
import type { Page } from '../../http/html/page.ts';
import { SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import { docsFrame, type DocsPage, type DocsSite, headingsPath, indexPath, rootFrom } from './docs-frame.ts';

/** Size of one listener's index; a test checks it. The browser loads it with the first letter of a search. */
export const SEARCH_INDEX_BYTES_MAX = 131_072;

interface Section {
  /** Title of its page. */
  readonly page: string;
  /** From the root of the listener, without a leading slash. */
  readonly path: string;
  /** Empty for the beginning of the page. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** `more` are sections of pages that a script draws. */
export function searchPages(
  site: DocsSite,
  pages: readonly DocsPage[],
  more: readonly Section[] = [],
): readonly Page[] {
  // Reading all pages takes milliseconds: not before somebody searches.
  let read: readonly Section[] | undefined;
  const sections = (): readonly Section[] => (read ??= [...pages.flatMap(sectionsOf), ...more]);
  const index: Page = {
    path: `/${indexPath(site)}`,
    mediaType: 'application/json',
    get body() {
      return Buffer.from(formatIndex(sections()));
    },
    headers: SECURITY_HEADERS,
  };
  return [headingsPage(site, sections), index];
}

/** The index for `docs-page.js`. */
function formatIndex(sections: readonly Section[]): string {
  return JSON.stringify(sections.map(({ page, path, id, heading, text }) => [page, path, id, heading, text]));
}

/** Code, choices and table heads are not searched: readers search a program's purpose. */
const NOT_TEXT =
  /<div class="(?:sample|tabs)"[^]*?<\/div>|<fieldset[^]*?<\/fieldset>|<thead>[^]*?<\/thead>|<a class="up"[^]*?<\/a>/g;
/** The title, and each heading with an id. */
const SECTION_START = /(?=<h1>|<h[2-4] id=")/;
const HEADING = /^<h[1-4](?: id="([^"]*)")?>([^]*?)<\/h[1-4]>([^]*)$/;

function sectionsOf({ path, plain }: DocsPage): readonly Section[] {
  const [, main = ''] = /<main id="content">([^]*)<\/main>/.exec(plain) ?? [];
  const parts = main.replaceAll(NOT_TEXT, '').split(SECTION_START);
  const found = parts.flatMap((part) => {
    const [, id = '', heading = '', rest = ''] = HEADING.exec(part) ?? [];
    return heading === '' ? [] : [{ id, heading: plainText(heading), text: plainText(rest) }];
  });
  const page = found[0]?.heading ?? '';
  return found.map((section) => ({ page, path: path.slice(1), ...section }));
}

/** Plain text of our templates' HTML. */
function plainText(written: string): string {
  const text = written.replaceAll(/<\/(?:td|th|p|li|h\d)>/g, ' ').replaceAll(/<[^>]*>/g, '');
  return unescapeHtml(text).replaceAll(/\s+/g, ' ').trim();
}

function headingsPage(site: DocsSite, sections: () => readonly Section[]): Page {
  const path = `/${headingsPath(site)}`;
  return docsFrame({
    site,
    path,
    title: 'All headings',
    body: () => headingsList(rootFrom(path), sections()),
  });
}

function headingsList(root: string, sections: readonly Section[]): Html {
  const pages = Map.groupBy(sections, ({ path }) => path);
  return html`<h1>All headings</h1>
    ${[...pages].map(([path, [first, ...rest]]) => headingsOf(root + path, first!.page, rest))}`;
}

function headingsOf(href: string, title: string, sections: readonly Section[]): Html {
  const items = sections.map(
    ({ id, heading }) => html`<li><a href="${href}${id === '' ? '' : `#${id}`}">${heading}</a></li> `,
  );
  return html`<h2><a href="${href}">${title}</a></h2>
    ${
      items.length === 0
        ? ''
        : html`<ul>
            ${items}
          </ul>`
    } `;
}
