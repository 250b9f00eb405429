/**
 * Marks the parts of code for colours, on the server, so browsers run nothing for it. A library reads the languages:
 * telling a comment from a string in five of them is not ours to do. It is loaded with the first page that is read.
 */
import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { unescapeHtml } from '../kit/html.ts';

const LANGUAGES = ['bash', 'http', 'json', 'python', 'typescript'] as const;
export type CodeLanguage = (typeof LANGUAGES)[number];

/** The class that the style sheet colours, by what the library calls a part. Other parts have the colour of text. */
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

/** A page as our templates write it, with every `<code data-language>` marked. */
export function highlightPage(page: string): string {
  const loaded = (library ??= loadLibrary());
  return page.replaceAll(CODE, (_element, language: CodeLanguage, escaped: string) => {
    const { value } = loaded.highlight(unescapeHtml(escaped), { language });
    return `<code>${renameSpans(value)}</code>`;
  });
}

/** `<span class="keyword">` becomes `<span class="k">`; a span without a colour goes. */
function renameSpans(marked: string): string {
  const ends: string[] = [];
  return marked.replaceAll(/<span class="([a-z_]+)[^"]*">|<\/span>/g, (_tag, name: string | undefined) => {
    if (name === undefined) return ends.pop() ?? '';
    const shown = CLASSES[name];
    ends.push(shown === undefined ? '' : '</span>');
    return shown === undefined ? '' : `<span class="${shown}">`;
  });
}
