/** `/console/passkeys`: who can sign in without a link. */
import { listPasskeys } from '../../../access/passkeys.ts';
import { pageRow } from '../../web/page-row.ts';
import { mayAct } from '../../../access/console-sessions.ts';
import { isOwn, type PasskeyView } from '../../../access/passkeys.ts';
import { type Content, html } from '../../../http/html/html.ts';
import { PASSKEY_SCRIPT } from '../../web/assets.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import {
  dataTable,
  linkCommand,
  onToSetup,
  type PageView,
  postForm,
  thereAreMore,
  timeText,
} from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { ceremony } from '../../web/passkey-forms.ts';

/** A page under 60 KB; JSON has all rows. */
const PASSKEYS_SHOWN_MAX = 50;
const COMMAND = 'console passkeys';

/** On the page one's own come first. */
async function readPasskeys({ storage }: PagePorts, { isJson, person }: PageQuestion) {
  const all = await listPasskeys({ storage });
  const isMine = (row: PasskeyView): boolean => person !== undefined && isOwn(row, person);
  const ownFirst = all.toSorted((one, other) => Number(isMine(other)) - Number(isMine(one)));
  const rows = isJson ? all : ownFirst.slice(0, PASSKEYS_SHOWN_MAX);
  return { rows, leftOutCount: all.length - rows.length };
}

export function passkeysPage(
  view: PageView,
  { rows, leftOutCount }: ShownBy<typeof readPasskeys>,
): PageParts {
  const { passkeys: texts } = view.messages;
  const table = dataTable(view, {
    caption: texts.title,
    columns: ['passkeyId', 'name', 'role', 'createdAt', 'usedAt', 'changes'],
    rows: rows.map((row) => ({
      ...row,
      usedAt: row.lastUsedAt === null ? html`${texts.notUsed}` : timeText(view, row.lastUsedAt),
      changes: endForm(view, row),
    })),
  });
  return {
    title: texts.title,
    // The button shows itself, where passkeys work at all.
    act: undefined,
    command: COMMAND,
    main: [
      html`<p>${texts.about}</p>`,
      rows.length > 0 && [
        table,
        leftOutCount > 0 && thereAreMore(view, COMMAND),
        html`<p>${onToSetup(view)}</p>`,
      ],
      register(view),
    ],
    scripts: [PASSKEY_SCRIPT.path],
  };
}

function endForm(view: PageView, row: PasskeyView): Content {
  const { person } = view;
  const isOfPerson = person !== undefined && isOwn(row, person);
  if (person === undefined || (!isOfPerson && !mayAct(person.role, 'admin'))) return '';
  const fields = { passkeyId: row.passkeyId };
  return postForm(view, 'passkey-end', '/console/passkeys', {
    fields,
    look: 'danger',
    needsFresh: !isOfPerson,
  });
}

function register(view: PageView): Content {
  const { person, messages } = view;
  const { title, byLink, scriptless } = messages.passkeys;
  if (person === undefined) return '';
  const button = ceremony(view, 'passkey-register', '/console/passkeys', {
    next: '/console/passkeys',
    needsFresh: true,
  });
  return html`<h2>${messages.acts['passkey-register']}</h2>
    ${person.isByLink ? button : [html`<p>${byLink}</p>`, linkCommand(person.role, person.name)]}
    <noscript><p>${title}: ${scriptless}</p></noscript>`;
}

export const PASSKEYS_PAGE = pageRow('passkeys', '/console/passkeys', readPasskeys, passkeysPage);
