/** A page of the documentation: the bar that all of them have, contents at the side, nothing loaded, nothing run. */
import { BASE_STYLE } from '../kit/base-style.ts';
import { formatDocument } from '../kit/document.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../kit/security-headers.ts';
import { makeStylesheet } from '../kit/stylesheet.ts';
import { DOCS_STYLE, TOP_BAR_STYLE } from './docs-style.ts';

export const DOCS_TITLE = 'Stayport partner API';

const STYLESHEET = makeStylesheet(BASE_STYLE, TOP_BAR_STYLE, DOCS_STYLE);
const POLICY = contentSecurityPolicy({ 'style-src': STYLESHEET.source });

/** Paths from the root, without a slash before them. */
const SECTIONS = {
  docs: 'Guide',
  'docs/reference': 'Reference',
  'docs/testing': 'Testing',
  problems: 'Problems',
} as const;
export type Section = keyof typeof SECTIONS;

export interface DocsPageParts {
  readonly path: string;
  readonly title: string;
  readonly section?: Section;
  /** The places of the page, by their `id`; shown at its side. */
  readonly contents?: Readonly<Record<string, string>>;
  readonly body: Content;
}

export function docsFrame({ path, title, section, contents, body }: DocsPageParts): Page {
  const document = formatDocument({
    language: 'en',
    title: path === '/' ? title : `${title} · ${DOCS_TITLE}`,
    stylesheet: STYLESHEET,
    body: html`<a class="skip" href="#content">Skip to the content</a>
      ${topBar(rootFrom(path), section)}
      <div class="${contents === undefined ? 'plain' : 'columns'}">
        ${contents === undefined ? '' : contentsList(contents)}
        <main id="content">${body}</main>
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

export function topBar(root: string, current: Section | undefined): Html {
  const links = Object.entries(SECTIONS).map(
    ([path, name]) =>
      html`<a href="${root}${path}" ${path === current ? html`aria-current="page"` : ''}>${name}</a> `,
  );
  return html`<header class="bar">
    <a class="home" href="${root}docs">${DOCS_TITLE}</a>
    <nav aria-label="Documentation">${links}<a href="${root}openapi.json">OpenAPI</a></nav>
  </header>`;
}

/** Beside the text where there is room; folded above it on a phone. */
function contentsList(contents: Readonly<Record<string, string>>): Html {
  const list = html`<ol>
    ${Object.entries(contents).map(([id, name]) => html`<li><a href="#${id}">${name}</a></li> `)}
  </ol>`;
  return html`<nav class="contents" aria-label="On this page">
    <div class="beside">
      <p>On this page</p>
      ${list}
    </div>
    <details class="folded">
      <summary>On this page</summary>
      ${list}
    </details>
  </nav>`;
}
