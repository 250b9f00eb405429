/**
 * Marks parts of code for colours on the server, so browsers run nothing for it. A library parses the five languages;
 * it is loaded with the first page.
 */
import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { unescapeHtml } from '../../http/html/html.ts';

const LANGUAGES = ['bash', 'http', 'json', 'python', 'typescript'] as const;
export type CodeLanguage = (typeof LANGUAGES)[number];

/** CSS class of each kind of part. Other parts have the colour of text. */
const CLASSES: Readonly<Record<string, string>> = {
  comment: 'c',
  string: 's',
  keyword: 'k',
  literal: 'k',
  built_in: 'k',
  number: 'n',
  attr: 'a',
  attribute: 'a',
  variable: 'v',
  subst: 'v',
};

let library: HLJSApi | undefined;

function loadLibrary(): HLJSApi {
  const require = createRequire(import.meta.url);
  const loaded = (require('highlight.js/lib/core') as HLJSApi).newInstance();
  for (const language of LANGUAGES) {
    loaded.registerLanguage(language, require(`highlight.js/lib/languages/${language}`) as LanguageFn);
  }
  loaded.configure({ classPrefix: '' });
  return loaded;
}

const CODE = new RegExp(`<code data-language="(${LANGUAGES.join('|')})">([^]*?)</code>`, 'g');

/** Marks every `<code data-language>` of a page from our templates. */
export function highlightPage(page: string): string {
  const loaded = (library ??= loadLibrary());
  return page.replaceAll(CODE, (_element, language: CodeLanguage, escaped: string) => {
    const { value } = loaded.highlight(unescapeHtml(escaped), { language });
    return `<code>${renameSpans(value)}</code>`;
  });
}

/** `<span class="keyword">` becomes `<span class="k">`; spans without a colour are dropped. */
function renameSpans(marked: string): string {
  const ends: string[] = [];
  return marked.replaceAll(
    /<span class="([a-z_]+)(?![a-z_])[^"]*">|<\/span>/g,
    (_tag, name: string | undefined) => {
      if (name === undefined) return ends.pop() ?? '';
      const shown = CLASSES[name];
      ends.push(shown === undefined ? '' : '</span>');
      return shown === undefined ? '' : `<span class="${shown}">`;
    },
  );
}
