/** Pictures of many properties: the script matches, sends and saves them, and makes all groups of these templates. */
import { ownFormRow, pageRow } from '../../web/page-row.ts';
import type { ShownBy } from '../../reading/console-page.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { BULK_PICTURES_SCRIPT, PROPERTY_FORM_STYLE } from '../../web/assets.ts';
import { inPageAct } from '../../web/act-form.ts';
import * as elements from '../../web/elements.ts';
import type { PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { PICTURE_TEXTS } from '../property-form/messages.ts';
import { ACCEPTED, progressOfAll, sentCard, uploadSettings } from '../property-form/picture-fields.ts';
import { reasonText } from '../../web/reason-text.ts';
import { FILES_MAX, matchPictures, type PicturesSaved, savePictures } from './acts.ts';
import { PICTURES_TEXTS } from './messages.ts';
import { PICTURES_PATH, readPictures } from './read.ts';

export function picturesPage(view: PageView, { rows }: ShownBy<typeof readPictures>): PageParts {
  const texts = PICTURES_TEXTS[view.locale];
  if (!elements.mayUse(view, 'pictures-save'))
    return { title: texts.title, act: undefined, main: html`<p>${texts.mayNot}</p>` };
  const options = rows.map(({ propertyId, name }) => html`<option value="${propertyId}">${name}</option>`);
  return {
    title: texts.title,
    act: inPageAct(view, 'pictures-save', 'folder', texts.choose),
    main: html`<p>${texts.about}</p>
      <noscript><p class="warn">${texts.needsScript}</p></noscript>
      ${picker(view)} ${templates(view)}
      <datalist id="properties">${options}</datalist>`,
    stylesheets: [PROPERTY_FORM_STYLE.path],
    scripts: [BULK_PICTURES_SCRIPT.path],
  };
}

/** Reasons in the language of the page. */
export function presentSaved({ properties, locale }: PicturesSaved) {
  const told = properties.map(({ reason, ...property }) => ({
    ...property,
    reason: reason === null ? null : reasonText({ locale }, reason),
  }));
  return { properties: told };
}

function picker(view: PageView): Html {
  const texts = PICTURES_TEXTS[view.locale];
  const more = {
    match: elements.hrefOf(view, `${PICTURES_PATH}/pictures-match`),
    save: elements.hrefOf(view, `${PICTURES_PATH}/pictures-save`),
    edit: elements.hrefOf(view, '/console/properties/'),
    filesMax: FILES_MAX,
    texts: { ...PICTURE_TEXTS[view.locale].ofScript, ...texts.ofScript },
  };
  return html`<div class="pictures bulk" ${uploadSettings(view, more)} hidden>
    <input type="hidden" name="form" value="${view.person?.formToken ?? ''}" />
    <div class="bar">
      <p data-status role="status"></p>
      <p class="saves"><button type="button" data-save>${texts.save}</button> ${elements.onToSetup(view)}</p>
    </div>
    <div class="drop" data-drop>
      <p>
        <label for="folder">${texts.folder}</label> <input type="file" id="folder" webkitdirectory multiple />
      </p>
      <p>
        <label for="files">${texts.files}</label>
        <input type="file" id="files" multiple accept="${ACCEPTED}" />
      </p>
      <p class="fine">${PICTURE_TEXTS[view.locale].fileHint}</p>
      ${progressOfAll(view)}
    </div>
    <div data-groups></div>
  </div>`;
}

function templates(view: PageView): Html {
  const texts = PICTURES_TEXTS[view.locale];
  return html`<template id="group"
      ><section class="group">
        <h2><span data-title></span> <small class="fine" data-about></small></h2>
        <form class="assign" data-assign hidden>
          <label
            >${texts.give} <input list="properties" data-property aria-label="${texts.property}"
          /></label>
          <button class="quiet">${texts.assign}</button>
        </form>
        <p class="reason" data-problem role="alert"></p>
        <ol class="cards grid" data-cards></ol></section
    ></template>
    <template id="new-card"
      ><li class="card" data-card>
        <img class="thumb" alt="" loading="lazy" data-thumb />
        <p>
          <button type="button" class="quiet grip" data-grip>
            <span aria-hidden="true">↔</span>
            <span class="sr-only">${PICTURE_TEXTS[view.locale].grip} <span data-number></span></span>
          </button>
          <button type="button" class="quiet" data-remove>
            <span aria-hidden="true">×</span>
            <span class="sr-only">${texts.remove} <span data-number></span></span>
          </button>
        </p></li
    ></template>
    <template id="sent-card">${sentCard(view)}</template>`;
}

/** Names of files, or pictures: some hundred bytes each. */
const PICTURE_LIST = { textBytesMax: 512 * 1_024, filesMax: 0 };

export const PICTURES_PAGE = pageRow('pictures', PICTURES_PATH, readPictures, picturesPage, [
  ownFormRow({ act: 'pictures-match', run: matchPictures, largest: PICTURE_LIST }),
  ownFormRow({ act: 'pictures-save', run: savePictures, answer: presentSaved, largest: PICTURE_LIST }),
]);
