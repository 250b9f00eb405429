/** `/console/settings`: the settings of the site for changing, what is set, what it means, and what `doctor` finds. */
import { ownFormRow, pageRow } from '../../web/page-row.ts';
import { mayAct } from '../../../access/console-sessions.ts';
import { readSettings } from './read.ts';
import type { ShownBy } from '../../reading/console-page.ts';
import { nameBefore } from '../../reading/act-forms.ts';
import { CONSOLE_FORMS } from '../../reading/console-forms.ts';
import { breakable, type Content, type Html, html, prose } from '../../../http/html/html.ts';
import { PROPERTY_FORM_STYLE } from '../../web/assets.ts';
import { backLink, headedTable, type PageView, postForm } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import type { Told } from '../../../domain/wrong.ts';
import { reasonText as said } from '../../web/reason-text.ts';
import { SETTING_LABELS } from '../../web/messages/setting-labels.ts';
import { SETTINGS_TEXTS } from './messages.ts';
import {
  LOGO_UPLOAD_BYTES_MAX,
  removalOf,
  saveSettings,
  SITE_FORM_BYTES_MAX,
  type SiteField,
  type SiteForm,
} from './save.ts';

const PATH = '/console/settings';

export function settingsPage(
  view: PageView,
  { rows, areChecksRunning, form }: ShownBy<typeof readSettings>,
): PageParts {
  const texts = SETTINGS_TEXTS[view.locale];
  const { groups } = view.messages;
  const checks = headedTable(view, {
    caption: texts.checks,
    columns: ['check', 'state', 'reason'],
    rows: rows.doctor.map(({ check, status, detail, fix }) => ({
      check,
      status,
      state: html`<span class="${LOOKS[status]}">${texts.states[status]}</span>`,
      reason: html`<span lang="en"
        >${breakable(detail)}${fix !== null && html`<br /><b>${breakable(fix)}</b>`}</span
      >`,
    })),
    attributes: ({ check, status }) => html` data-check="${check}" data-status="${status}"`,
  });
  return {
    title: groups.settings,
    main: [
      siteSection(view, form),
      html`<div id="checks"></div>`,
      areChecksRunning
        ? html`<h2>${texts.checks}</h2>
            <p class="warn" role="status">${texts.checksRun}</p>`
        : checks,
      headedTable(
        view,
        {
          caption: texts.values,
          columns: ['name', 'value', 'from', 'default', 'meaning'],
          rows: rows.settings.map(({ name, value, from, default: fallback, meaning }) => ({
            name: html`<code>${breakable(name)}</code>`,
            setting: name,
            value: html`${breakable(value ?? '–')}`,
            from: html`${texts.origins[from]}`,
            default: html`${breakable(fallback ?? '–')}`,
            meaning: html`<span lang="en">${prose(meaning)}</span>`,
          })),
          attributes: ({ setting }) => html` data-setting="${setting}"`,
        },
        html`<p>${texts.about}</p>`,
      ),
    ],
    command: 'settings list',
    stylesheets: [PROPERTY_FORM_STYLE.path],
  };
}

const LOOKS = { ok: 'well', warn: 'unsure', fail: 'refusal' } as const;

/** The form alone, as typed: with its mistakes, or with what another person changed meanwhile. */
export function settingsForm(view: PageView, form: SiteForm, back: string): PageParts {
  return {
    title: view.messages.groups.settings,
    main: [siteSection(view, form), backLink(view, back)],
    stylesheets: [PROPERTY_FORM_STYLE.path],
  };
}

/** Nothing for those who may not change them: the table shows the values. */
function siteSection(view: PageView, form: SiteForm): Content {
  const { person } = view;
  if (person === undefined || !mayAct(person.role, CONSOLE_FORMS['settings-save'].role)) return '';
  const texts = SETTINGS_TEXTS[view.locale];
  const inputs = html`<div class="sheet">${form.fields.map((field) => fieldOf(view, form, field))}</div>`;
  return html`<h2>${texts.site}</h2>
    <p>${texts.aboutSite}</p>
    ${changedList(view, form)} ${mistakeList(view, form)}
    ${postForm(view, 'settings-save', PATH, { inputs, needsFresh: true, takesFile: true })}`;
}

function changedList(view: PageView, { fields }: SiteForm): Content {
  const texts = SETTINGS_TEXTS[view.locale];
  const changed = fields.filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return '';
  const items = changed.map(
    ({ row, stored }) =>
      html`<li><a href="#${row.name}">${labelOf(view, row.name)}</a>, ${texts.now(stored)}</li> `,
  );
  return html`<div class="warn conflicts" role="alert">
    <p>${texts.meanwhile}</p>
    <ul>
      ${items}
    </ul>
  </div>`;
}

function mistakeList(view: PageView, { mistakes }: SiteForm): Content {
  if (mistakes.length === 0) return '';
  const items = mistakes.map(
    ({ name, reason }) =>
      html`<li><a href="#${name}">${labelOf(view, name)}</a>: ${reasonText(view, reason)}</li> `,
  );
  return html`<div class="bad" role="alert" id="mistakes">
    <p>${SETTINGS_TEXTS[view.locale].wrong}</p>
    <ul>
      ${items}
    </ul>
  </div>`;
}

function fieldOf(view: PageView, { mistakes }: SiteForm, field: SiteField): Html {
  const { name, editable } = field.row;
  const wrong = mistakes.filter((one) => one.name === name);
  const aria = html` aria-describedby="${name}-hint"${wrong.length > 0 && html` aria-invalid="true"`}`;
  return html`<div class="field" data-setting-field="${name}">
    <label for="${name}">${labelOf(view, name)} <code>${breakable(name)}</code></label>
    ${editable ? editableInput(view, field, aria) : fixedInput(field, aria)}
    <small id="${name}-hint">${hintOf(view, field)}</small>
    ${wrong.map(({ reason }) => html`<p class="reason">${reasonText(view, reason)}</p>`)}
  </div> `;
}

function editableInput(view: PageView, field: SiteField, aria: Html): Html {
  const { row, text, stored } = field;
  const before = html`<input type="hidden" name="${nameBefore(row.name)}" value="${stored}" />`;
  if (row.isFile) return html`${before}${fileInput(view, field, aria)}`;
  return html`${before}<input
      id="${row.name}"
      name="${row.name}"
      value="${text}"
      autocomplete="off"
      ${aria}
    />`;
}

/** A refused form keeps the file, which a browser would ask for again. */
function fileInput(view: PageView, { row, stored, kept }: SiteField, aria: Html): Html {
  const { name } = row;
  const texts = SETTINGS_TEXTS[view.locale];
  return html`${kept !== undefined && html`<input type="hidden" name="${name}" value="${kept}" /><span>${texts.kept}</span>`}
    <input type="file" id="${name}" name="${name}.file" accept=".svg,.png,image/svg+xml,image/png" ${aria} />
    ${
      stored !== '' &&
      html`<label class="flag"
        ><input type="checkbox" name="${removalOf(name)}" value="yes" /> ${texts.removeFile}</label
      >`
    }`;
}

function fixedInput({ row }: SiteField, aria: Html): Html {
  return html`<input id="${row.name}" value="${row.value ?? ''}" disabled ${aria} />`;
}

function hintOf(view: PageView, { row, stored }: SiteField): Content {
  const texts = SETTINGS_TEXTS[view.locale];
  if (!row.editable) return texts.ofEnvironment;
  if (row.isFile) return stored === '' ? '' : breakable(texts.stored(stored));
  const { default: fallback, example } = row;
  return breakable(fallback === null || fallback === '' ? texts.example(example) : texts.defaultIs(fallback));
}

function labelOf({ locale }: PageView, name: string): string {
  return (SETTING_LABELS[locale] as Readonly<Record<string, string>>)[name] ?? name;
}

function reasonText(view: PageView, reason: Told): Html {
  return html`<bdi>${said(view, reason)}</bdi>`;
}

export const SETTINGS_PAGE = pageRow('settings', '/console/settings', readSettings, settingsPage, [
  ownFormRow<SiteForm>({
    act: 'settings-save',
    run: saveSettings,
    render: settingsForm,
    largest: { textBytesMax: SITE_FORM_BYTES_MAX, filesMax: 1, actFileBytesMax: LOGO_UPLOAD_BYTES_MAX },
  }),
]);
