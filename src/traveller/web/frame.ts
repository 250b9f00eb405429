/**
 * Shared input of the traveller's pages (operator, language, root of links), and their frame: the operator above,
 * contact below, the outcome in between.
 */
import type { Locale } from '../../domain/property.ts';
import { type Formats, makeFormats } from '../../http/html/formats.ts';
import { EN_GB, type Messages } from './messages/en-gb.ts';
import { IT_IT } from './messages/it-it.ts';
import { breakable, type Content, formatDocument, type Html, html } from '../../http/html/html.ts';
import type { TravellerAssets } from './assets.ts';

const LEGAL_PAGES = ['imprint', 'privacy', 'terms', 'accessibility'] as const;
type LegalPage = (typeof LEGAL_PAGES)[number];

/** The operator, as travellers see it. */
export interface Operator {
  readonly name: string;
  /** Path of the logo below the root of the listener; undefined: the name is shown as text. */
  readonly logoPath: string | undefined;
  /** `mailto:`, `tel:` or `https:`. */
  readonly contact: string | undefined;
  /** Pages of the operator's site, https. */
  readonly legal: Readonly<Partial<Record<LegalPage, string>>>;
  /** Whether a booking site is configured. */
  readonly canContinue: boolean;
  /** Whether travellers read why a stay can't be had. */
  readonly tellsReasons: boolean;
}

export interface View {
  readonly operator: Operator;
  readonly messages: Messages;
  readonly formats: Formats;
  /** The path from the page to the root of the listener: `./`, or `../` one level below. */
  readonly root: string;
  /** A sandbox quote: the page says so and has no button. */
  readonly isTest: boolean;
}

const WORDS: Readonly<Record<Locale, Pick<View, 'messages' | 'formats'>>> = {
  'it-IT': { messages: IT_IT, formats: makeFormats('it-IT') },
  'en-GB': { messages: EN_GB, formats: makeFormats('en-GB') },
};

export function makeView(operator: Operator, locale: Locale, root: string, isTest = false): View {
  return { operator, root, isTest, ...WORDS[locale] };
}

/** Values of `data-outcome`. `unchecked`: the database was away, so the quote's own figures are shown. */
type PageOutcome =
  | 'unchanged'
  | 'price_changed'
  | 'unavailable'
  | 'expired'
  | 'invalid'
  | 'unchecked'
  | 'none';

export interface Preview {
  readonly description: string;
  /** Undefined without a picture. */
  readonly cover:
    | { readonly url: string; readonly width: number; readonly height: number; readonly alt: string }
    | undefined;
}

export interface FrameParts {
  readonly outcome: PageOutcome;
  readonly title: string;
  readonly main: Content;
  /** The link's preview in messengers. */
  readonly preview?: Preview | undefined;
  /** Small print at the very end. */
  readonly reference?: string | undefined;
}

/** The paths of the files that a page loads; a preview has their content in place of them. */
export type AssetPaths = {
  readonly [Name in 'style' | 'icon']: Pick<TravellerAssets[Name], 'path'>;
};

export function formatPage(view: View, assets: AssetPaths, parts: FrameParts): string {
  const { messages, operator, root } = view;
  const link = (path: string): string => (path.startsWith('data:') ? path : `${root}${path.slice(1)}`);
  const body = html`<a class="skip" href="#main">${messages.skipToStay}</a>
    <header class="bar">${brand(view, link)}</header>
    ${view.isTest ? html`<p class="test" role="note">${messages.testBanner}</p>` : ''}
    <main id="main" tabindex="-1" data-outcome="${parts.outcome}">${parts.main}</main>
    <footer class="foot">
      <p><bdi>${operator.name}</bdi></p>
      ${operator.contact === undefined ? '' : html`<p><a href="${operator.contact}">${contactText(view, operator.contact)}</a></p>`}
      ${legalLinks(view)} ${parts.reference === undefined ? '' : html`<p class="fine">${parts.reference}</p>`}
    </footer>`;
  const icon = html`<link rel="icon" href="${link(assets.icon.path)}" />`;
  const document = formatDocument({
    language: messages.locale,
    title: `${parts.title} | ${operator.name}`,
    stylesheet: {
      element: html`<link rel="stylesheet" href="${link(assets.style.path)}" />`,
      source: "'self'",
    },
    head: [html`<meta name="robots" content="noindex" />`, icon, previewTags(view, parts)],
    body,
  });
  return document.text;
}

function legalLinks({ messages, operator: { legal } }: View): Content {
  const links = LEGAL_PAGES.flatMap((page) => {
    const url = legal[page];
    return url === undefined ? [] : [html`<li><a href="${url}">${messages.legal[page]}</a></li> `];
  });
  return links.length === 0
    ? ''
    : html`<ul class="legal">
        ${links}
      </ul>`;
}

/** The Open Graph protocol. No `og:url`: it would spread the traveller's link. */
function previewTags({ messages, operator }: View, { title, preview }: FrameParts): Content {
  if (preview === undefined) return '';
  const { description, cover } = preview;
  const tags: readonly (readonly [string, string | number])[] = [
    ['type', 'website'],
    ['site_name', operator.name],
    ['title', title],
    ['description', description],
    ['locale', messages.locale.replace('-', '_')],
    ...(cover === undefined
      ? []
      : ([
          ['image', cover.url],
          ['image:width', cover.width],
          ['image:height', cover.height],
          ['image:alt', cover.alt],
        ] as const)),
  ];
  return tags.map(([name, content]) => html`<meta property="og:${name}" content="${content}" />`);
}

function brand({ operator }: View, link: (path: string) => string): Html {
  return operator.logoPath === undefined
    ? html`<p class="brand"><bdi>${operator.name}</bdi></p>`
    : html`<p class="brand"><img src="${link(operator.logoPath)}" alt="${operator.name}" /></p>`;
}

/** The address or number itself, if it is readable. */
function contactText({ messages }: View, contact: string): Content {
  const plain = /^(?:mailto|tel):([^?]+)/.exec(contact)?.[1];
  return plain === undefined ? messages.contact : breakable(plain);
}
