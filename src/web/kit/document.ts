/** The frame of every page: language, width, title, one style sheet. */
import { type Content, type Html, html } from './html.ts';
import type { Stylesheet } from './stylesheet.ts';

export interface DocumentParts {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly stylesheet: Stylesheet;
  /** Behind the title, such as `<link rel="icon">`. */
  readonly head?: Content;
  readonly body: Content;
}

export function formatDocument({ language, title, stylesheet, head = '', body }: DocumentParts): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${head} ${stylesheet.element}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
}
