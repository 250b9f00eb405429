/** The form of a key: shown after a young sign-in alone, with fields that no page ever fills in. */
import { type Content, type Html, html } from '../../../http/html/html.ts';
import type { ConnectionKind } from '../../../supply/connections/kinds/connection-kind.ts';
import { type FilledParts, filledForm } from '../../web/act-form.ts';
import { linkCommand, mayUse, type PageView } from '../../web/elements.ts';
import { ceremony } from '../../web/passkey-forms.ts';
import { keyField } from './acts.ts';
import { CONNECTION_TEXTS } from './messages.ts';

type KeyAct = 'connection-add' | 'connection-key';

/** `next`: the page that has the form after the sign-in, from the root. */
export function keyForm(
  view: PageView,
  act: KeyAct,
  path: string,
  { kind, next, own, ...parts }: FilledParts & { readonly kind: ConnectionKind; readonly next: string },
): Content {
  const texts = CONNECTION_TEXTS[view.locale];
  const { person } = view;
  if (person === undefined || !mayUse(view, act)) return false;
  if (person.freshMs === 0)
    return html`<section class="warn" data-before-key>
      <p>${texts.keyAfterSignIn}</p>
      ${ceremony(view, 'sign-in-again', '/console', { next })}
      <p>${texts.orByLink}</p>
      ${linkCommand(person.role, person.name)}
    </section>`;
  const fields = kind.keyParts.map(({ name }, index) => passwordField(view, act, name, index === 0));
  return html`<p>${helpOf(view, kind)}</p>
    ${filledForm(view, act, path, { ...parts, own: [fields, own] })}`;
}

function helpOf({ locale }: PageView, { kind }: ConnectionKind): Content {
  const { whereKey, keyHelp } = CONNECTION_TEXTS[locale];
  return [Object.hasOwn(whereKey, kind) && `${whereKey[kind as keyof typeof whereKey]} `, keyHelp];
}

function passwordField(view: PageView, act: KeyAct, part: string, isFirst: boolean): Html {
  const name = keyField(part);
  const id = `${act}-${name}`;
  const labels: Readonly<Record<string, string>> = view.messages.labels;
  const isWrong = view.refused?.act === act && view.refused.mistakes?.some(({ field }) => field === name);
  const hasFocus = isFirst && view.refused === undefined;
  return html`<div class="field">
    <label for="${id}">${labels[name] ?? part}</label>
    <input
      type="password"
      id="${id}"
      name="${name}"
      autocomplete="off"
      spellcheck="false"
      required
      ${isWrong === true && html`aria-invalid="true"`}
      ${hasFocus && act === 'connection-add' && html`autofocus`}
    />
  </div> `;
}

/** A choice for each setting of the system, and in tests its address. */
export function settingFields(
  { locale }: PageView,
  act: string,
  { settings }: ConnectionKind,
  { now, allowsPrivate }: { readonly now: Readonly<Record<string, string>>; readonly allowsPrivate: boolean },
): Content {
  const texts = CONNECTION_TEXTS[locale];
  const names: Readonly<Record<string, string>> = texts.settings;
  const said: Readonly<Record<string, string>> = texts.settingValues;
  const choices = Object.entries(settings).map(([name, values]) => {
    const id = `${act}-setting-${name}`;
    const chosen = now[name] ?? values[0];
    return html`<div class="field">
      <label for="${id}">${names[name] ?? name}</label>
      <select id="${id}" name="setting">
        ${values.map(
          (value) =>
            html`<option value="${name}=${value}" ${value === chosen && html`selected`}>
              ${said[value] ?? value}
            </option>`,
        )}
      </select>
    </div> `;
  });
  const base = html`<div class="field">
    <label for="${act}-base">${texts.base}</label>
    <input id="${act}-base" name="setting" />
  </div> `;
  return [choices, allowsPrivate && base];
}

/** The fields as they are sent when nothing is changed. */
export function settingsText(
  { settings }: ConnectionKind,
  now: Readonly<Record<string, string>>,
  allowsPrivate: boolean,
): string {
  const texts = Object.entries(settings).map(([name, values]) => `${name}=${now[name] ?? values[0]}`);
  return [...texts, ...(allowsPrivate ? [''] : [])].join('\n');
}
