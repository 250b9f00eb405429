/** The frame of every page of the console: head, navigation, where the reader is, the main act, title, and a menu. */
import type { ActName } from '../reading/console-forms.ts';
import { NAME_LENGTH_MAX } from '../reading/paths.ts';
import { codeText, type Content, formatDocument, type Html, html } from '../../http/html/html.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import { CONSOLE_SHEET, PASSKEY_SCRIPT, TIMES_SCRIPT } from './assets.ts';
import {
  ASK_ID,
  backLink,
  clockTime,
  commandText,
  cutText,
  hrefOf,
  linkCommand,
  linkTo,
  named,
  HAS_NEXT,
  NEEDS_FRESH,
  type PageView,
  postForm,
} from './elements.ts';
import type { Messages } from './messages/messages.ts';
import { type Above, sideBar, whereYouAre } from './navigation.ts';
import { freshGate, signInWithPasskey } from './passkey-forms.ts';

const POLICY = contentSecurityPolicy({
  'style-src': "'self'",
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
  /** The act that most readers come for; undefined: there is nothing to do but read, or this role may not. */
  readonly act: MainAct | undefined;
  /** Pages between that of the navigation and this one. */
  readonly above?: readonly Above[];
  /** The command that prints the same, without `stayport`. */
  readonly command?: string;
  /** Paths of modules from the root, such as `/console/assets/heat-map-1a2b.js`. */
  readonly scripts?: readonly string[];
  readonly stylesheets?: readonly string[];
  /** Seconds after which the page reloads itself without script. */
  readonly refreshSeconds?: number;
}

/** It has a button at the top of the page, and is the first stop of Tab behind the skip link. */
export interface MainAct {
  /** From the root, or `#id` of a part of this page. */
  readonly path: string;
  readonly text: string;
  /** The page shows it among its parts: the stop of Tab is seen with the focus alone. */
  readonly isInPage?: true;
}

/** The main act of a page that is only read: to ask it for something else. */
export function askAct(text: string): MainAct {
  return { path: `#${ASK_ID}`, text, isInPage: true };
}

/** `page` becomes its `data-page`; `path`, of its row or its form, says where the reader is. */
export function formatPage(view: PageView, page: string, path: string, parts: PageParts): string {
  const { title, act, above = [], scripts: own = [], stylesheets = [], refreshSeconds } = parts;
  const main = html`${parts.main}`;
  const needsFresh = NEEDS_FRESH.test(main.text);
  const hasNext = HAS_NEXT.test(main.text);
  const isTimed = view.nowMs > 0;
  const shared = [needsFresh && PASSKEY_SCRIPT, isTimed && TIMES_SCRIPT].filter((script) => script !== false);
  const scripts = new Set([...own, ...shared.map((script) => script.path)]);
  const { frame, locale } = view.messages;
  const { text } = formatDocument({
    language: locale,
    title: `${title} · ${frame.console}`,
    head: [
      html`<meta name="robots" content="noindex" />`,
      refreshSeconds !== undefined &&
        html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`,
      [...stylesheets, CONSOLE_SHEET.path].map(
        (sheet) => html`<link rel="stylesheet" href="${hrefOf(view, sheet)}" />`,
      ),
      [...scripts].map((script) => html`<script type="module" src="${hrefOf(view, script)}"></script>`),
    ],
    body: html`<a class="skip" href="#main">${frame.skip}</a>
      <div class="frame">
        <section class="page-bar" aria-label="${frame.aboutPage}">
          ${act && mainAct(view, act)} ${hasNext && html`<a class="skip" href="#next">${frame.toNext}</a>`}
          ${view.person && pageMenu(view, parts)} ${whereYouAre(view, path, above)}
        </section>
        ${view.person === undefined ? strangerBar(view) : sideBar(view, path, mark(view))}
        <main id="main" tabindex="-1" data-page="${page}">
          <h1>${title}</h1>
          ${needsFresh && freshGate(view)} ${main}
        </main>
      </div>`,
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

function strangerBar(view: PageView): Html {
  return html`<header class="side">${mark(view)}<span>${view.messages.frame.console}</span></header>`;
}

function mainAct(view: PageView, { path, text, isInPage }: MainAct): Html {
  const href = path.startsWith('#') ? path : hrefOf(view, path);
  return html`<a class="${isInPage ? 'skip' : 'act'}" href="${href}" data-main-act>${text}</a>`;
}

/** The time of the page, and the command that prints the same. */
function pageMenu(view: PageView, { command }: PageParts): Content {
  const { aboutPage, inUtc, asOf, sameAs } = view.messages.frame;
  const isTimed = view.nowMs > 0;
  if (!isTimed && command === undefined) return false;
  return html`<details class="page-menu">
    <summary><span aria-hidden="true">⋯</span> <span class="sr-only">${aboutPage}</span></summary>
    <div>
      ${isTimed && html`<p data-in-utc="${inUtc}">${asOf(clockTime(view))}</p>`}
      ${command !== undefined && html`<p>${sameAs} ${commandText(command)}</p>`}
    </div>
  </details>`;
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
    ${postForm(view, 'sign-in', '/console', { fields: { link: link ?? '' }, isFocused: true })}`;
  return {
    title: view.messages.acts['sign-in'],
    act: undefined,
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
  return { title: refused[kind], act: undefined, main };
}

/** A form that is not accepted yet, and comes back to be sent once more. */
export interface ReturnedForm {
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
export function returnedFormPage(
  view: PageView,
  { kind, asked, before, fields, formToken }: ReturnedForm,
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
    act: undefined,
    main: [kind === 'signedOut' && signIn, html`<dl>${rows}</dl>`, form, backLink(view, before)],
    scripts: kind === 'signedOut' ? [PASSKEY_SCRIPT.path] : [],
  };
}

/** A field that a person filled in. */
export interface TypedText {
  readonly label: Content;
  readonly text: string;
}
