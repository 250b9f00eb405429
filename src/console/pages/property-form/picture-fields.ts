/**
 * The pictures in the form: cards in the order in which travellers see them, and a field that takes several files. With
 * script, `property-pictures.js` sends each file by itself, beside the form, and puts cards in order in place.
 */
import type { Field, Grammar } from '../../../domain/document/grammar.ts';
import { IMAGES_MAX, UPLOAD_FOLDER } from '../../../domain/property-details.ts';
import { LOCALES } from '../../../domain/property.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import { withQuery } from '../../reading/paths.ts';
import * as elements from '../../web/elements.ts';
import type { PageView } from '../../web/elements.ts';
import { rowPath, rowsIn } from './fields.ts';
import {
  addButton,
  type Drawing,
  hintOf,
  labelAt,
  objectFields,
  reasonOf,
  rowButton,
  rowLabel,
} from './inputs.ts';
import { PICTURE_TEXTS, PROPERTY_FORM_TEXTS } from './messages.ts';
import { isSuggested, namesIn, SUGGESTED, UPLOAD_BYTES_MAX, UPLOAD_FIELD, UPLOAD_PATH } from './pictures.ts';

const IMAGES = 'images';
/** In place of the index, in the card from which the script makes others. */
export const NEW_CARD = 'images[NEW]';
export const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif';
/** From one page; a person has no more turns. */
const SENT_AT_ONCE = 2;

export function pictureFields(drawing: Drawing, { part }: Field<unknown>): Html {
  const { view, form, isReadOnly } = drawing;
  const indexes = rowsIn(form.fields, IMAGES);
  const count = indexes.length + (form.added === IMAGES ? 1 : 0);
  const cards = Array.from({ length: count }, (_none, index) =>
    card(drawing, part, { row: rowPath(IMAGES, index), number: rowLabel(drawing, IMAGES, index) }),
  );
  return html`<div class="pictures" id="${IMAGES}" ${!isReadOnly && uploadSettings(view)}>
    ${hintOf(drawing, IMAGES)} <input type="hidden" name="${IMAGES}" value="" />
    ${reasonOf(drawing, IMAGES)}
    <ol class="cards" data-cards>
      ${cards}
    </ol>
    ${!isReadOnly && [uploadField(drawing), addButton(drawing, IMAGES, labelAt(drawing, IMAGES))]}
  </div>`;
}

/** The card of a picture that is not there yet, outside of the form: nobody sends it. */
export function cardTemplate(drawing: Drawing, { part }: Field<unknown>): Html {
  const { view } = drawing;
  const form = { ...drawing.form, fields: new Map([[`${NEW_CARD}.src`, `${UPLOAD_FOLDER}/`]]) };
  const number = rowLabel({ ...drawing, form }, IMAGES, 0).replace(/ 1$/, ' 0');
  const drawn = card({ ...drawing, form, wrong: new Map() }, part, { row: NEW_CARD, number });
  return html`<template id="new-card">${drawn}</template>
    <template id="sent-card">${sentCard(view)}</template>`;
}

/** A picture on its way. */
export function sentCard({ locale }: PageView): Html {
  const texts = PICTURE_TEXTS[locale];
  return html`<li class="card sent" tabindex="-1">
    <p><bdi data-name></bdi></p>
    <progress max="1" value="0"></progress>
    <p class="reason" data-reason hidden></p>
    <p>
      <button type="button" class="quiet" data-again hidden>${texts.again}</button>
      <button type="button" class="quiet" data-leave>${texts.leave}</button>
    </p>
  </li>`;
}

/** All that the script needs to know; `more` is for the script of another page. */
export function uploadSettings(view: PageView, more: object = {}): Html {
  const texts = PICTURE_TEXTS[view.locale];
  const settings = {
    upload: elements.hrefOf(view, UPLOAD_PATH),
    picture: elements.hrefOf(view, '/console/picture'),
    bytesMax: UPLOAD_BYTES_MAX,
    picturesMax: IMAGES_MAX,
    atOnce: SENT_AT_ONCE,
    locales: LOCALES,
    named: SUGGESTED.named,
    unnamed: SUGGESTED.unnamed,
    texts: texts.ofScript,
    ...more,
  };
  return html` data-pictures="${JSON.stringify(settings)}"`;
}

interface Card {
  readonly row: string;
  readonly number: string;
}

/** Fields that the file tells: hidden for a picture that was uploaded. */
const OF_FILE = ['src', 'width', 'height'] as const;

function card(drawing: Drawing, part: Grammar<unknown>, { row, number }: Card): Html {
  const { view, form, isReadOnly, wrong } = drawing;
  const texts = PROPERTY_FORM_TEXTS[view.locale];
  const src = form.fields.get(`${row}.src`) ?? '';
  const isUploaded =
    src.startsWith(`${UPLOAD_FOLDER}/`) && !OF_FILE.some((name) => wrong.has(`${row}.${name}`));
  const hidden = OF_FILE.map((name) => {
    const path = `${row}.${name}`;
    return html`<input type="hidden" name="${path}" value="${form.fields.get(path) ?? ''}" data-${name} />`;
  });
  const names = namesIn(form.fields);
  const suggested = LOCALES.some((locale) =>
    isSuggested(names, locale, form.fields.get(`${row}.alt.${locale}`) ?? ''),
  );
  return html`<li class="card" data-card>
    <fieldset id="${row}">
      <legend data-number>${number}</legend>
      <div class="shown">
        ${thumbnail(view, src)}
        ${
          !isReadOnly &&
          html`<button type="button" class="quiet grip" data-grip hidden>
            <span aria-hidden="true">↕</span> <span class="sr-only">${PICTURE_TEXTS[view.locale].grip}</span>
            <span class="sr-only" data-number>${number}</span>
          </button>`
        }
      </div>
      <div class="about">
        ${objectFields(drawing, row, `${IMAGES}[]`, part, false, isUploaded ? OF_FILE : [])}
        ${isUploaded && hidden}
        <p class="suggested" data-suggested ${!suggested && html`hidden`}>
          ${PICTURE_TEXTS[view.locale].suggested}
        </p>
        ${!isReadOnly && html`<p>${rowButton('raise', row, texts.raise, number)} ${rowButton('remove', row, texts.remove, number)}</p>`}
      </div>
    </fieldset>
  </li> `;
}

/** Pictures of other hosts are not loaded here. */
function thumbnail(view: PageView, src: string): Content {
  if (src === '' || src.startsWith('https:')) return '';
  const isThere = src !== `${UPLOAD_FOLDER}/`;
  const address = elements.hrefOf(view, withQuery('/console/picture', { src, size: 'small' }));
  return html`<img class="thumb" ${isThere && html`src="${address}"`} alt="" loading="lazy" data-thumb />`;
}

/** Files are stored at once; the property has them when the form is saved. */
function uploadField(drawing: Drawing): Html {
  const { view, wrong } = drawing;
  const texts = PICTURE_TEXTS[view.locale];
  const invalid =
    wrong.has(UPLOAD_FIELD) && html` aria-invalid="true" aria-describedby="${UPLOAD_FIELD}-wrong"`;
  return html`<div class="field drop" data-drop>
    <label for="${UPLOAD_FIELD}">${texts.files}</label>
    <p data-scripted hidden>${texts.dropHere}</p>
    <input type="file" id="${UPLOAD_FIELD}" name="file" accept="${ACCEPTED}" multiple ${invalid} />
    ${reasonOf(drawing, UPLOAD_FIELD)}
    <p class="fine">${texts.fileHint}</p>
    <p data-unscripted><button class="quiet" name="upload" value="1">${texts.upload}</button></p>
    ${progressOfAll(view)}
  </div>`;
}

/** How far all files are, and what was done, for those who do not see it. */
export function progressOfAll({ locale }: PageView): Html {
  return html`<p data-overall hidden>
      <progress max="1" value="0" aria-hidden="true"></progress> <span data-said></span>
      <button type="button" class="quiet" data-resume hidden>${PICTURE_TEXTS[locale].again}</button>
    </p>
    <p class="sr-only" role="status" data-announced></p>`;
}
