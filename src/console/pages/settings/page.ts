/**
 * `/console/settings`: the settings of the site for changing, those of its legal links, what `doctor` finds, and what
 * is set; each at an address of its own.
 */
import { ownFormRow, pageRow } from '../../web/page-row.ts';
import { readSettings } from './read.ts';
import type { DoctorRow, ShownBy } from '../../reading/console-page.ts';
import type { SettingRow } from '../../../operator/acts/site-desk.ts';
import { nameBefore } from '../../reading/act-forms.ts';
import { breakable, type Content, type Html, html, prose } from '../../../http/html/html.ts';
import { PROPERTY_FORM_STYLE } from '../../web/assets.ts';
import { headedTable, hrefOf, linkTo, mayUse, type PageView, postForm } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { sayWrong, type Told } from '../../../domain/wrong.ts';
import { reasonText as said } from '../../web/reason-text.ts';
import { SETTING_LABELS } from '../../web/messages/setting-labels.ts';
import { SETTINGS_TEXTS } from './messages.ts';
import { PART_FIELD, PATH_OF, PREVIEW_BUTTON, SETTINGS_PARTS, type SettingsPart } from './parts.ts';
import {
  LOGO_UPLOAD_BYTES_MAX,
  removalOf,
  saveSettings,
  SITE_FORM_BYTES_MAX,
  type SiteField,
  type SiteForm,
} from './save.ts';

type SettingsShown = ShownBy<ReturnType<typeof readSettings>>;

function partPage(part: SettingsPart, mainOf: (view: PageView, shown: SettingsShown) => Content) {
  return (view: PageView, shown: SettingsShown): PageParts => withinParts(view, part, mainOf(view, shown));
}

/** The page of a part, with the links to the others. */
function withinParts(view: PageView, part: SettingsPart, main: Content): PageParts {
  const { titles } = SETTINGS_TEXTS[view.locale];
  const { settings } = view.messages.groups;
  const links = SETTINGS_PARTS.map(
    (one) =>
      html`<a href="${hrefOf(view, PATH_OF[one])}" ${one === part && html`aria-current="page"`}
        >${titles[one]}</a
      > `,
  );
  return {
    title: settings,
    // Its parts are forms or lists from top to bottom.
    act: undefined,
    main: [html`<nav class="tabs" aria-label="${settings}">${links}</nav>`, main],
    command: part === 'checks' ? 'doctor' : 'settings list',
    stylesheets: [PROPERTY_FORM_STYLE.path],
  };
}

// The forms.

/** The form as typed: with its mistakes, or with what another person changed meanwhile. */
function refusedForm(view: PageView, form: SiteForm): PageParts {
  return withinParts(view, form.part, siteForm(view, form));
}

/** Those who may not change the settings see their values. */
function siteForm(view: PageView, form: SiteForm): Content {
  const texts = SETTINGS_TEXTS[view.locale];
  const about = html`<p>${form.part === 'legal' ? texts.aboutLegal : texts.aboutSite}</p>`;
  if (!mayUse(view, 'settings-save')) return [about, valueList(view, form)];
  const fields = form.fields.map((field) => fieldOf(view, form, field));
  const preview = html`<button class="quiet" name="${PREVIEW_BUTTON}" value="1" formtarget="_blank">
    ${texts.seePreview}
  </button>`;
  return [
    about,
    changedList(view, form),
    mistakeList(view, form),
    postForm(view, 'settings-save', PATH_OF.site, {
      fields: { [PART_FIELD]: form.part },
      inputs: html`<div class="sheet">${fields}</div>`,
      beside: preview,
      needsFresh: true,
      takesFile: true,
    }),
  ];
}

function valueList(view: PageView, { fields }: SiteForm): Html {
  const rows = fields.map(
    ({ row }) =>
      html`<dt>${labelOf(view, row.name)}</dt>
        <dd>${breakable(row.value ?? '–')}</dd> `,
  );
  return html`<dl>${rows}</dl>`;
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
  const isFirst = wrong.length > 0 && mistakes[0]?.name === name;
  const aria = html` aria-describedby="${name}-hint"${wrong.length > 0 && html` aria-invalid="true"`}${isFirst && html` autofocus`}`;
  return html`<div class="field" data-setting-field="${name}">
    <label for="${name}">${labelOf(view, name)}</label>
    ${editable ? editableInput(view, field, aria) : fixedInput(field, aria)}
    <small id="${name}-hint">${hintOf(view, field)}</small>
    ${wrong.map(({ reason }) => html`<p class="reason">${reasonText(view, reason)}</p>`)}
  </div> `;
}

function editableInput(view: PageView, field: SiteField, aria: Html): Html {
  const { row, text, stored } = field;
  const before = html`<input type="hidden" name="${nameBefore(row.name)}" value="${stored}" />`;
  if (row.isFile) return html`${before}${fileInput(view, field, aria)}`;
  const input = html`<input
    id="${row.name}"
    name="${row.name}"
    value="${text}"
    autocomplete="off"
    ${aria}
  />`;
  return html`${before}${withSwatch(row, text, input)}`;
}

const COLOUR = /^#[0-9a-f]{6}$/i;

/** A colour stands beside its text; the picture needs neither script nor inline style. */
function withSwatch({ default: fallback }: SettingRow, text: string, input: Html): Html {
  const colour = text === '' ? (fallback ?? '') : text;
  if (!COLOUR.test(colour)) return input;
  return html`<span class="coloured"
    ><svg class="swatch" width="36" height="36" aria-hidden="true">
      <rect width="36" height="36" fill="${colour}" /></svg
    >${input}</span
  >`;
}

/** A refused form keeps the file, which a browser would ask for again. */
function fileInput(view: PageView, { row, stored, kept }: SiteField, aria: Html): Html {
  const { name } = row;
  const { brand } = view;
  const texts = SETTINGS_TEXTS[view.locale];
  const isShown = stored !== '' && kept === undefined && brand !== undefined;
  return html`${isShown && html`<p class="logo"><img src="${hrefOf(view, brand.iconPath)}" alt="${texts.logo}" /></p>`}
    ${kept !== undefined && html`<input type="hidden" name="${name}" value="${kept}" /><span>${texts.kept}</span>`}
    <input type="file" id="${name}" name="${name}.file" accept=".svg,.png,image/svg+xml,image/png" ${aria} />
    ${
      stored !== '' &&
      html`<label class="flag"
        ><input type="checkbox" name="${removalOf(name)}" value="yes" /> ${texts.removeFile}</label
      >`
    }`;
}

function fixedInput({ row }: SiteField, aria: Html): Html {
  const input = html`<input id="${row.name}" value="${row.value ?? ''}" disabled ${aria} />`;
  return withSwatch(row, row.value ?? '', input);
}

function hintOf(view: PageView, { row }: SiteField): Content {
  const texts = SETTINGS_TEXTS[view.locale];
  const { default: fallback, editable, example, isFile, name } = row;
  if (!editable) return breakable(texts.ofEnvironment(name));
  if (isFile) return '';
  return breakable(fallback === null || fallback === '' ? texts.example(example) : texts.defaultIs(fallback));
}

function labelOf({ locale }: PageView, name: string): string {
  return (SETTING_LABELS[locale] as Readonly<Record<string, string>>)[name] ?? name;
}

function reasonText(view: PageView, reason: Told): Html {
  return html`<bdi>${said(view, reason)}</bdi>`;
}

// Checks and values, which are only read.

const LOOKS = { ok: 'well', warn: 'unsure', fail: 'refusal' } as const;
const WORST_FIRST = ['fail', 'warn'] as const;

function checkList(view: PageView, { checks, areChecksRunning }: SettingsShown): Content {
  const texts = SETTINGS_TEXTS[view.locale];
  if (areChecksRunning) return html`<p class="warn" role="status">${texts.checksRun}</p>`;
  const inNeed = WORST_FIRST.flatMap((state) => checks.filter(({ status }) => status === state));
  const well = checks.filter(({ status }) => status === 'ok');
  return [
    html`<p>${texts.aboutChecks}</p>`,
    inNeed.length === 0
      ? html`<p class="good">${texts.allInOrder}</p>`
      : checkTable(view, texts.toCorrect, inNeed),
    html`<details>
      <summary>${texts.inOrder(well.length)}</summary>
      ${checkTable(view, texts.inOrder(well.length), well)}
    </details>`,
  ];
}

function checkTable(view: PageView, caption: string, checks: readonly DoctorRow[]): Html {
  const { checkNames, states } = SETTINGS_TEXTS[view.locale];
  return headedTable(view, {
    caption,
    columns: ['check', 'state', 'reason'],
    rows: checks.map(({ check, status, told: { detail, fix } }) => ({
      name: check,
      check: checkNames[check as keyof typeof checkNames] ?? check,
      status,
      state: html`<span class="${LOOKS[status]}">${states[status]}</span>`,
      reason: html`${findingText(view, detail)}${fix !== null && html`<br /><b>${findingText(view, fix)}</b>`}`,
    })),
    attributes: ({ name, status }) => html` data-check="${name}" data-status="${status}"`,
  });
}

/** Words of a system or a library are in English. */
function findingText({ locale }: PageView, finding: Told): Content {
  const text = breakable(sayWrong(finding, locale));
  return finding.code === 'asItIs' ? html`<span lang="en">${text}</span>` : text;
}

/** Settings that somebody has set; the rest is folded. */
function settingList(view: PageView, { rows }: SettingsShown): Content {
  const texts = SETTINGS_TEXTS[view.locale];
  const ofDefault = rows.settings.filter(({ from }) => from === 'default');
  const given = rows.settings.filter(({ from }) => from !== 'default');
  return [
    html`<p>
      ${texts.about} ${linkTo(view, PATH_OF.site, texts.titles.site)}
      ${linkTo(view, PATH_OF.legal, texts.titles.legal)}
    </p>`,
    settingTable(view, texts.given, given),
    html`<details>
      <summary>${texts.ofDefault(ofDefault.length)}</summary>
      ${settingTable(view, texts.ofDefault(ofDefault.length), ofDefault)}
    </details>`,
  ];
}

function settingTable(view: PageView, caption: string, settings: readonly SettingRow[]): Html {
  const { origins } = SETTINGS_TEXTS[view.locale];
  return headedTable(view, {
    caption,
    columns: ['name', 'value', 'from', 'default', 'meaning'],
    rows: settings.map(({ name, value, from, default: fallback, meaning }) => ({
      name: html`<code>${breakable(name)}</code>`,
      setting: name,
      value: html`${breakable(value ?? '–')}`,
      from: html`${origins[from]}`,
      default: html`${breakable(fallback ?? '–')}`,
      meaning: html`<span lang="en">${prose(meaning)}</span>`,
    })),
    attributes: ({ setting }) => html` data-setting="${setting}"`,
  });
}

const formPage = (part: SettingsPart) => partPage(part, (view, { form }) => siteForm(view, form));

export const SETTINGS_PAGES = [
  pageRow('settings', PATH_OF.site, readSettings('site'), formPage('site'), [
    ownFormRow<SiteForm>({
      act: 'settings-save',
      run: saveSettings,
      render: refusedForm,
      previewOf: ({ preview }) => preview,
      answer: () => ({ saved: false }),
      largest: { textBytesMax: SITE_FORM_BYTES_MAX, filesMax: 1, actFileBytesMax: LOGO_UPLOAD_BYTES_MAX },
    }),
  ]),
  pageRow('settings-legal', PATH_OF.legal, readSettings('legal'), formPage('legal')),
  pageRow('settings-checks', PATH_OF.checks, readSettings('checks'), partPage('checks', checkList)),
  pageRow(
    'settings-environment',
    PATH_OF.environment,
    readSettings('environment'),
    partPage('environment', settingList),
  ),
];
