/** The form of a property with script: pictures are sent beside it, and what is not saved yet is not left by mistake. */
import { cardOf, filled, isMeant, makeSortable, takeDropped, thumbOf, Uploads } from './uploads.js';

const form = document.querySelector('form.sheet');
const note = form.querySelector('[data-unsaved-note]');
const place = form.querySelector('[data-pictures]');
const settings = place && JSON.parse(place.dataset.pictures);
const uploads = place && new Uploads(settings);

// With mistakes, their section is shown, not the one that was left.
if (location.hash !== '' && document.querySelector('#mistakes') !== null) location.replace('#mistakes');

// What is not saved yet.

const typed = () =>
  new URLSearchParams(
    [...new FormData(form)].filter(([name, text]) => typeof text === 'string' && name !== 'form'),
  ).toString();
const drawn = typed();
let isLeaving = false;
const isUnsaved = () =>
  note !== null && ('unsaved' in form.dataset || uploads?.isBusy === true || typed() !== drawn);

function showUnsaved() {
  if (note !== null) note.textContent = isUnsaved() ? settings.texts.unsaved : '';
}

form.addEventListener('input', showUnsaved);
form.addEventListener('change', showUnsaved);
addEventListener('beforeunload', (event) => {
  if (!isLeaving && isUnsaved()) event.preventDefault();
});
addEventListener('pageshow', () => (isLeaving = false));
form.addEventListener('submit', (event) => {
  const { submitter } = event;
  if (submitter?.name === 'preview') return;
  // The answer shows the same section.
  form.setAttribute('action', form.getAttribute('action').split('#', 1)[0] + location.hash);
  if (uploads?.isBusy === true) {
    event.preventDefault();
    void sendWhenIdle(submitter);
  } else isLeaving = true;
});

async function sendWhenIdle(submitter) {
  const before = uploads.refusedCount;
  note.textContent = settings.texts.saveWaits;
  await uploads.idle();
  if (uploads.refusedCount > before) note.textContent = settings.texts.notAllThere;
  else form.requestSubmit(submitter);
}

// Pictures.

if (place !== null) {
  const list = place.querySelector('[data-cards]');
  const chosen = place.querySelector('input[type=file]');
  const { locales, named, unnamed, texts, picturesMax } = settings;

  const names = () =>
    Object.fromEntries(
      locales.map((locale) => [locale, form.elements[`name.${locale}`]?.value.trim() ?? '']),
    );
  const suggest = (known, locale, number) => {
    const name = [locale, ...locales].map((one) => known[one]).find((text) => text !== '');
    return filled((name === undefined ? unnamed : named)[locale], { name, number });
  };
  const isSuggested = (known, locale, text) => {
    const number = /(\d{1,3})$/.exec(text)?.[1];
    return number !== undefined && text === suggest(known, locale, Number(number));
  };
  let known = names();

  const cards = () => [...list.querySelectorAll('[data-card]')];
  const altsOf = (card) => locales.map((locale) => [locale, card.querySelector(`[name$=".alt.${locale}"]`)]);

  function markSuggested(card) {
    const isOne = altsOf(card).some(([locale, input]) => isSuggested(known, locale, input.value));
    card.querySelector('[data-suggested]').hidden = !isOne;
  }

  /** Numbers the fields of each card by its place, and suggested texts too. */
  function renumber() {
    const now = names();
    for (const [index, card] of cards().entries()) {
      for (const part of card.querySelectorAll('*'))
        for (const name of ['id', 'name', 'for', 'value', 'aria-describedby']) {
          const text = part.getAttribute(name);
          if (text?.includes('images['))
            part.setAttribute(name, text.replaceAll(/images\[\w+\]/g, `images[${index}]`));
        }
      for (const part of card.querySelectorAll('[data-number]'))
        part.textContent = `${texts.picture} ${index + 1}`;
      for (const [locale, input] of altsOf(card))
        if (isSuggested(known, locale, input.value)) input.value = suggest(now, locale, index + 1);
    }
    known = now;
    for (const card of cards()) markSuggested(card);
    showUnsaved();
  }

  function take(files) {
    const sent = [...files].filter(({ name }) => isMeant(name)).map((file) => [file, cardOf('sent-card')]);
    list.append(...sent.map(([, card]) => card));
    for (const [file, card] of sent) uploads.add(file, card, (picture) => show(card, picture));
    showUnsaved();
  }

  function show(sent, { src, width, height }) {
    const all = cards();
    if (all.length >= picturesMax) return filled(texts.tooMany, { max: picturesMax });
    if (all.some((card) => card.querySelector('[name$=".src"]').value === src)) return texts.twice;
    const card = cardOf('new-card');
    for (const [name, value] of Object.entries({ src, width, height }))
      card.querySelector(`[data-${name}]`).value = value;
    thumbOf(card, settings, src);
    card.querySelector('[data-grip]').hidden = false;
    for (const [locale, input] of altsOf(card)) input.value = suggest(known, locale, 0);
    sent.replaceWith(card);
    renumber();
    return undefined;
  }

  makeSortable(list, (_card, index, all) => {
    renumber();
    uploads.announce(filled(texts.moved, { number: index + 1, all }));
  });
  list.addEventListener('click', (event) => {
    const button = event.target.closest('button[name]');
    if (button === null) return;
    event.preventDefault();
    const card = button.closest('[data-card]');
    const at = cards().indexOf(card);
    if (button.name === 'raise') {
      cards()[at - 1]?.before(card);
      renumber();
      uploads.announce(filled(texts.moved, { number: cards().indexOf(card) + 1, all: cards().length }));
      button.focus();
    } else {
      card.remove();
      renumber();
      uploads.announce(filled(texts.removed, { all: cards().length }));
      (cards()[at] ?? cards().at(-1))?.querySelector('button[name=remove]').focus();
    }
  });
  list.addEventListener('input', (event) => markSuggested(event.target.closest('[data-card]')));
  for (const locale of locales) form.elements[`name.${locale}`]?.addEventListener('input', renumber);
  chosen.addEventListener('change', () => {
    take(chosen.files);
    // Sent already: not again with the form.
    chosen.value = '';
  });
  takeDropped(place, ({ files }) => take(files));
  for (const grip of place.querySelectorAll('[data-grip], [data-scripted]')) grip.hidden = false;
  place.querySelector('[data-unscripted]').hidden = true;
}
