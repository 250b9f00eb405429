/** HTML as values: what is put into a template is escaped, unless it is HTML itself; and the frame of every page. */
import { createHash } from 'node:crypto';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** html`<p>${'a < b'}</p>` is `<p>a &lt; b</p>`; lists are put in one after the other. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = strings[0] ?? '';
  for (const [index, content] of contents.entries()) text += textOf(content) + (strings[index + 1] ?? '');
  return new Html(text);
}

/** A long name with the places at which a narrow screen may end a line: after what joins its words. */
export function breakable(text: string): Content {
  return text.split(/(?<=[_/.:=?&@,-])/).map((part, index) => (index === 0 ? part : html`<wbr />${part}`));
}

/** A name of a program's, within a sentence. */
export function codeText(text: string): Html {
  return html`<code>${breakable(text)}</code>`;
}

/** Text in which `backticks` mark code, as descriptions of the contract are written. */
export function prose(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? codeText(part) : html`${part}`));
}

const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, entity]) => [entity, character]));

/** What was escaped by a template, as it was before. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS.get(entity) ?? entity);
}

function textOf(content: Content): string {
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

// The frame of every page: language, width, title, one style sheet.

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

// A style sheet inside its page: one request for the page, and a policy that allows exactly these rules.

interface Stylesheet {
  /** `<style>…</style>`. */
  readonly element: Html;
  /** What `style-src` of the page's Content-Security-Policy names. */
  readonly source: string;
}

/** `css` is ours: it is put into the page unescaped. */
export function makeStylesheet(...css: readonly string[]): Stylesheet {
  const text = css.join('');
  const hash = createHash('sha256').update(text).digest('base64');
  // Not within a template: the hash is over every character of the element, blanks too.
  return { element: new Html(`<style>${text}</style>`), source: `'sha256-${hash}'` };
}
