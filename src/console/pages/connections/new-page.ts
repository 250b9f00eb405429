/** `/console/new-connection`: the systems that can be connected; below it the form of one, and on Supply the list. */
import { breakable, type Content, html } from '../../../http/html/html.ts';
import type { ConnectionView } from '../../../supply/connections/connection-view.ts';
import { findKind } from '../../../supply/connections/connection-kinds.ts';
import type { PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { pathOf } from '../../reading/paths.ts';
import { PASSKEY_SCRIPT } from '../../web/assets.ts';
import * as elements from '../../web/elements.ts';
import { linkButton, linkTo, mayUse, named, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { ownFormRow, pageRow } from '../../web/page-row.ts';
import * as acts from './acts.ts';
import { keyForm, settingFields } from './key-form.ts';
import { CONNECTION_TEXTS } from './messages.ts';
import { handText, worksNote } from './page.ts';
import { NEW_CONNECTION_PATH, readNewConnection, readNewConnections } from './read.ts';

export function newConnectionsPage(view: PageView, { kinds }: ShownBy<typeof readNewConnections>): PageParts {
  const texts = CONNECTION_TEXTS[view.locale];
  return {
    title: texts.connect,
    act: undefined,
    command: 'connection kinds',
    main: [
      html`<p>${texts.about}</p>`,
      html`<ul class="tiles">
        ${kinds.map(
          (kind) =>
            html`<li class="card" data-kind="${kind.kind}">
              <h2>${kind.title}</h2>
              <p>
                ${texts.readsOf}:
                ${kind.reads.map((field) => elements.findHead(view, field) ?? field).join(', ')}.
              </p>
              <p>${texts.byHandOf}: ${handText(view, kind)}.</p>
              ${!kind.live && html`<p class="fine">${texts.notLive}</p>`}
              ${kind.connected > 0 && html`<p>${texts.alreadyConnected(kind.connected)}</p>`}
              ${
                mayUse(view, 'connection-add') &&
                html`<p class="acts">
                  ${linkButton(view, `${NEW_CONNECTION_PATH}/${kind.kind}`, texts.connectTo(kind.title), 'act')}
                </p>`
              }
            </li> `,
        )}
      </ul>`,
      !mayUse(view, 'connection-add') && elements.linkCommand('admin'),
    ],
  };
}

export function newConnectionPage(
  view: PageView,
  { kind, isFirst, allowsPrivate }: ShownBy<typeof readNewConnection>,
  { query }: PageQuestion,
): PageParts {
  const texts = CONNECTION_TEXTS[view.locale];
  const path = `${NEW_CONNECTION_PATH}/${kind.kind}`;
  const more = settingFields(view, 'connection-add', kind, { now: {}, allowsPrivate });
  return {
    title: texts.connectTo(kind.title),
    act: undefined,
    above: [{ path: NEW_CONNECTION_PATH, text: texts.connect }],
    command: `connection add ${kind.kind}`,
    main: [
      query.has(acts.WORKING) && worksNote(view),
      html`<p>${texts.about}</p>`,
      keyForm(view, 'connection-add', path, {
        kind,
        next: path,
        own: more,
        values: isFirst ? { name: kind.kind } : {},
      }) || elements.linkCommand('admin'),
    ],
    scripts: [PASSKEY_SCRIPT.path],
  };
}

/** On Supply. */
export function connectionTable(view: PageView, connections: readonly ConnectionView[]): Content {
  const texts = CONNECTION_TEXTS[view.locale];
  const rows = connections.map((one) => ({
    ...one,
    name: linkTo(view, pathOf('connections', one.name), named(one.name)),
    system: findKind(one.kind)?.title ?? one.kind,
    account: html`${breakable(one.account)}`,
    state: texts.states[one.state],
    condition: one.state,
  }));
  return [
    html`<h2>${texts.title}</h2>`,
    rows.length > 0 &&
      elements.dataTable(view, {
        caption: texts.title,
        columns: ['name', 'system', 'state', 'types', 'unmapped', 'lastReadAt', 'nextReadAt'],
        rows,
        attributes: ({ condition }) => html` data-connection="${condition}"`,
      }),
    mayUse(view, 'connection-add') && html`<p>${linkTo(view, NEW_CONNECTION_PATH, texts.connect)}</p>`,
  ];
}

export const NEW_CONNECTION_PAGES = [
  pageRow('new-connections', NEW_CONNECTION_PATH, readNewConnections, newConnectionsPage),
  pageRow('new-connection', `${NEW_CONNECTION_PATH}/{kind}`, readNewConnection, newConnectionPage, [
    ownFormRow({ act: 'connection-add', run: acts.addConnection }),
  ]),
];
