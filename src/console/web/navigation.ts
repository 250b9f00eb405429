/** The navigation of the console: pages in groups, and where the reader is among them. */
import type { Role } from '../../access/console-sessions.ts';
import { mayAct } from '../../access/console-sessions.ts';
import { CONSOLE_FORMS } from '../reading/console-forms.ts';
import { type Content, type Html, html } from '../../http/html/html.ts';
import { hrefOf, linkTo, type PageView, postForm } from './elements.ts';
import type { Messages } from './messages/messages.ts';

/** A page in the navigation, named in `messages.bar`. */
interface NavigationRow {
  readonly name: keyof Messages['bar'];
  readonly path: string;
  /** Paths of pages that belong to it, beside those below its own. */
  readonly also?: readonly string[];
  /** Readers with less see nothing there. */
  readonly role?: Role;
  /** It is in the short bar of a phone. */
  readonly isShort?: true;
}

interface NavigationGroup {
  /** Undefined: pages that stand above all groups. */
  readonly group: keyof Messages['groups'] | undefined;
  readonly rows: readonly NavigationRow[];
}

const NAVIGATION: readonly NavigationGroup[] = [
  {
    group: undefined,
    rows: [
      { name: 'today', path: '/console', isShort: true },
      { name: 'setup', path: '/console/setup' },
    ],
  },
  {
    group: 'sell',
    rows: [
      { name: 'properties', path: '/console/properties', also: ['/console/import'], isShort: true },
      { name: 'supply', path: '/console/supply', also: ['/console/connections', '/console/new-connection'] },
      { name: 'pictures', path: '/console/pictures', role: CONSOLE_FORMS['pictures-save'].role },
    ],
  },
  {
    group: 'partners',
    rows: [
      { name: 'partners', path: '/console/partners', also: ['/console/webhooks'], isShort: true },
      { name: 'requests', path: '/console/requests', also: ['/console/quotes'] },
    ],
  },
  {
    group: 'learn',
    rows: [
      { name: 'funnel', path: '/console/funnel' },
      { name: 'demand', path: '/console/demand' },
    ],
  },
  {
    group: 'settings',
    rows: [
      { name: 'site', path: '/console/settings' },
      { name: 'checks', path: '/console/settings/checks' },
      { name: 'people', path: '/console/people', also: ['/console/passkeys'] },
      { name: 'tokens', path: '/console/tokens' },
      { name: 'audit', path: '/console/audit' },
    ],
  },
];

/** A page of a group, as a reader sees it. */
interface NavigationPage extends NavigationRow {
  readonly group: NavigationGroup['group'];
}

/** The groups with the pages that this reader has. */
function groupsOf({ person, leadsToSetup }: PageView): readonly NavigationGroup[] {
  const isShown = ({ name, role = 'viewer' }: NavigationRow): boolean =>
    person !== undefined && mayAct(person.role, role) && (name !== 'setup' || leadsToSetup);
  return NAVIGATION.map(({ group, rows }) => ({ group, rows: rows.filter(isShown) }));
}

/** The page of the navigation that `ownPath` is, or belongs to; undefined for pages that are in no group. */
function findPlace(ownPath: string): NavigationPage | undefined {
  const places = NAVIGATION.flatMap(({ group, rows }) => rows.map((row) => ({ ...row, group })));
  const isWithin = (path: string): boolean => ownPath === path || ownPath.startsWith(`${path}/`);
  const own = places.find(({ path }) => path === ownPath);
  return (
    own ??
    places.find(({ path, also = [] }) =>
      path === '/console' ? ownPath === path : [path, ...also].some(isWithin),
    )
  );
}

/** The groups one below the other: beside the page on a wide screen, and behind "Menu" on a phone. */
export function sideBar(view: PageView, ownPath: string, mark: Content): Html {
  const { groups, frame } = view.messages;
  const place = findPlace(ownPath);
  const linkOf = ({ name, path }: NavigationRow): Html => {
    const current = place?.name === name && (ownPath === path ? 'page' : 'true');
    return html`<a href="${hrefOf(view, path)}" ${current && html`aria-current="${current}"`}
      >${view.messages.bar[name]}</a
    > `;
  };
  const own = groupsOf(view);
  const all = own.map(({ group, rows }) =>
    group === undefined
      ? html`<p>${rows.map(linkOf)}</p>`
      : html`<p class="group">${groups[group]}</p>
          <p>${rows.map(linkOf)}</p>`,
  );
  const short = own.flatMap(({ rows }) => rows).filter(({ isShort }) => isShort);
  const isBehindMenu = place !== undefined && place.isShort === undefined;
  return html`<header class="side">
    ${mark}
    <nav class="whole" aria-label="${frame.pages}">${all}</nav>
    <nav class="short" aria-label="${frame.pages}">
      ${short.map(linkOf)}
      <details class="more">
        <summary ${isBehindMenu && html`class="current"`}>${frame.menu}</summary>
        ${all}
      </details>
    </nav>
    ${signedIn(view)}
  </header>`;
}

function signedIn(view: PageView): Content {
  const { person } = view;
  return (
    person !== undefined &&
    html`<div class="who">
      ${linkTo(view, '/console/passkeys', html`<bdi>${person.name}</bdi> (${person.role})`)}
      ${postForm(view, 'sign-out', '/console', { look: 'quiet' })}
    </div>`
  );
}

/** Where the reader is: the group, and the pages above this one. */
export function whereYouAre(view: PageView, ownPath: string, above: readonly Above[]): Content {
  const place = findPlace(ownPath);
  if (place === undefined) return false;
  const { groups, bar, frame } = view.messages;
  const isOwn = ownPath === place.path;
  const group = place.group && groups[place.group];
  const pages = isOwn ? above : [{ path: place.path, text: bar[place.name] }, ...above];
  const steps = [
    ...(group === undefined || group === bar[place.name] ? [] : [html`<span>${group}</span>`]),
    ...pages.map(({ path, text }) => linkTo(view, path, text)),
  ];
  return (
    steps.length > 0 &&
    html`<nav class="where" aria-label="${frame.whereYouAre}">${steps.map((step) => html`${step} `)}</nav>`
  );
}

/** A page above another one, between the page of the navigation and this one. */
export interface Above {
  /** From the root. */
  readonly path: string;
  readonly text: Content;
}
