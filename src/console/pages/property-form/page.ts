/**
 * The form of a property, generated from the grammar of its document: each field has a label, a hint below it and its
 * error beside it; errors are also summed up above. It works without script: adding a row submits the form, which comes
 * back with the row.
 */
import { IMAGES_MAX } from '../../../domain/property-details.ts';
import { ownFormRow, pageRow, PROPERTY_PATH } from '../../web/page-row.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { shownFields } from './fields.ts';
import {
  type Conflict,
  editPath,
  fieldNameOf,
  hasTooManyRows,
  NEW_PATH,
  PROPERTY_FORM_BYTES_MAX,
  type PropertyForm,
  readPropertyForm,
  saveProperty,
  typedFields,
} from './save.ts';
import { PREVIEW_FIELDS } from './preview.ts';
import { PROPERTY_DOCUMENT } from '../../../domain/document/property-grammar.ts';
import { LOCALES } from '../../../domain/property.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import { PROPERTY_FORM_SCRIPT, PROPERTY_FORM_STYLE } from '../../web/assets.ts';
import { inPageAct } from '../../web/act-form.ts';
import * as elements from '../../web/elements.ts';
import type { PageView } from '../../web/elements.ts';
import type { PageParts, TypedText } from '../../web/frame.ts';
import { TEXT_LANGUAGES } from './document-labels.ts';
import { type Drawing, fieldOf, labelOf, reasonOf, reasonText, typeFor } from './inputs.ts';
import { amenityFields } from './amenity-fields.ts';
import { dataLists } from './data-lists.ts';
import { prepareZoneNames } from './lists.ts';
import { PROPERTY_FORM_TEXTS } from './messages.ts';
import { cardTemplate, pictureFields } from './picture-fields.ts';
import { type Mistake, UPLOAD_FIELD } from './pictures.ts';

export function propertyFormPage(view: PageView, { form }: { readonly form: PropertyForm }): PageParts {
  prepareZoneNames(view.locale);
  return propertyForm(view, form);
}

export function propertyForm(view: PageView, form: PropertyForm): PageParts {
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const { propertyId, foreignOwner, mistakes, conflicts, isSaved } = form;
  const title = propertyId === undefined ? texts.create : texts.change;
  return {
    title,
    act:
      foreignOwner === undefined
        ? inPageAct(view, 'property-save', SAVE_ID, view.messages.acts['property-save'])
        : undefined,
    above: propertyId === undefined ? [] : [{ path: pathOf('properties', propertyId), text: propertyId }],
    main: html` ${propertyId !== undefined && html`<p>${elements.linkTo(view, withQuery(NEW_PATH, { from: propertyId }), texts.copy)}</p>`}
    ${form.copyOf !== undefined && html`<p class="warn">${texts.copied(form.copyOf)}</p>`}
    ${form.defaultsOf !== undefined && html`<p class="fine">${texts.asLast(form.defaultsOf)}</p>`}
    ${isSaved && html`<p class="good" role="status">${texts.saved}</p>`}
    ${foreignOwner !== undefined && html`<p class="warn">${texts.foreign(foreignOwner)}</p>`}
    ${conflictTable(view, conflicts)} ${mistakeList(view, form, mistakes)} ${formElement(view, form)}`,
    stylesheets: [PROPERTY_FORM_STYLE.path],
    scripts: [PROPERTY_FORM_SCRIPT.path],
  };
}

/** The fields that the person typed, with the labels of the form. */
export function typedInProperty(view: PageView, form: URLSearchParams): readonly TypedText[] {
  return [...typedFields(form)].map(([name, text]) => ({ label: labelOf(view, name), text }));
}

const SAVE_ID = 'save';

// Errors.

function mistakeList(view: PageView, form: PropertyForm, mistakes: readonly Mistake[]): Content {
  if (mistakes.length === 0) return '';
  const items = mistakes.map((mistake) => {
    const { field } = mistake;
    const link = html`<a href="#${encodeURIComponent(inputFor(form, field))}">${labelOf(view, field)}</a>`;
    return html`<li>${link}: ${reasonText(view, mistake)}</li>`;
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

/** The sections with the fields of each; fields that none names are in the last one. */
const SECTIONS = {
  basics: [
    'propertyId',
    'name',
    'description',
    'propertyType',
    'bathrooms',
    'location',
    'cityAliases',
    'timezone',
    'amenities',
  ],
  rooms: ['currency', 'inventoryTypes', 'ageBands', 'cleaningFee', 'taxes', 'discounts'],
  pictures: ['images'],
  terms: ['checkIn', 'checkOut', 'cancellation', 'payment', 'houseRules'],
  legal: ['registrationNumber', 'seller'],
  more: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type SectionName = keyof typeof SECTIONS;

const FIELDS = shownFields(PROPERTY_DOCUMENT);
const PLACED: ReadonlySet<string> = new Set(Object.values(SECTIONS).flat());

/** Names of the document's fields in a section, in its order. */
function namesIn(section: SectionName): readonly string[] {
  const others = FIELDS.map(([name]) => name).filter((name) => !PLACED.has(name));
  return section === 'more' ? others : SECTIONS[section];
}

function formElement(view: PageView, form: PropertyForm): Html {
  const { person } = view;
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const { acts } = view.messages;
  const { propertyId, mark, drawnFrom } = form;
  const isReadOnly = form.foreignOwner !== undefined || !elements.mayUse(view, 'property-save');
  const wrong = Map.groupBy(form.mistakes, ({ field }) => inputFor(form, field));
  const drawing: Drawing = { view, form, isReadOnly, wrong };
  const path = propertyId === undefined ? NEW_PATH : editPath(propertyId);
  const hidden = Object.entries({ form: person?.formToken ?? '', mark, drawnFrom }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const names = Object.keys(SECTIONS) as SectionName[];
  const first = firstSection(form);
  // The enter key presses the first button of a form.
  const bar = html`<div class="bar">
    <nav aria-label="${texts.sections}">
      ${names.map((name) => sectionLink(drawing, name, name === first))}
    </nav>
    ${!isReadOnly && html`<p class="saves"><span data-unsaved-note role="status"></span> <button id="${SAVE_ID}">${acts['property-save']}</button></p>`}
  </div>`;
  return html`<form
      class="sheet"
      method="post"
      enctype="multipart/form-data"
      action="${elements.hrefOf(view, `${path}/property-save`)}"
      data-act="property-save"
      ${form.isUnsaved && html`data-unsaved`}
    >
      ${hidden} ${bar} ${names.map((name) => sectionOf(drawing, name, name === first))}
      ${previewFields(drawing)}
      ${propertyId !== undefined && html`<p class="fine">${elements.linkTo(view, pathOf('properties', propertyId), texts.nights)}</p>`}
    </form>
    ${!isReadOnly && dataLists(view)}
    ${!isReadOnly && cardTemplate(drawing, PROPERTY_DOCUMENT.fields['images'])}`;
}

const sectionId = (name: SectionName): string => `section-${name}`;

const isIn = (name: SectionName, place: string): boolean => namesIn(name).includes(fieldNameOf(place));

/** The one that is shown until another is chosen: where a button was pressed, else where the first mistake is. */
function firstSection({ pressed, mistakes }: PropertyForm): SectionName {
  const place = pressed ?? mistakes[0]?.field;
  const names = Object.keys(SECTIONS) as SectionName[];
  const found = place !== undefined && names.find((name) => isIn(name, place));
  return found || 'basics';
}

/** With the number of its mistakes, or a tick where it is complete. */
function sectionLink({ view, form }: Drawing, name: SectionName, isFirst: boolean): Html {
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const count = form.mistakes.filter(({ field }) => isIn(name, field)).length;
  const mistakes =
    count > 0 &&
    html` <b class="count">${count}</b
      ><span class="sr-only"> ${texts.mistakes(count).slice(String(count).length)}</span>`;
  const tick =
    count === 0 && isComplete(form, name) && html` <b class="tick" title="${texts.complete}">✓</b>`;
  return html`<a href="#${sectionId(name)}" ${isFirst && html`class="first"`}
    >${texts.section[name]}${mistakes}${tick}</a
  > `;
}

/** Whether something is filled in, and nothing is missing that the document needs. */
function isComplete({ fields }: PropertyForm, name: SectionName): boolean {
  const filled = new Set([...fields].filter(([, text]) => text !== '').map(([place]) => fieldNameOf(place)));
  const own = namesIn(name);
  const needed = own.filter((field) => PROPERTY_DOCUMENT.fields[field]!.presence === 'required');
  return own.some((field) => filled.has(field)) && needed.every((field) => filled.has(field));
}

/** A part of the form; the style sheet shows one of them at a time, and all are sent. */
function sectionOf(drawing: Drawing, name: SectionName, isFirst: boolean): Html {
  const texts = PROPERTY_FORM_TEXTS[drawing.view.locale];
  const fields = namesIn(name).map((own) => {
    const field = PROPERTY_DOCUMENT.fields[own]!;
    if (own === 'images') return pictureFields(drawing, field);
    return own === 'amenities' ? amenityFields(drawing) : fieldOf(drawing, own, own, field);
  });
  const id = sectionId(name);
  return html`<section class="part ${isFirst && 'first'}" aria-labelledby="${id}">
    <h2 id="${id}">${texts.section[name]}</h2>
    ${fields}
  </section> `;
}

/** Previews the traveller's page for a stay with the typed values, saved or not. */
function previewFields(drawing: Drawing): Content {
  const { view, form, wrong } = drawing;
  if (!elements.mayUse(view, 'property-save')) return '';
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
  return html`<fieldset class="part">
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

const SAVE = ownFormRow<PropertyForm>({
  act: 'property-save',
  run: saveProperty,
  render: propertyForm,
  previewOf: ({ preview }) => preview && { review: preview },
  typedOf: typedInProperty,
  largest: { textBytesMax: PROPERTY_FORM_BYTES_MAX, filesMax: IMAGES_MAX, hasTooMany: hasTooManyRows },
});

export const PROPERTY_NEW_PAGE = pageRow('property-new', NEW_PATH, readPropertyForm, propertyFormPage, [
  SAVE,
]);

export const PROPERTY_EDIT_PAGE = pageRow(
  'property-edit',
  `${PROPERTY_PATH}/edit`,
  readPropertyForm,
  propertyFormPage,
  [SAVE],
);
