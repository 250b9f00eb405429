/** The frame of every page of the traveller: the operator above, contact below, the outcome in between. */
import { breakable, type Content, formatDocument, type Html, html } from '../kit/html.ts';
import type { TravellerAssets } from './assets.ts';
import type { View } from './view.ts';

/** What `data-outcome` says. `unchecked`: the database was away, and the quote's own figures are shown. */
export type PageOutcome =
  | 'unchanged'
  | 'price_changed'
  | 'unavailable'
  | 'expired'
  | 'invalid'
  | 'unchecked'
  | 'none';

export interface FrameParts {
  readonly outcome: PageOutcome;
  readonly title: string;
  readonly main: Content;
  /** Small print at the very end. */
  readonly reference?: string | undefined;
}

export function formatPage(view: View, assets: TravellerAssets, parts: FrameParts): string {
  const { messages, operator, root } = view;
  const link = (path: string): string => `${root}${path.slice(1)}`;
  const body = html`<a class="skip" href="#main">${messages.skipToStay}</a>
    <header class="bar">${brand(view, link)}</header>
    ${view.isTest ? html`<p class="test" role="note">${messages.testBanner}</p>` : ''}
    <main id="main" tabindex="-1" data-outcome="${parts.outcome}">${parts.main}</main>
    <footer class="foot">
      <p><bdi>${operator.name}</bdi></p>
      ${operator.contact === undefined ? '' : html`<p><a href="${operator.contact}">${contactText(view, operator.contact)}</a></p>`}
      ${parts.reference === undefined ? '' : html`<p class="fine">${parts.reference}</p>`}
    </footer>`;
  const document = formatDocument({
    language: messages.locale,
    title: `${parts.title} | ${operator.name}`,
    stylesheet: {
      element: html`<link rel="stylesheet" href="${link(assets.style.path)}" />`,
      source: "'self'",
    },
    head: html`<meta name="robots" content="noindex" /><link rel="icon" href="${link(assets.icon.path)}" />`,
    body,
  });
  return withoutIndentation(document);
}

function brand({ operator }: View, link: (path: string) => string): Html {
  return operator.logoPath === undefined
    ? html`<p class="brand"><bdi>${operator.name}</bdi></p>`
    : html`<p class="brand"><img src="${link(operator.logoPath)}" alt="${operator.name}" /></p>`;
}

/** The address or number itself, where there is one to read. */
function contactText({ messages }: View, contact: string): Content {
  const plain = /^(?:mailto|tel):([^?]+)/.exec(contact)?.[1];
  return plain === undefined ? messages.contact : breakable(plain);
}

/** The templates' indentation would be a third of the page. Nothing on the page depends on its line breaks. */
function withoutIndentation({ text }: Html): string {
  return text.replaceAll(/\s*\n\s*/g, '\n');
}
