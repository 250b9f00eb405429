/** Code on a page: one sample, or one call in several languages, of which one is shown. Works without JavaScript. */
import { type Content, type Html, html } from '../../http/html/html.ts';
import type { CodeLanguage } from './highlight.ts';

export interface Snippet {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

const TABS = {
  curl: { label: 'curl', language: 'bash' },
  typescript: { label: 'TypeScript', language: 'typescript' },
  python: { label: 'Python', language: 'python' },
} as const satisfies Record<keyof Snippet, { readonly label: string; readonly language: CodeLanguage }>;

/**
 * `name` is unique on its page. Tests find each program by `data-example`, and run it. The page's script keeps
 * `data-choice`: the chosen language applies everywhere.
 */
export function codeTabs(name: string, snippet: Snippet): Html {
  const tabs = Object.entries(TABS).map(([key, { label, language }], index) => {
    const id = `${name}-${key}`;
    const checked = index === 0 ? html` checked` : '';
    return html`<input
        type="radio"
        name="${name}"
        id="${id}"
        data-choice="language"
        value="${key}"
        ${checked}
      /><label for="${id}">${label}</label>
      ${codeElement(language, snippet[key as keyof Snippet], html`data-example="${id}"`)}`;
  });
  return html`<div class="tabs" role="group" aria-label="Example in three languages">${tabs}</div>`;
}

const KINDS = { bash: 'Shell', http: 'HTTP', json: 'JSON', typescript: 'TypeScript' } as const;

/** A block of text as sent or received, with its kind as heading. */
export function codeBlock(language: keyof typeof KINDS, text: string): Html {
  return html`<div class="sample">
    <p class="kind">${KINDS[language]}</p>
    ${codeElement(language, text)}
  </div>`;
}

/** `docsFrame` adds colours when the page is requested. */
function codeElement(language: CodeLanguage, text: string, attribute: Content = ''): Html {
  return html`<pre tabindex="0" ${attribute}><code data-language="${language}">${text}</code></pre>`;
}

export function jsonBlock(value: unknown): Html {
  return codeBlock('json', JSON.stringify(value, null, 2));
}
