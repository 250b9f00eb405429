/** The frame of every page of the console: head, bar, title, and the command that prints the same. */
import type { ActName } from '../reading/console-forms.ts';
import { NAME_LENGTH_MAX } from '../reading/paths.ts';
import { BASE_STYLE } from '../../http/html/base-style.ts';
import {
  codeText,
  type Content,
  formatDocument,
  type Html,
  html,
  makeStylesheet,
} from '../../http/html/html.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import { PASSKEY_SCRIPT, TIMES_SCRIPT } from './assets.ts';
import { CONSOLE_STYLE } from './console-style.ts';
import {
  backLink,
  clockTime,
  commandText,
  cutText,
  hrefOf,
  linkCommand,
  linkTo,
  named,
  NEEDS_FRESH,
  type PageView,
  postForm,
} from './elements.ts';
import type { Messages } from './messages/messages.ts';
import { freshGate, signInWithPasskey } from './passkey-forms.ts';

const STYLESHEET = makeStylesheet(BASE_STYLE, CONSOLE_STYLE);
const POLICY = contentSecurityPolicy({
  'style-src': `${STYLESHEET.source} 'self'`,
  'script-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self'",
});

/** Forms are checked by their origin, which `no-referrer` would withhold. */
export const CONSOLE_HEADERS: readonly string[] = [
  ...SECURITY_HEADERS.map((value, index) =>
    SECURITY_HEADERS[index - 1] === 'Referrer-Policy' ? 'same-origin' : value,
  ),
  'Content-Security-Policy',
  POLICY,
  'Vary',
  'Accept, Accept-Encoding, Accept-Language, Cookie',
];

export interface PageParts {
  readonly title: string;
  readonly main: Content;
  /** The command that prints the same, without `stayport`. */
  readonly command?: string;
  /** Paths of modules from the root, such as `/console/assets/heat-map-1a2b.js`. */
  readonly scripts?: readonly string[];
  readonly stylesheets?: readonly string[];
  /** Seconds after which the page reloads itself without script. */
  readonly refreshSeconds?: number;
}

/** `page` becomes its `data-page`; `path` is empty for pages outside the table. */
export function formatPage(view: PageView, page: string, path: string, parts: PageParts): string {
  const { title, command, scripts: own = [], stylesheets = [], refreshSeconds } = parts;
  const main = html`${parts.main}`;
  const needsFresh = NEEDS_FRESH.test(main.text);
  const isTimed = view.nowMs > 0;
  const shared = [needsFresh && PASSKEY_SCRIPT, isTimed && TIMES_SCRIPT].filter((script) => script !== false);
  const scripts = new Set([...own, ...shared.map((script) => script.path)]);
  const { frame, locale } = view.messages;
  const { text } = formatDocument({
    language: locale,
    title: `${title} · ${frame.console}`,
    stylesheet: STYLESHEET,
    head: [
      html`<meta name="robots" content="noindex" />`,
      refreshSeconds !== undefined &&
        html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`,
      stylesheets.map((sheet) => html`<link rel="stylesheet" href="${hrefOf(view, sheet)}" />`),
      [...scripts].map((script) => html`<script type="module" src="${hrefOf(view, script)}"></script>`),
    ],
    body: html`<a class="skip" href="#main">${frame.skip}</a> ${topBar(view, path)}
      <main id="main" tabindex="-1" data-page="${page}">
        <h1>${title}</h1>
        ${needsFresh && freshGate(view)} ${main}
        ${isTimed && html`<p class="fine" data-in-utc="${frame.inUtc}">${frame.asOf(clockTime(view))}</p>`}
        ${command !== undefined && html`<p class="fine">${frame.sameAs} ${commandText(command)}</p>`}
      </main>`,
  });
  return text;
}

/** The operator's name and logo. */
function mark(view: PageView): Content {
  const { brand } = view;
  return (
    brand !== undefined &&
    html`<span class="mark"
      ><img src="${hrefOf(view, brand.iconPath)}" alt="" height="20" /> <bdi>${brand.name}</bdi></span
    >`
  );
}

/** The four pages that a phone has in its bar. */
const ON_A_PHONE: ReadonlySet<string> = new Set(['today', 'requests', 'properties', 'partners']);

/** In the bar, a page's name is its path; the page of one partner belongs to that of all partners. */
function topBar(view: PageView, ownPath: string): Html {
  const { messages, person } = view;
  const { console: name, pages, more } = messages.frame;
  if (person === undefined) return html`<header class="top">${mark(view)}<span>${name}</span></header>`;
  const links = Object.entries(messages.bar)
    .filter(([page]) => page !== 'setup' || view.leadsToSetup)
    .map(([page, title]) => {
      const path = page === 'today' ? '/console' : `/console/${page}`;
      const isCurrent = ownPath === path || (page !== 'today' && ownPath.startsWith(`${path}/`));
      const link = html`<a href="${hrefOf(view, path)}" ${isCurrent && html`aria-current="page"`}
        >${title}</a
      > `;
      return { isFirst: ON_A_PHONE.has(page), isCurrent, link };
    });
  const later = links.filter(({ isFirst }) => !isFirst);
  // On a wide screen all links are in a row; on a phone those behind "More" take their place.
  return html`<header class="top">
    ${mark(view)}
    <nav aria-label="${pages}">
      ${links.map(({ isFirst, link }) => (isFirst ? link : html`<span class="later">${link}</span>`))}
      <details class="more">
        <summary ${later.some(({ isCurrent }) => isCurrent) && html`class="current"`}>${more}</summary>
        ${later.map(({ link }) => link)}
      </details>
    </nav>
    <div class="who">
      ${linkTo(view, '/console/passkeys', html`<bdi>${person.name}</bdi> (${person.role})`)}
      ${postForm(view, 'sign-out', '/console', { look: 'quiet' })}
    </div>
  </header>`;
}

// Pages without rows: the sign-in, and the answers to a refused page or form.

/** Reasons for refusing a page. */
export type RefusedPage = Exclude<keyof Messages['refused'], 'act' | 'signIn'>;

/** Refusals that a new link resolves. */
const BY_LINK: ReadonlySet<RefusedPage> = new Set(['linkInvalid', 'role']);

/** How to get a link. With a link, the button that uses it: link previews press no button. */
export function signInPage(view: PageView, link: string | undefined, next: string): PageParts {
  const { howTo, open, useLink } = view.messages.signIn;
  const how = html`${signInWithPasskey(view, next)}
    <p>${howTo}</p>
    ${linkCommand('ROLE')}
    <p>${linkTo(view, '/console', open)}</p>`;
  const use = html`<p>${useLink}</p>
    ${postForm(view, 'sign-in', '/console', { fields: { link: link ?? '' } })}`;
  return {
    title: view.messages.acts['sign-in'],
    main: link === undefined ? how : use,
    scripts: link === undefined ? [PASSKEY_SCRIPT.path] : [],
  };
}

interface Refused {
  readonly kind: RefusedPage;
  /** The path of the page, or of the form on the page `before`. */
  readonly asked: string;
  readonly before: string | undefined;
}

export function refusedPage(view: PageView, { kind, asked, before }: Refused): PageParts {
  const { refused, frame } = view.messages;
  const again = html`<p>${linkTo(view, asked, frame.again)}</p>`;
  const way = before === undefined ? again : backLink(view, before);
  const missing = [html`<p>${codeText(cutText(asked, NAME_LENGTH_MAX))}</p>`, backLink(view, '/console')];
  const main = [BY_LINK.has(kind) && linkCommand('ROLE'), kind === 'notFound' ? missing : way];
  return { title: refused[kind], main };
}

/** A form that is not accepted yet, and comes back to be sent once more. */
export interface KeptForm {
  readonly kind: 'form' | 'stale' | 'signedOut';
  /** The path of the form, on the page `before`. */
  readonly asked: string;
  readonly before: string;
  /** All that was sent but the token, as it will be sent again. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The token of the session, or of the one that ended. */
  readonly formToken: string;
}

/** `typed`: what the person typed, with the labels of the form. */
export function keptPage(
  view: PageView,
  { kind, asked, before, fields, formToken }: KeptForm,
  typed: readonly TypedText[],
): PageParts {
  const { refused, passkeys } = view.messages;
  const cut = asked.lastIndexOf('/');
  const act = asked.slice(cut + 1) as ActName;
  const signIn = html`${signInWithPasskey(view, undefined, passkeys.signedIn)}
    <p><a href="${hrefOf(view, '/console/sign-in')}" target="_blank">${refused.signIn}</a></p>`;
  const rows = typed.map(
    ({ label, text }) =>
      html`<dt>${label}</dt>
        <dd>${named(text)}</dd>`,
  );
  const form = postForm(view, act, asked.slice(0, cut), { fields, needsFresh: kind === 'stale', formToken });
  return {
    title: refused[kind],
    main: [kind === 'signedOut' && signIn, html`<dl>${rows}</dl>`, form, backLink(view, before)],
    scripts: kind === 'signedOut' ? [PASSKEY_SCRIPT.path] : [],
  };
}

/** A field that a person filled in. */
export interface TypedText {
  readonly label: Content;
  readonly text: string;
}
