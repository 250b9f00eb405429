/** `/console/passkeys`: who can sign in without a link; and the buttons of passkeys on other pages. */
import { mayAct } from '../../access/console-sessions.ts';
import { isOwn, type PasskeyView } from '../../access/passkeys.ts';
import type { PasskeyActName } from '../../console/paths.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { PASSKEY_SCRIPT } from './assets.ts';
import { dataTable, hrefOf, linkCommand, type PageView, postForm, timeText } from './elements.ts';
import type { PageParts } from './frame.ts';

export function passkeysPage(view: PageView, { rows }: { readonly rows: readonly PasskeyView[] }): PageParts {
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
    command: 'console passkeys',
    main: [html`<p>${texts.about}</p>`, rows.length > 0 && table, register(view)],
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
  const button = ceremony(view, 'passkey-register', '/console/passkeys', '/console/passkeys', true);
  return html`<h2>${messages.acts['passkey-register']}</h2>
    ${person.isByLink ? button : [html`<p>${byLink}</p>`, linkCommand(person.role, person.name)]}
    <noscript><p>${title}: ${scriptless}</p></noscript>`;
}

/** A button that the module shows where passkeys work; `next` is where it leads, if anywhere. */
function ceremony(
  view: PageView,
  act: Exclude<PasskeyActName, 'passkey-end'>,
  path: string,
  next?: string,
  needsFresh = false,
): Html {
  const { failed, working, address } = view.messages.passkeys;
  const kind = act === 'passkey-register' ? 'create' : 'get';
  const onward = next !== undefined && html` data-next="${hrefOf(view, next)}"`;
  return html`<div data-passkey="${kind}" data-failed="${failed}" data-working="${working}" ${onward} hidden>
      ${postForm(view, act, path, { needsFresh })}
      <p role="status"></p>
    </div>
    <p class="fine" data-passkey-address hidden>${address} <a></a></p>`;
}

/** On the sign-in page. */
export function signInWithPasskey(view: PageView): Html {
  return ceremony(view, 'sign-in-passkey', '/console', '/console');
}

/** Above the forms that need a young sign-in: shown when it is not, or as soon as it is not any more. */
export function freshGate(view: PageView): Content {
  const { person, messages } = view;
  if (person === undefined) return '';
  const { why, orLink } = messages.signInAgain;
  return html`<section class="warn" data-fresh-ms="${person.freshMs}" ${person.freshMs > 0 && html`hidden`}>
    <p>${why}</p>
    ${ceremony(view, 'sign-in-again', '/console')}
    <p>${orLink}</p>
    ${linkCommand(person.role, person.name)}
  </section>`;
}
