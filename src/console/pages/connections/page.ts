/** `/console/connections/NAME`: a connection, its rooms, and what can be done with it. */
import { type Content, type Html, html } from '../../../http/html/html.ts';
import type { ConnectionKind } from '../../../supply/connections/kinds/connection-kind.ts';
import type { PageQuestion } from '../../reading/console-page.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { filledForm, foldedForm, inPageAct, OPENED_FORM } from '../../web/act-form.ts';
import { COMPARISON_SCRIPT, PASSKEY_SCRIPT } from '../../web/assets.ts';
import * as elements from '../../web/elements.ts';
import { actForm, linkTo, mayUse, named, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { formRow, ownFormRow, pageRow } from '../../web/page-row.ts';
import { reasonText } from '../../web/reason-text.ts';
import * as acts from './acts.ts';
import { comparisonPart } from './comparison.ts';
import { keyForm, settingFields, settingsText } from './key-form.ts';
import { CONNECTION_TEXTS } from './messages.ts';
import { type ConnectionShown, isConnection, readConnection } from './read.ts';
import { mappedPage, reasonOf, removalPage, roomsForm, typedRooms } from './rooms-table.ts';

const REFRESH_SECONDS = 10;

export function connectionPage(view: PageView, shown: ConnectionShown, { query }: PageQuestion): PageParts {
  const texts = CONNECTION_TEXTS[view.locale];
  const { connection } = shown.rows;
  const { name } = connection;
  const path = pathOf('connections', name);
  const system = shown.about.kind?.title ?? connection.kind;
  const isComparing = shown.comparison.begunAtMs !== null;
  return {
    title: texts.connection(name),
    act: inPageAct(view, 'rooms-save', 'rooms', texts.rooms),
    command: `connection rooms ${name}`,
    main: [
      query.has(acts.WORKING) && worksNote(view),
      stateNote(view, shown, path, system),
      factList(view, shown),
      missingPart(view, shown, path),
      shown.isHidden &&
        mayUse(view, 'connection-offer') &&
        html`<section class="warn">
          <p>${texts.offerAbout}</p>
          ${actForm(view, 'connection-offer', path, {})}
        </section>`,
      // Before the rooms, which are many fields.
      connection.types > 0 && comparisonPart(view, path, shown, system),
      html`<h2 id="rooms">${texts.rooms}</h2>`,
      mayUse(view, 'rooms-save') && html`<p>${texts.roomsAbout}</p>`,
      shown.hasMoreTypes && mayUse(view, 'rooms-save') && html`<p>${texts.tooMany}</p>`,
      roomsForm(view, path, shown),
      shown.start > 0 && html`<p>${linkTo(view, path, view.messages.frame.all)}</p>`,
      elements.nextLink(view, shown.nextPath),
      settingsPart(view, shown, path),
    ],
    scripts: [PASSKEY_SCRIPT.path, ...(isComparing ? [COMPARISON_SCRIPT.path] : [])],
    ...(isComparing && { refreshSeconds: REFRESH_SECONDS }),
  };
}

/** The work of a form that took longer than an answer may. */
export function worksNote(view: PageView): Html {
  return html`<p class="warn" role="status">${CONNECTION_TEXTS[view.locale].works}</p>`;
}

const LOOKS = {
  refused: 'bad',
  late: 'bad',
  failing: 'warn',
  held: 'warn',
  new: 'warn',
  ok: 'good',
} as const;

/** How it is, why, and what to do. */
function stateNote(
  view: PageView,
  { rows: { connection }, about }: ConnectionShown,
  path: string,
  system: string,
): Html {
  const texts = CONNECTION_TEXTS[view.locale];
  const { state, types } = connection;
  const { failureWrong } = about;
  const isUnmapped = types === 0 && (state === 'ok' || state === 'new');
  const todo = texts.todo[isUnmapped ? 'new' : state](system);
  return html`<section class="${isUnmapped ? 'warn' : LOOKS[state]}" data-state="${state}">
    <p>
      <b>${system}: ${texts.states[isUnmapped ? 'new' : state]}.</b>
      ${failureWrong !== null && html`${named(reasonText(view, failureWrong))}.`} ${todo}
    </p>
    ${state === 'held' && actForm(view, 'connection-accept', path, {})}
    ${actForm(view, 'connection-read', path, { look: 'quiet' })}
  </section>`;
}

function factList(view: PageView, { rows: { connection }, about }: ConnectionShown): Html {
  return elements.fieldList(view, {
    types: connection.types,
    unmapped: connection.unmapped,
    lastReadAt: connection.lastReadAt,
    nextReadAt: connection.nextReadAt,
    byHand: about.kind && handText(view, about.kind),
  });
}

/** Terms of a document that the system does not tell. */
export function handText({ locale }: PageView, { byHand }: Pick<ConnectionKind, 'byHand'>): string {
  const known: Readonly<Record<string, string>> = CONNECTION_TEXTS[locale].termsByHand;
  return byHand.map((term) => known[term] ?? term).join(', ');
}

/** For rooms that are nothing here: documents are made, and suggestions taken, after the numbers of a dry run. */
function missingPart(
  view: PageView,
  { rows: { connection }, lacking, suggestedCount }: ConnectionShown,
  path: string,
): Content {
  const texts = CONNECTION_TEXTS[view.locale];
  if (connection.unmapped === 0) return false;
  if (!mayUse(view, 'connection-map')) return html`<p>${texts.unmappedLeft(connection.unmapped)}</p>`;
  const unasked = (['city', 'country', 'timezone'] as const).filter((term) => !lacking[term]);
  return [
    suggestedCount > 0 &&
      lacking.count > 0 &&
      actForm(view, 'connection-map', path, {
        fields: { suggested: 'yes' },
        button: texts.suggestedButton,
        look: 'quiet',
      }),
    lacking.count > 0 &&
      html`<h2 id="missing">${texts.missing}</h2>
        <p>${texts.missingAbout(lacking.count)}</p>
        ${filledForm(view, 'connection-map', path, {
          fields: { suggested: 'yes', create: 'yes' },
          ofPath: ['name', ...unasked],
          key: 'missing',
          button: texts.showButton,
        })}`,
  ];
}

function settingsPart(
  view: PageView,
  { rows: { connection }, about, allowsPrivate }: ConnectionShown,
  path: string,
): Content {
  const { kind, every, maxAge, keyEndsAt, settings, allowed } = about;
  const texts = CONNECTION_TEXTS[view.locale];
  const allow = allowed.join('\n');
  const isKeyOpen = view.opened === 'connection-key' || view.refused?.act === 'connection-key';
  const next = withQuery(path, { [OPENED_FORM]: 'connection-key' });
  const terms = {
    system: kind?.title ?? connection.kind,
    account: connection.account,
    every,
    maxAge,
    keyEndsAt: keyEndsAt ?? undefined,
  };
  return [
    html`<h2>${view.messages.words.account}</h2>`,
    elements.fieldList(view, terms),
    kind &&
      foldedForm(view, 'connection-update', path, {
        ofPath: ['name', 'setting', 'disallow', ...(kind.allows.length === 0 ? ['allow'] : [])],
        values: { every, maxAge, allow },
        before: {
          every,
          maxAge,
          setting: settingsText(kind, settings, allowsPrivate),
          ...(kind.allows.length > 0 && { allow }),
        },
        choices: { allow: kind.allows.map((reason) => [reason, reasonOf(view, reason)]) },
        own: settingFields(view, 'connection-update', kind, { now: settings, allowsPrivate }),
      }),
    kind &&
      mayUse(view, 'connection-key') &&
      html`<details ${isKeyOpen && html`open`}>
        <summary>${view.messages.acts['connection-key']}</summary>
        ${keyForm(view, 'connection-key', path, { kind, next, ofPath: ['name'] })}
      </details>`,
    mayUse(view, 'connection-remove') &&
      html`<details>
        <summary>${view.messages.acts['connection-remove']}</summary>
        <p>${texts.removeAbout}</p>
        ${actForm(view, 'connection-remove', path, { look: 'danger', button: texts.showButton })}
      </details>`,
  ];
}

export const CONNECTION_PAGE = pageRow(
  'connection',
  '/console/connections/{name}',
  readConnection,
  connectionPage,
  [
    ownFormRow({ act: 'connection-read', run: acts.readNow }),
    ownFormRow({ act: 'connection-accept', run: acts.connectionForm('connection-accept') }),
    ownFormRow({ act: 'connection-offer', run: acts.connectionForm('connection-offer') }),
    ownFormRow({ act: 'connection-compare', run: acts.compareBehind }),
    ownFormRow({ act: 'connection-update', run: acts.updateConnection }),
    ownFormRow({ act: 'connection-key', run: acts.changeKey }),
    ownFormRow({ act: 'connection-map', run: acts.mapRooms, render: mappedPage, answer: ({ view }) => view }),
    ownFormRow({
      act: 'rooms-save',
      run: acts.saveRoomTable,
      largest: { textBytesMax: acts.ROOMS_FORM_BYTES_MAX, filesMax: 0 },
      typedOf: (_view, form) => typedRooms(form),
    }),
    formRow(
      'connection-remove',
      { exists: isConnection, isPreviewed: true, leadsTo: () => '/console/supply' },
      removalPage,
    ),
  ],
);
