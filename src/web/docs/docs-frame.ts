/**
 * A page of documentation, for partners or for the systems of the operator: a bar with the other pages, contents at the
 * side, nothing loaded, nothing run.
 */
import { BASE_STYLE } from '../kit/base-style.ts';
import { type Content, formatDocument, type Html, html, makeStylesheet } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../kit/security-headers.ts';
import { DOCS_STYLE, TOP_BAR_STYLE } from './docs-style.ts';

export const DOCS_TITLE = 'Stayport partner API';

const STYLESHEET = makeStylesheet(BASE_STYLE, TOP_BAR_STYLE, DOCS_STYLE);
const POLICY = contentSecurityPolicy({ 'style-src': STYLESHEET.source });

/** The pages of one listener. Paths are from its root, without a slash before them. */
export interface DocsSite {
  readonly title: string;
  readonly home: string;
  readonly sections: Readonly<Record<string, string>>;
}

const PARTNER_DOCS: DocsSite = {
  title: DOCS_TITLE,
  home: 'docs',
  sections: {
    docs: 'Guide',
    'docs/reference': 'Reference',
    'docs/testing': 'Testing',
    problems: 'Problems',
    'openapi.json': 'OpenAPI',
  },
};

export interface DocsPageParts {
  /** The partners' unless named. */
  readonly site?: DocsSite;
  readonly path: string;
  readonly title: string;
  /** A path of the site's sections. */
  readonly section?: string;
  /** The places of the page, by their `id`; shown at its side. */
  readonly contents?: Readonly<Record<string, string>>;
  readonly body: Content;
}

export function docsFrame(parts: DocsPageParts): Page {
  const { site = PARTNER_DOCS, path, title, section, contents, body } = parts;
  const document = formatDocument({
    language: 'en',
    title: title === site.title ? title : `${title} · ${site.title}`,
    stylesheet: STYLESHEET,
    body: html`<a class="skip" href="#content">Skip to the content</a>
      ${topBar(rootFrom(path), section, site)}
      <div class="${contents === undefined ? 'plain' : 'columns'}">
        ${contents === undefined ? '' : contentsList(contents)}
        <main id="content">
          ${body} ${contents === undefined ? '' : html`<a class="up" href="#contents">On this page</a>`}
        </main>
      </div>`,
  });
  return {
    path,
    mediaType: 'text/html; charset=utf-8',
    body: Buffer.from(document.text),
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', POLICY],
  };
}

/**
 * The way from a page to the root. Links are relative, so that they hold behind a proxy that puts a prefix in front.
 */
export function rootFrom(path: string): string {
  const depth = path.split('/').length - 2;
  return depth === 0 ? './' : '../'.repeat(depth);
}

export function topBar(root: string, current: string | undefined, site: DocsSite = PARTNER_DOCS): Html {
  const links = Object.entries(site.sections).map(
    ([path, name]) =>
      html`<a href="${root}${path}" ${path === current ? html`aria-current="page"` : ''}>${name}</a> `,
  );
  return html`<header class="bar">
    <a class="home" href="${root}${site.home}">${site.title}</a>
    <nav aria-label="Documentation">${links}</nav>
  </header>`;
}

/**
 * Beside the text where there is room; folded above it on a phone, where a link stays on the screen that leads back to
 * it: a link to what is within opens it.
 */
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
