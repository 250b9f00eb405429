/** The buttons of passkeys, on whatever page: to sign in, to sign in again, to register. */
import type { PasskeyActName } from '../reading/console-forms.ts';
import { type Content, type Html, html } from '../../http/html/html.ts';
import { hrefOf, linkCommand, type PageView, postForm } from './elements.ts';

/**
 * A button that the module shows where passkeys work; `next` is where it leads, if anywhere, else `done` is said in its
 * place.
 */
export function ceremony(
  view: PageView,
  act: Exclude<PasskeyActName, 'passkey-end'>,
  path: string,
  { next, done, needsFresh = false }: CeremonyParts = {},
): Html {
  const { failed, working, address } = view.messages.passkeys;
  const kind = act === 'passkey-register' ? 'create' : 'get';
  const onward = html`${next !== undefined && html` data-next="${hrefOf(view, next)}"`}${done !== undefined && html` data-done="${done}"`}`;
  return html`<div data-passkey="${kind}" data-failed="${failed}" data-working="${working}" ${onward} hidden>
      ${postForm(view, act, path, { needsFresh })}
      <p role="status"></p>
    </div>
    <p class="fine" data-passkey-address hidden>${address} <a></a></p>`;
}

interface CeremonyParts {
  /** From the root. */
  readonly next?: string | undefined;
  readonly done?: string | undefined;
  readonly needsFresh?: boolean;
}

/** On the sign-in page, and beside a form that was sent without a session. */
export function signInWithPasskey(view: PageView, next: string | undefined, done?: string): Html {
  return ceremony(view, 'sign-in-passkey', '/console', { next, done });
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
