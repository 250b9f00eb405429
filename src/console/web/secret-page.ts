/** Secrets that a form made and shows once: a token or URL, with a button that copies it. */
import { type Content, type Html, html } from '../../http/html/html.ts';
import { COPY_SCRIPT } from './assets.ts';
import { backLink, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';

/** A text that a click selects and a button copies. */
export function copiedText({ messages: { forms } }: PageView, text: string): Html {
  return html`<p>
    <code class="secret" data-copy="${forms.copy}" data-copied="${forms.copied}">${text}</code>
  </p>`;
}

/** A secret that a form made and shows once; `below` says what it is for. */
export function secretPage(
  view: PageView,
  title: string,
  keep: string,
  secret: string,
  below: Content,
  back: string,
): PageParts {
  const main = [html`<p class="warn">${keep}</p>`, copiedText(view, secret), below, backLink(view, back)];
  return { title, act: undefined, main, scripts: [COPY_SCRIPT.path] };
}
