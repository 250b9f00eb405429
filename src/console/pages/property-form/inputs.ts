/** The fields of the form, generated from the grammar: each with its label, its hint below it and its error beside it. */
import type { Field, Grammar } from '../../../domain/document/grammar.ts';
import { LOCALES } from '../../../domain/property.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import type { PageView } from '../../web/elements.ts';
import { reasonText as said } from '../../web/reason-text.ts';
import { listAttribute, meaningOf } from './data-lists.ts';
import {
  CHOICE_LABELS,
  DOCUMENT_HINTS,
  DOCUMENT_LABELS,
  ROW_LABELS,
  TEXT_LANGUAGES,
} from './document-labels.ts';
import { EMPTY_LIST, isRows, rowPath, rowsIn, saysEmpty, shownFields } from './fields.ts';
import { PROPERTY_FORM_TEXTS } from './messages.ts';
import type { Mistake } from './pictures.ts';
import type { PropertyForm } from './save.ts';

export interface Drawing {
  readonly view: PageView;
  readonly form: PropertyForm;
  readonly isReadOnly: boolean;
  /** By the name of the input. */
  readonly wrong: ReadonlyMap<string, readonly Mistake[]>;
}

/** `template` is the path of the field in the grammar: `taxes[].code`. `isOptional`: within an object that may be left out. */
export function fieldOf(
  drawing: Drawing,
  path: string,
  template: string,
  field: Field<unknown>,
  isOptional = false,
): Content {
  const { part, presence } = field;
  if (part.kind === 'object')
    return html`<fieldset>
      <legend>${labelAt(drawing, template)}</legend>
      ${hintOf(drawing, template)}
      ${objectFields(drawing, path, template, part, isOptional || presence !== 'required')}
    </fieldset> `;
  if (isRows(part)) return rowsOf(drawing, path, template, field);
  const names =
    part.kind === 'localized'
      ? LOCALES.map((locale) => [`${path}.${locale}`, locale] as const)
      : [[path, undefined] as const];
  const inputs = names.map(([name, locale]) => {
    const language = locale !== undefined && `, ${TEXT_LANGUAGES[locale][drawing.view.locale]}`;
    const label = [labelAt(drawing, template), language];
    return inputOf(
      drawing,
      { name, template, label, isRequired: presence === 'required' && !isOptional },
      field,
    );
  });
  // The languages of a text stand side by side.
  if (part.kind !== 'localized') return inputs;
  const enough =
    presence === 'required' && !isOptional && PROPERTY_FORM_TEXTS[drawing.view.locale].oneIsEnough;
  return html`<div class="pair">${inputs} ${enough && html`<p class="fine">${enough}</p>`}</div>`;
}

/** The fields of an object; `left` are left out. */
export function objectFields(
  drawing: Drawing,
  path: string,
  template: string,
  part: Grammar<unknown>,
  isOptional = false,
  left: readonly string[] = [],
): Content {
  return shownFields(part)
    .filter(([name]) => !left.includes(name))
    .map(([name, field]) => fieldOf(drawing, `${path}.${name}`, `${template}.${name}`, field, isOptional));
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
    const number = rowLabel(drawing, template, index);
    return html`<fieldset class="row" id="${row}">
      <legend>${number}</legend>
      ${objectFields(drawing, row, `${template}[]`, field.part)}
      ${!isReadOnly && html`<p>${rowButton('remove', row, texts.remove, number)} ${index > 0 && rowButton('raise', row, texts.raise, number)}</p>`}
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
    ${reasonOf(drawing, path)} ${rows} ${!isReadOnly && addButton(drawing, path, label)}
  </fieldset> `;
}

export function addButton({ view }: Drawing, path: string, label: string): Html {
  return html`<p>
    <button class="quiet" name="add" value="${path}">
      ${PROPERTY_FORM_TEXTS[view.locale].add} <span class="sr-only">${label}</span>
    </button>
  </p>`;
}

/** Acts on one row instead of saving; `number` tells which one. */
export function rowButton(name: 'remove' | 'raise', row: string, text: string, number: string): Html {
  return html`<button class="quiet" name="${name}" value="${row}">
    ${text} <span class="sr-only" data-number>${number}</span>
  </button> `;
}

/** `Picture 2` of the second row of `images`. */
export function rowLabel({ view }: Drawing, template: string, index: number): string {
  return `${ROW_LABELS[template]?.[view.locale] ?? labelAt({ view }, template)} ${index + 1}`;
}

// A single field.

/** Texts with at least this limit may have several lines. */
const LINES_FROM = 4_000;

interface NamedInput {
  readonly name: string;
  readonly template: string;
  readonly label: Content;
  readonly isRequired: boolean;
}

function inputOf(drawing: Drawing, input: NamedInput, field: Field<unknown>): Html {
  const { name, template, label, isRequired } = input;
  const { form, isReadOnly, wrong, view } = drawing;
  const { part } = field;
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
        >${label}${isRequired && html` <span aria-hidden="true">*</span><span class="sr-only">${PROPERTY_FORM_TEXTS[view.locale].required}</span>`}</span
      ></label
    >
    ${control(drawing, { part, template, value, attributes, isGiven })} ${reasonOf(drawing, name)}
    ${meaningOf(view, template, value)} ${hint}
  </div> `;
}

interface Control {
  readonly part: Grammar<unknown>;
  readonly template: string;
  readonly value: string;
  readonly attributes: Html;
  readonly isGiven: boolean;
}

function control({ view }: Drawing, { part, template, value, attributes, isGiven }: Control): Html {
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
        : ['', ...(schema['enum'] as readonly string[])].map(
            (one) => [one, CHOICE_LABELS[template]?.[one]?.[view.locale] ?? one] as const,
          );
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
    ${!isGiven && listAttribute(template)}
    value="${value}"
    ${isNumber && html`inputmode="${kind === 'whole' ? 'numeric' : 'decimal'}"`}
    autocomplete="off"
    ${readOnly}
  />`;
}

/** A date field would not show an invalid date. */
export function typeFor(kind: string, value: string): string {
  if (kind === 'date' && /^(?:\d{4}-\d{2}-\d{2})?$/.test(value)) return 'date';
  if (kind === 'time' && /^(?:\d{2}:\d{2})?$/.test(value)) return 'time';
  return 'text';
}

export function hintOf({ view }: Pick<Drawing, 'view'>, template: string, id?: string): Html | '' {
  const text = DOCUMENT_HINTS[template]?.[view.locale];
  return text === undefined ? '' : html`<p class="fine" ${id !== undefined && html` id="${id}"`}>${text}</p>`;
}

export function reasonOf({ view, wrong }: Drawing, name: string): Content {
  const mistakes = wrong.get(name);
  if (mistakes === undefined) return '';
  return html`<div class="reason" id="${name}-wrong">
    ${mistakes.map((mistake) => html`<p>${reasonText(view, mistake)}</p>`)}
  </div>`;
}

export function reasonText(view: PageView, { about, reason }: Mistake): Html {
  return html`${about !== undefined && html`<bdi>${about}</bdi>: `}<bdi>${said(view, reason)}</bdi>`;
}

export function labelAt({ view }: Pick<Drawing, 'view'>, template: string): string {
  return DOCUMENT_LABELS[template]?.[view.locale] ?? template;
}

/** The label of a place such as `taxes[0].code`, after the labels of the objects around it. */
export function labelOf(view: PageView, place: string): string {
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
