/** The same call in several languages, one shown at a time: radio inputs and labels, no script. */
import { type Html, html } from '../kit/html.ts';

export interface Snippet {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const;

/** `name` is unique on its page. Tests find each program by `data-example`, and run it. */
export function codeTabs(name: string, snippet: Snippet): Html {
  const tabs = Object.entries(LANGUAGES).map(([language, label], index) => {
    const id = `${name}-${language}`;
    const checked = index === 0 ? html` checked` : '';
    const code = snippet[language as keyof Snippet];
    return html`<input type="radio" name="${name}" id="${id}" ${checked} /><label for="${id}">${label}</label>
      <pre tabindex="0" data-example="${id}"><code>${code}</code></pre>`;
  });
  return html`<div class="tabs" role="group" aria-label="Example in three languages">${tabs}</div>`;
}

/** A block of text as it is sent or received. */
export function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

export function jsonBlock(value: unknown): Html {
  return codeBlock(JSON.stringify(value, null, 2));
}
