/** Pictures of many properties: files find their property, are sent a few at a time, put in order, and saved at once. */
import {
  cardOf,
  filesIn,
  filled,
  isMeant,
  isPicture,
  makeSortable,
  takeDropped,
  thumbOf,
  Uploads,
} from './uploads.js';

const place = document.querySelector('[data-pictures]');
const settings = JSON.parse(place.dataset.pictures);
const { texts } = settings;
const uploads = new Uploads(settings);
const status = place.querySelector('[data-status]');
const groups = place.querySelector('[data-groups]');
/** By property id, or by the name of what has no property yet. */
const known = new Map();
const inOrder = new Intl.Collator(undefined, { numeric: true });

const cardsOf = (group) => [...group.querySelectorAll('[data-card]')];
const all = () => [...groups.querySelectorAll('.group')];

async function ask(path, fields) {
  for (let tries = 0; ; tries += 1) {
    const token = place.querySelector('input[name="form"]').value;
    const body = new URLSearchParams([
      ['form', token],
      ['language', document.documentElement.lang],
      ...fields,
    ]);
    const headers = { accept: 'application/json' };
    const answer = await fetch(path, { method: 'POST', body, headers }).catch(() => undefined);
    if (answer === undefined) throw new Error(texts.offline);
    if (answer.ok) return answer.json();
    const isOld = answer.status === 403 || answer.status === 401;
    if (tries === 0 && isOld && (await uploads.renewToken())) continue;
    if (answer.status === 401) throw new Error(texts.signedOut);
    throw new Error((await answer.json().catch(() => undefined))?.detail ?? texts.failed);
  }
}

function groupOf(key, { propertyId, name, count }) {
  const there = known.get(key);
  if (there !== undefined) return there;
  const group = cardOf('group');
  known.set(key, group);
  if (propertyId === undefined) {
    group.dataset.name = name;
    group.querySelector('[data-title]').textContent = filled(texts.unmatched, { name });
    const form = group.querySelector('[data-assign]');
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void assign(group, key);
    });
    groups.prepend(group);
  } else {
    group.dataset.property = propertyId;
    group.querySelector('[data-title]').textContent = name === propertyId ? name : `${name} (${propertyId})`;
    if (count > 0) group.querySelector('[data-about]').textContent = filled(texts.has, { count });
    groups.append(group);
  }
  const list = group.querySelector('[data-cards]');
  makeSortable(list, (_card, index, count_) => {
    renumber(group);
    uploads.announce(filled(texts.moved, { number: index + 1, all: count_ }));
  });
  list.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-remove]');
    if (button === null) return;
    const card = button.closest('[data-card]');
    const next = card.nextElementSibling ?? card.previousElementSibling;
    card.remove();
    renumber(group);
    next?.querySelector('button')?.focus();
    uploads.announce(filled(texts.removed, { all: cardsOf(group).length }));
  });
  return group;
}

function renumber(group) {
  for (const [index, card] of cardsOf(group).entries())
    for (const part of card.querySelectorAll('[data-number]'))
      part.textContent = `${texts.picture} ${index + 1}`;
}

/** Its pictures go to the property that was typed. */
async function assign(group, key) {
  const typed = group.querySelector('[data-property]').value.trim();
  const problem = group.querySelector('[data-problem]');
  try {
    const { matches } = await ask(settings.match, [['names', `${typed}/1.jpg`]]);
    if (matches[0] === null) {
      problem.textContent = filled(texts.unknown, { name: typed });
      return;
    }
    const own = groupOf(matches[0].propertyId, matches[0]);
    own.querySelector('[data-cards]').append(...group.querySelector('[data-cards]').children);
    known.delete(key);
    group.remove();
    renumber(own);
    own.querySelector('button')?.focus();
  } catch ({ message }) {
    problem.textContent = message;
  }
}

/** The folder of a file, or its name without its number: files that are alike are given to a property together. */
function kindOf(path) {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? withoutNumber(path.replace(/\.[^.]*$/, '')) || path : path.slice(0, cut);
}

function withoutNumber(name) {
  return name.replace(/[\s_.-]{0,8}\(?\d{0,8}\)?$/, '');
}

async function take(files) {
  const chosen = files.filter(({ path }) => isMeant(path));
  const pictures = chosen
    .filter(({ file }) => isPicture(file.name))
    .toSorted((a, b) => inOrder.compare(a.path, b.path));
  const taken = pictures.slice(0, settings.filesMax);
  if (pictures.length > taken.length)
    status.textContent = filled(texts.tooManyFiles, { max: settings.filesMax });
  else
    status.textContent =
      chosen.length > taken.length ? filled(texts.leftOut, { count: chosen.length - taken.length }) : '';
  if (taken.length === 0) return;
  try {
    const names = taken.map(({ path }) => path.replaceAll(/[\r\n]/g, ' ')).join('\n');
    const { matches } = await ask(settings.match, [['names', names]]);
    for (const [index, { file, path }] of taken.entries()) {
      const kind = kindOf(path);
      const match = matches[index];
      const group = match === null ? groupOf(`?${kind}`, { name: kind }) : groupOf(match.propertyId, match);
      const card = cardOf('sent-card');
      group.querySelector('[data-cards]').append(card);
      uploads.add(file, card, (picture) => show(card, picture));
    }
  } catch ({ message }) {
    status.textContent = message;
  }
}

function show(sent, { src, width, height }) {
  const group = sent.closest('.group');
  if (cardsOf(group).some((card) => card.dataset.src === src)) return texts.twice;
  const card = cardOf('new-card');
  Object.assign(card.dataset, { src, width, height });
  thumbOf(card, settings, src);
  sent.replaceWith(card);
  renumber(group);
  return undefined;
}

async function save() {
  if (uploads.isBusy) {
    status.textContent = texts.saveWaits;
    await uploads.idle();
  }
  const pictures = all().flatMap((group) =>
    group.dataset.property === undefined
      ? []
      : cardsOf(group).map(({ dataset: { src, width, height } }) => [
          'picture',
          [group.dataset.property, src, width, height].join(' '),
        ]),
  );
  if (pictures.length === 0) {
    status.textContent = texts.nothing;
    return;
  }
  try {
    const { properties } = await ask(settings.save, pictures);
    for (const { propertyId, added, reason } of properties) {
      const group = known.get(propertyId);
      group.querySelector('[data-problem]').textContent = reason ?? '';
      if (reason !== null) continue;
      for (const card of cardsOf(group)) card.remove();
      const link = document.createElement('a');
      link.href = `${settings.edit}${encodeURIComponent(propertyId)}/edit`;
      link.textContent = filled(texts.saved, { count: added });
      group.querySelector('[data-about]').replaceChildren(link);
      group.classList.add('done');
      if (group.querySelector('.sent') === null) known.delete(propertyId);
    }
    const left = all().filter((group) => cardsOf(group).length > 0 || group.querySelector('.sent') !== null);
    status.textContent = left.length === 0 ? texts.allSaved : filled(texts.someLeft, { count: left.length });
  } catch ({ message }) {
    status.textContent = message;
  }
}

place.hidden = false;
for (const input of place.querySelectorAll('input[type=file]'))
  input.addEventListener('change', () => {
    void take([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
    input.value = '';
  });
takeDropped(place, (transfer) => void filesIn(transfer).then(take));
place.querySelector('[data-save]').addEventListener('click', () => void save());
addEventListener('beforeunload', (event) => {
  if (uploads.isBusy || all().some((group) => cardsOf(group).length > 0)) event.preventDefault();
});
