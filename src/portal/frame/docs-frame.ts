/**
 * A page of documentation, for partners or the operator's systems: a bar of pages above, contents at the side. It is
 * whole without its one script, which copies samples, keeps choices and searches.
 */
import { BASE_STYLE } from '../../http/html/base-style.ts';
import { type Content, formatDocument, type Html, html, makeStylesheet } from '../../http/html/html.ts';
import type { Page } from '../../http/html/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import { DOCS_STYLE, TOP_BAR_STYLE } from './docs-style.ts';
import { highlightPage } from './highlight.ts';
import { SCRIPT_INTEGRITY, scriptPath } from './page-script.ts';

export const DOCS_TITLE = 'Stayport partner API';

const STYLESHEET = makeStylesheet(BASE_STYLE, TOP_BAR_STYLE, DOCS_STYLE);
/** The script is named by its hash, and loads the search index. */
const POLICY = contentSecurityPolicy({
  'style-src': STYLESHEET.source,
  'script-src': `'${SCRIPT_INTEGRITY}'`,
  'connect-src': "'self'",
});

/** The pages of one listener. Paths start from its root, without a leading slash. */
export interface DocsSite {
  readonly title: string;
  readonly home: string;
  /** Holds the script, the search index and the page of all headings. */
  readonly folder: string;
  readonly sections: Readonly<Record<string, string>>;
}

export const PARTNER_DOCS: DocsSite = {
  title: DOCS_TITLE,
  home: 'docs',
  folder: 'docs',
  sections: {
    docs: 'Guide',
    'docs/reference': 'Reference',
    'docs/any-dates': 'Any dates',
    'docs/not-available': 'Not available',
    'docs/families': 'Families',
    'docs/changes': 'Changes',
    'docs/testing': 'Testing',
    problems: 'Problems',
    'docs/changelog': 'Changelog',
    'openapi.json': 'OpenAPI',
  },
};

export interface DocsPageParts {
  /** Defaults to the partners' site. */
  readonly site?: DocsSite;
  readonly path: string;
  readonly title: string;
  /** A path of the site's sections. */
  readonly section?: string;
  /** Places of the page by `id`, shown at its side. */
  readonly contents?: Readonly<Record<string, string>>;
  readonly body: () => Content;
  /** For clients that accept JSON but not HTML. */
  readonly json?: Page['json'];
}

export interface DocsPage extends Page {
  /** The whole page, with uncoloured code. */
  readonly plain: string;
}

/** Most pages are never requested in a thread on a day: each is written and coloured on its first request. */
export function docsFrame(parts: DocsPageParts): DocsPage {
  const { path, json } = parts;
  let bytes: Uint8Array | undefined;
  return {
    path,
    mediaType: 'text/html; charset=utf-8',
    get plain() {
      return formatDocsPage(parts);
    },
    get body() {
      return (bytes ??= Buffer.from(highlightPage(this.plain)));
    },
    ...(json === undefined ? {} : { json }),
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', POLICY],
  };
}

function formatDocsPage({
  site = PARTNER_DOCS,
  path,
  title,
  section,
  contents,
  body,
}: DocsPageParts): string {
  const root = rootFrom(path);
  const document = formatDocument({
    language: 'en',
    title: title === site.title ? title : `${title} · ${site.title}`,
    stylesheet: STYLESHEET,
    head: scriptElement(root, site),
    body: html`<a class="skip" href="#content">Skip to the content</a>
      ${topBar(root, section, site)}
      <div class="${contents === undefined ? 'plain' : 'columns'}">
        ${contents === undefined ? '' : contentsList(contents)}
        <main id="content">
          ${body()} ${contents === undefined ? '' : html`<a class="up" href="#contents">On this page</a>`}
        </main>
      </div>`,
  });
  return document.text;
}

/** The path from a page to the root. Relative links work behind a proxy that adds a prefix. */
export function rootFrom(path: string): string {
  const depth = path.split('/').length - 2;
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** Runs after the page is parsed. */
export function scriptElement(root: string, { folder }: DocsSite): Html {
  return html`<script src="${root}${scriptPath(folder)}" integrity="${SCRIPT_INTEGRITY}" defer></script>`;
}

export function indexPath({ folder }: DocsSite): string {
  return `${folder}/search.json`;
}

export function headingsPath({ folder }: DocsSite): string {
  return `${folder}/headings`;
}

/** The script turns the link into a search field. */
export function topBar(root: string, current: string | undefined, site: DocsSite = PARTNER_DOCS): Html {
  const links = Object.entries(site.sections).map(
    ([path, name]) =>
      html`<a href="${root}${path}" ${path === current ? html`aria-current="page"` : ''}>${name}</a> `,
  );
  return html`<header class="bar">
    <a class="home" href="${root}${site.home}">${site.title}</a>
    <nav aria-label="Documentation">${links}</nav>
    <div class="search" data-root="${root}" data-index="${indexPath(site)}">
      <a href="${root}${headingsPath(site)}">All headings</a>
    </div>
  </header>`;
}

/** Beside the text if there is room; folded above it on a phone, where a link to a place within opens it. */
function contentsList(contents: Readonly<Record<string, string>>): Html {
  const items = Object.entries(contents).map(([id, name]) => html`<li><a href="#${id}">${name}</a></li> `);
  return html`<nav class="contents" aria-label="On this page">
    <div class="beside">
      <p>On this page</p>
      <ol>
        ${items}
      </ol>
    </div>
    <details class="folded">
      <summary>On this page</summary>
      <ol id="contents">
        ${items}
      </ol>
    </details>
  </nav>`;
}
