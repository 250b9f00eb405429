/** HTML as values: templates escape their contents, except HTML values; and the frame of every page. */
import { createHash } from 'node:crypto';
import { withoutTurning } from '../../domain/text-direction.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** `false` and `undefined` show nothing: `${count > 0 && html`<p>…</p>`}`. */
export type Content = Html | string | number | false | undefined | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** html`<p>${'a < b'}</p>` is `<p>a &lt; b</p>`; lists are concatenated. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  const parts = partsOf(strings);
  let text = parts[0]!;
  for (let index = 0; index < contents.length; index += 1) {
    const after = parts[index + 1]!;
    text += textOf(contents[index], isField(parts[index]!, after)) + after;
  }
  return new Html(text);
}

/** In an attribute and a text area a text stands alone, and a form sends it back: it stays as it is. */
function isField(before: string, after: string): boolean {
  return before.endsWith('="') || after.startsWith('</textarea');
}

/** Parts of each template, made once without indentation, which would be a third of a table. */
const PARTS = new WeakMap<TemplateStringsArray, readonly string[]>();

function partsOf(strings: TemplateStringsArray): readonly string[] {
  const known = PARTS.get(strings);
  if (known !== undefined) return known;
  const parts = strings.map(withoutIndentation);
  PARTS.set(strings, parts);
  return parts;
}

/** Line by line; line ends stay, because browsers read them as spaces. */
function withoutIndentation(text: string): string {
  return text.replaceAll(/(?<!\s)\s*\n\s*/g, '\n');
}

/**
 * Allows a long name to break on narrow screens: after a joiner, not before the first one, and not after the prefix of
 * an id.
 */
export function breakable(text: string): Content {
  return text
    .split(/(?<=[\w\]}][_/.:=?&@,-])(?<!^[a-z]{1,3}_)/)
    .map((part, index) => (index === 0 ? part : html`<wbr />${part}`));
}

/** So many letters of code, twice as large, fit on a line of the narrowest phone. */
const WHOLE_CODE_MAX = 14;

/** A program's name within a sentence. A short one does not break at its hyphen. */
export function codeText(text: string): Html {
  const isWhole = text.includes('-') && text.length <= WHOLE_CODE_MAX;
  return isWhole ? html`<code class="whole">${text}</code>` : html`<code>${breakable(text)}</code>`;
}

/** Text in which `backticks` mark code, as in the contract's descriptions. */
export function prose(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? codeText(part) : html`${part}`));
}

const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, entity]) => [entity, character]));

/** Reverses a template's escaping. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS.get(entity) ?? entity);
}

const NEEDS_ESCAPE = /[&<>"']/;

/** Elsewhere characters that turn the direction of the text beside it are left out. */
function textOf(content: Content, isWhole: boolean): string {
  if (content instanceof Html) return content.text;
  if (typeof content === 'string') {
    const text = isWhole ? content : withoutTurning(content);
    return NEEDS_ESCAPE.test(text)
      ? text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
      : text;
  }
  if (typeof content === 'object') return content.map((part) => textOf(part, isWhole)).join('');
  return content === false || content === undefined ? '' : String(content);
}

// The frame of every page: language, width, title, one style sheet.

export interface DocumentParts {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  /** Inside of the page; without it `head` has the links to files. */
  readonly stylesheet?: Stylesheet;
  /** Follows the title, such as `<link rel="icon">`. */
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
        ${head} ${stylesheet?.element}
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
  /** For `style-src` of the page's Content-Security-Policy. */
  readonly source: string;
}

/** `css` is ours: it is inserted unescaped. */
export function makeStylesheet(...css: readonly string[]): Stylesheet {
  const text = withoutIndentation(css.join(''));
  const hash = createHash('sha256').update(text).digest('base64');
  // Not within a template: the hash is over every character of the element, blanks too.
  return { element: new Html(`<style>${text}</style>`), source: `'sha256-${hash}'` };
}
