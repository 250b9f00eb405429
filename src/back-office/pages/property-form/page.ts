/**
 * The form of a property, generated from the grammar of its document: each field has a label, a hint below it and its
 * error beside it; errors are also summed up above. It works without script: adding a row submits the form, which comes
 * back with the row.
 */
import { mayAct } from '../../../access/console-sessions.ts';
import { CONSOLE_FORMS } from '../../console/console-forms.ts';
import { pathOf, withQuery } from '../../console/paths.ts';
import { EMPTY_LIST, isRows, rowPath, rowsIn, saysEmpty, shownFields } from './fields.ts';
import { type Conflict, editPath, type Mistake, NEW_PATH, type PropertyForm, UPLOAD_FIELD } from './save.ts';
import { PREVIEW_FIELDS } from './preview.ts';
import type { Field, Grammar } from '../../../domain/document/grammar.ts';
import { PROPERTY_DOCUMENT } from '../../../domain/document/property-grammar.ts';
import { LOCALES } from '../../../domain/property.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import { PROPERTY_FORM_STYLE } from '../../web/assets.ts';
import * as elements from '../../web/elements.ts';
import type { PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { DOCUMENT_HINTS, DOCUMENT_LABELS, ROW_LABELS, TEXT_LANGUAGES } from './document-labels.ts';
import { PROPERTY_FORM_TEXTS } from './messages.ts';

export function propertyFormPage(view: PageView, { form }: { readonly form: PropertyForm }): PageParts {
  return propertyForm(view, form);
}

export function propertyForm(view: PageView, form: PropertyForm): PageParts {
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const { bar } = view.messages;
  const { propertyId, foreignOwner, mistakes, conflicts, isSaved } = form;
  const title = propertyId === undefined ? texts.create : texts.change;
  return {
    title,
    main: html`<p>
        ${elements.linkTo(view, '/console/properties', bar.properties)}
        ${propertyId !== undefined && html` · ${elements.idLink(view, 'properties', propertyId)}`}
      </p>
      ${isSaved && html`<p class="good" role="status">${texts.saved}</p>`}
      ${foreignOwner !== undefined && html`<p class="warn">${texts.foreign(foreignOwner)}</p>`}
      ${conflictTable(view, conflicts)} ${mistakeList(view, form, mistakes)} ${formElement(view, form)}`,
    stylesheets: [PROPERTY_FORM_STYLE.path],
  };
}

// Errors.

function mistakeList(view: PageView, form: PropertyForm, mistakes: readonly Mistake[]): Content {
  if (mistakes.length === 0) return '';
  const items = mistakes.map(({ field, reason }) => {
    const link = html`<a href="#${encodeURIComponent(inputFor(form, field))}">${labelOf(view, field)}</a>`;
    return html`<li>
      ${link}: <span lang="en"><bdi>${reason}</bdi></span>
    </li>`;
  });
  return html`<div class="bad" role="alert" id="mistakes">
    <p>${PROPERTY_FORM_TEXTS[view.locale].wrong}</p>
    <ul>
      ${items}
    </ul>
  </div>`;
}

/**
 * The name of the input for a place in the document: the field itself, one of its languages, or the list that contains
 * it.
 */
function inputFor({ fields }: PropertyForm, place: string): string {
  if (fields.has(place) || place === UPLOAD_FIELD || place === PREVIEW_FIELDS.checkIn) return place;
  const within = LOCALES.map((locale) => `${place}.${locale}`).find((name) => fields.has(name));
  if (within !== undefined) return within;
  const inside = [...fields.keys()].find(
    (name) => name.startsWith(`${place}.`) || name.startsWith(`${place}[`),
  );
  const around = /^(.+)(?:\.[^.[]+|\[\d+\])$/.exec(place)?.[1];
  return inside ?? (around === undefined ? 'mistakes' : inputFor({ fields } as PropertyForm, around));
}

function conflictTable(view: PageView, conflicts: readonly Conflict[]): Content {
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  if (conflicts.length === 0) return '';
  const rows = conflicts.map(
    ({ field, theirs, yours }) =>
      html`<tr>
        <th scope="row">${labelOf(view, field)}</th>
        <td data-head="${texts.theirs}"><bdi>${theirs}</bdi></td>
        <td data-head="${texts.yours}"><bdi>${yours}</bdi></td>
      </tr> `,
  );
  const heads = [texts.field, texts.theirs, texts.yours];
  return html`<div class="warn conflicts" role="alert"><p>${texts.changedMeanwhile}</p></div>
    ${elements.scrolling(texts.changedMeanwhile, heads, rows)}`;
}

// The form.

interface Drawing {
  readonly view: PageView;
  readonly form: PropertyForm;
  readonly isReadOnly: boolean;
  /** Reasons by the name of the input. */
  readonly wrong: ReadonlyMap<string, string>;
}

function formElement(view: PageView, form: PropertyForm): Html {
  const { person } = view;
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const { acts } = view.messages;
  const { propertyId, mark, drawnFrom } = form;
  const isReadOnly =
    form.foreignOwner !== undefined ||
    person === undefined ||
    !mayAct(person.role, CONSOLE_FORMS['property-save'].role);
  const wrong = new Map(form.mistakes.map(({ field, reason }) => [inputFor(form, field), reason]));
  const drawing = { view, form, isReadOnly, wrong };
  const path = propertyId === undefined ? NEW_PATH : editPath(propertyId);
  const hidden = Object.entries({ form: person?.formToken ?? '', mark, drawnFrom }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  // The enter key presses the first button of a form.
  const save = !isReadOnly && html`<p class="saves"><button>${acts['property-save']}</button></p>`;
  const sections = shownFields(PROPERTY_DOCUMENT).map(([name, field]) => fieldOf(drawing, name, name, field));
  const preview = previewFields(drawing);
  return html`<form
    class="sheet"
    method="post"
    enctype="multipart/form-data"
    action="${elements.hrefOf(view, `${path}/property-save`)}"
    data-act="property-save"
  >
    ${hidden} ${save} ${sections} ${preview} ${save}
    ${propertyId !== undefined && html`<p class="fine">${elements.linkTo(view, pathOf('properties', propertyId), texts.nights)}</p>`}
  </form>`;
}

/** `template` is the path of the field in the grammar: `taxes[].code`. */
function fieldOf(drawing: Drawing, path: string, template: string, field: Field<unknown>): Content {
  const { part } = field;
  if (part.kind === 'object')
    return html`<fieldset>
      <legend>${labelAt(drawing, template)}</legend>
      ${hintOf(drawing, template)} ${objectFields(drawing, path, template, part)}
    </fieldset> `;
  if (isRows(part)) return rowsOf(drawing, path, template, field);
  const names =
    part.kind === 'localized'
      ? LOCALES.map((locale) => [`${path}.${locale}`, locale] as const)
      : [[path, undefined] as const];
  const inputs = names.map(([name, locale]) => {
    const language = locale !== undefined && `, ${TEXT_LANGUAGES[locale][drawing.view.locale]}`;
    return inputOf(drawing, { name, template, label: [labelAt(drawing, template), language] }, field);
  });
  // The languages of a text stand side by side.
  return part.kind === 'localized' ? html`<div class="pair">${inputs}</div>` : inputs;
}

function objectFields(drawing: Drawing, path: string, template: string, part: Grammar<unknown>): Content {
  return shownFields(part).map(([name, field]) =>
    fieldOf(drawing, `${path}.${name}`, `${template}.${name}`, field),
  );
}

function rowsOf(drawing: Drawing, path: string, template: string, field: Field<unknown>): Html {
  const { view, form, isReadOnly } = drawing;
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const indexes = rowsIn(form.fields, path);
  const count =
    indexes.length + (form.added === path || (indexes.length === 0 && field.presence === 'required') ? 1 : 0);
  const label = labelAt(drawing, template);
  const rows = Array.from({ length: count }, (_none, index) => {
    const row = rowPath(path, index);
    const number = `${ROW_LABELS[template]?.[view.locale] ?? label} ${index + 1}`;
    const button = (name: string, text: string) =>
      html`<button class="quiet" name="${name}" value="${row}">
        ${text} <span class="sr-only">${number}</span>
      </button> `;
    return html`<fieldset class="row" id="${row}">
      <legend>${number}</legend>
      ${path === 'images' && thumbnail(view, form.fields.get(`${row}.src`) ?? '')}
      ${objectFields(drawing, row, `${template}[]`, field.part)}
      ${!isReadOnly && html`<p>${button('remove', texts.remove)} ${index > 0 && button('raise', texts.raise)}</p>`}
    </fieldset> `;
  });
  const value = form.fields.get(path) ?? '';
  const empty = saysEmpty(field)
    ? html`<label class="flag"
        ><input
          type="checkbox"
          name="${path}"
          value="${EMPTY_LIST}"
          ${value === EMPTY_LIST && html`checked`}
          ${isReadOnly && html`disabled`}
        />
        ${texts.nonRefundable}</label
      >`
    : '';
  return html`<fieldset id="${path}">
    <legend>${label}</legend>
    ${hintOf(drawing, template)} <input type="hidden" name="${path}" value="" />${empty}
    ${reasonOf(drawing, path)} ${rows} ${path === 'images' && !isReadOnly && uploadField(drawing)}
    ${
      !isReadOnly &&
      html`<p>
        <button class="quiet" name="add" value="${path}">
          ${texts.add} <span class="sr-only">${label}</span>
        </button>
      </p>`
    }
  </fieldset> `;
}

/** Pictures of other hosts are not loaded here. */
function thumbnail(view: PageView, src: string): Content {
  if (src === '' || src.startsWith('https:')) return '';
  const address = elements.hrefOf(view, withQuery('/console/picture', { src }));
  return html`<p><img class="thumb" src="${address}" alt="" loading="lazy" /></p>`;
}

/** The picture is stored at once; the property refers to it when the form is saved. */
function uploadField(drawing: Drawing): Html {
  const { view, wrong } = drawing;
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const invalid =
    wrong.has(UPLOAD_FIELD) && html` aria-invalid="true" aria-describedby="${UPLOAD_FIELD}-wrong"`;
  return html`<div class="field">
    <label for="${UPLOAD_FIELD}">${texts.file}</label>
    <input type="file" id="${UPLOAD_FIELD}" name="file" accept="${ACCEPTED}" ${invalid} />
    ${reasonOf(drawing, UPLOAD_FIELD)}
    <p class="fine">${texts.fileHint}</p>
    <p><button class="quiet" name="upload" value="1">${texts.upload}</button></p>
  </div>`;
}

const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif';

/** Previews the traveller's page for a stay with the typed values, saved or not. */
function previewFields(drawing: Drawing): Content {
  const { view, form, wrong } = drawing;
  const { person } = view;
  if (person === undefined || !mayAct(person.role, CONSOLE_FORMS['property-save'].role)) return '';
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const { words } = view.messages;
  const inputs = (['checkIn', 'checkOut', 'guests'] as const).map((label) => {
    const name = PREVIEW_FIELDS[label];
    const value = form.fields.get(name) ?? (label === 'guests' ? '2' : '');
    const invalid = wrong.has(name) && html` aria-invalid="true" aria-describedby="${name}-wrong"`;
    const type = label === 'guests' ? 'text' : typeFor('date', value);
    return html`<div class="field">
      <label for="${name}">${words[label]}</label>
      <input id="${name}" name="${name}" type="${type}" value="${value}" ${invalid} />
      ${reasonOf(drawing, name)}
    </div> `;
  });
  const chosen = form.fields.get(PREVIEW_FIELDS.locale) ?? view.locale;
  const options = LOCALES.map(
    (locale) =>
      html`<option value="${locale}" ${locale === chosen && html`selected`}>
        ${TEXT_LANGUAGES[locale][view.locale]}
      </option>`,
  );
  return html`<fieldset>
    <legend>${texts.preview}</legend>
    ${inputs}
    <div class="field">
      <label for="${PREVIEW_FIELDS.locale}">${words.locale}</label>
      <select id="${PREVIEW_FIELDS.locale}" name="${PREVIEW_FIELDS.locale}">
        ${options}
      </select>
    </div>
    <p><button class="quiet" name="preview" value="1" formtarget="_blank">${texts.showPreview}</button></p>
  </fieldset>`;
}

// A single field.

/** Texts with at least this limit may have several lines. */
const LINES_FROM = 4_000;

interface NamedInput {
  readonly name: string;
  readonly template: string;
  readonly label: Content;
}

function inputOf(drawing: Drawing, { name, template, label }: NamedInput, field: Field<unknown>): Html {
  const { form, isReadOnly, wrong, view } = drawing;
  const { part, presence } = field;
  const value =
    form.fields.get(name) ?? (part.kind === 'flag' ? JSON.stringify(field.fallback ?? false) : '');
  const isGiven = isReadOnly || (name === 'propertyId' && form.propertyId !== undefined);
  const hint = hintOf(drawing, template, `${name}-hint`);
  const isWrong = wrong.has(name);
  const described = [hint && `${name}-hint`, isWrong && `${name}-wrong`].filter(Boolean).join(' ');
  const attributes = html` id="${name}"
  name="${name}"${described !== '' && html` aria-describedby="${described}"`}${isWrong && html` aria-invalid="true"`}`;
  return html`<div class="field">
    <label for="${name}"
      ><span
        >${label}${presence === 'required' && html` <span aria-hidden="true">*</span><span class="sr-only">${PROPERTY_FORM_TEXTS[view.locale].required}</span>`}</span
      ></label
    >
    ${control(view, part, value, attributes, isGiven)} ${reasonOf(drawing, name)} ${hint}
  </div> `;
}

function control(
  view: PageView,
  part: Grammar<unknown>,
  value: string,
  attributes: Html,
  isGiven: boolean,
): Html {
  const { kind, schema } = part;
  const { words } = view.messages;
  const isList = kind === 'list';
  if (kind === 'flag' || kind === 'choice') {
    const choices =
      kind === 'flag'
        ? ([
            ['true', words.yes],
            ['false', words.no],
          ] as const)
        : ['', ...(schema['enum'] as readonly string[])].map((one) => [one, one] as const);
    // Keeps a sent value even if it is not among the choices.
    const others = choices.some(([one]) => one === value) ? [] : [[value, value] as const];
    const options = [...choices, ...others].map(
      ([one, text]) => html`<option value="${one}" ${one === value && html`selected`}>${text}</option>`,
    );
    return html`<select${attributes} ${isGiven && html`disabled`}>${options}</select>`;
  }
  const readOnly = isGiven && html`readonly`;
  if (isList || value.includes('\n') || Number(schema['maxLength'] ?? 0) >= LINES_FROM)
    // Browsers drop the first line break.
    return html`<textarea${attributes} rows="${isList ? 3 : 5}" dir="auto" ${readOnly}>${`\n${value}`}</textarea>`;
  const isNumber = kind === 'whole' || kind === 'number' || kind === 'decimal';
  return html`<input${attributes}
    type="${typeFor(kind, value)}"
    value="${value}"
    ${isNumber && html`inputmode="${kind === 'whole' ? 'numeric' : 'decimal'}"`}
    autocomplete="off"
    ${readOnly}
  />`;
}

/** A date field would not show an invalid date. */
function typeFor(kind: string, value: string): string {
  if (kind === 'date' && /^(?:\d{4}-\d{2}-\d{2})?$/.test(value)) return 'date';
  if (kind === 'time' && /^(?:\d{2}:\d{2})?$/.test(value)) return 'time';
  return 'text';
}

function hintOf({ view }: Drawing, template: string, id?: string): Html | '' {
  const text = DOCUMENT_HINTS[template]?.[view.locale];
  return text === undefined ? '' : html`<p class="fine" ${id !== undefined && html` id="${id}"`}>${text}</p>`;
}

function reasonOf({ wrong }: Drawing, name: string): Content {
  const reason = wrong.get(name);
  return (
    reason !== undefined && html`<p class="reason" lang="en" id="${name}-wrong"><bdi>${reason}</bdi></p>`
  );
}

function labelAt({ view }: Drawing, template: string): string {
  return DOCUMENT_LABELS[template]?.[view.locale] ?? template;
}

/** The label of a place such as `taxes[0].code`, after the labels of the objects around it. */
function labelOf(view: PageView, place: string): string {
  const steps = place.split('.');
  const labels = steps.flatMap((_step, index) => {
    const template = steps.slice(0, index + 1).join('.');
    const number = /\[(\d+)\]$/.exec(template)?.[1];
    const label = DOCUMENT_LABELS[template.replace(/\[\d+\]$/, '').replaceAll(/\[\d+\]/g, '[]')];
    const text =
      label?.[view.locale] ?? TEXT_LANGUAGES[steps[index] as keyof typeof TEXT_LANGUAGES]?.[view.locale];
    if (text === undefined) return [];
    const ofRow = ROW_LABELS[template.replace(/\[\d+\]$/, '')]?.[view.locale] ?? text;
    return [number === undefined ? text : `${ofRow} ${Number(number) + 1}`];
  });
  return labels.length === 0 ? place : labels.join(', ');
}
