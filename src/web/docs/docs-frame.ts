/** A page of the documentation: the shared frame and look, nothing loaded and nothing run. */
import { formatDocument } from '../kit/document.ts';
import { BASE_STYLE } from '../kit/base-style.ts';
import type { Content } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../kit/security-headers.ts';
import { makeStylesheet } from '../kit/stylesheet.ts';
import { DOCS_STYLE } from './docs-style.ts';

const STYLESHEET = makeStylesheet(BASE_STYLE, DOCS_STYLE);
const POLICY = contentSecurityPolicy({ 'style-src': STYLESHEET.source });

export function docsFrame(path: string, title: string, body: Content): Page {
  const document = formatDocument({ language: 'en', title, stylesheet: STYLESHEET, body });
  return {
    path,
    mediaType: 'text/html; charset=utf-8',
    body: Buffer.from(document.text),
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', POLICY],
  };
}
