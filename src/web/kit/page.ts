/** One page of the partner listener, as the bytes and headers that are sent. */
import { createHash } from 'node:crypto';
import { type Content, Html, html } from './html.ts';
import { STYLE } from './style.ts';

export interface Page {
  readonly path: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
}

/** For whatever is served to browsers: taken as what it says it is, shown in no frame, telling nobody where from. */
export const SECURITY_HEADERS = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
] as const;

// Not within a template: the policy's hash is over every character of the element, blanks too.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded and nothing runs but the one style sheet within the page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function htmlPage(path: string, title: string, content: Content): Page {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${content}
      </body>
    </html> `;
  return {
    path,
    mediaType: 'text/html; charset=utf-8',
    body: Buffer.from(document.text),
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', CONTENT_SECURITY_POLICY],
  };
}
