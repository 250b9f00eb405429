/**
 * The nights of a property where scripts run: arrows go from night to night, a line says which one, and Space, a click
 * in the months or Shift+click in the year fills the dates of the forms. Each cell is a link, so that without script the
 * page is whole.
 */
const heat = document.querySelector('table.heat');
const calendar = document.querySelector('.calendar');
const panel = document.querySelector('.night-acts');
const words = JSON.parse(heat.dataset.words);
const names = JSON.parse(heat.dataset.names);
const { lang } = document.documentElement;
const longDate = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeZone: 'UTC' });
const shortDate = new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** On a phone there is room for two months. */
const phone = matchMedia('(max-width: 48rem)');
const touch = matchMedia('(hover: none)');
const MONTHS_ON_A_PHONE = 2;
const MONTHS_ON_A_DESK = 4;

/** The night of a cell, in either view. */
function nightOf(link) {
  const { type = calendar.dataset.type, date, state, night, look } = link.closest('td').dataset;
  return { type, date: date ?? night, state: state ?? look };
}

function describe(link) {
  const { type, date, state } = nightOf(link);
  return `${longDate.format(new Date(`${date}T00:00:00Z`))} · ${names[type]}: ${words[state]}`;
}

function moved(date, { days = 0, months = 0 }) {
  const [year, month, day] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last) + days);
  return first.toISOString().slice(0, 10);
}

/** Shows some months at a time; `countOf` says how many, Infinity: all. */
class Months {
  /** Called when other months are shown. */
  onShow = () => {};
  #months;
  #pager;
  #earlier;
  #later;
  #countOf;
  #first = 0;

  constructor(months, pager, countOf) {
    this.#months = [...months];
    this.#pager = pager;
    [this.#earlier, this.#later] = pager.querySelectorAll('button');
    this.#countOf = countOf;
    this.#earlier.addEventListener('click', () => this.show(this.#first - countOf()));
    this.#later.addEventListener('click', () => this.show(this.#first + countOf()));
    phone.addEventListener('change', () => this.show(this.#first));
    this.show(0);
  }

  show(first) {
    const count = this.#countOf();
    this.#first = Math.max(0, Math.min(first, this.#months.length - count));
    const end = this.#first + count;
    for (const [index, month] of this.#months.entries()) month.hidden = index < this.#first || index >= end;
    this.#pager.hidden = this.#months.length <= count;
    this.#earlier.disabled = this.#first === 0;
    this.#later.disabled = end >= this.#months.length;
    this.onShow();
  }

  /** A night of a month that is not shown can't have the focus. */
  reveal(link) {
    const index = this.#months.findIndex((month) => month.contains(link));
    if (!this.#months[index].hidden) return;
    this.show(index < this.#first ? index : index - this.#countOf() + 1);
  }
}

/** A view of nights: one stop of Tab, and keys within. */
class View {
  #root;
  #links;
  #byKey;
  #months;
  #moves;
  #said;

  constructor(root, months, { said, movesOf, isChosenBy }) {
    this.#root = root;
    this.#links = [...root.querySelectorAll('td a')];
    this.#byKey = new Map(this.#links.map((link) => [this.#keyOf(nightOf(link)), link]));
    this.#months = months;
    this.#said = said;
    this.#moves = { ...this.#common(), ...movesOf(this) };
    months.onShow = () => this.#keepStop();
    root.addEventListener('keydown', (event) => this.#press(event));
    root.addEventListener('focusin', ({ target }) => this.#focus(target));
    root.addEventListener('mouseover', ({ target }) => {
      const link = target.closest('td a');
      if (link !== null) said.textContent = describe(link);
    });
    root.addEventListener('click', (event) => {
      const link = event.target.closest('td a');
      // Enter on a link is a click without a count: it opens the night.
      if (link === null || event.detail === 0 || !isChosenBy(event)) return;
      event.preventDefault();
      choose(nightOf(link));
      if (chosen.length === 2) panel.scrollIntoView({ block: 'nearest' });
    });
  }

  #keyOf({ type, date }) {
    return `${type} ${date}`;
  }

  linkAt(type, date) {
    return this.#byKey.get(this.#keyOf({ type, date }));
  }

  /** Where a key leads to; Space chooses, and stays. */
  #common() {
    return {
      ' ': ({ type, date }) => choose({ type, date }),
      ArrowLeft: ({ type, date }) => this.linkAt(type, moved(date, { days: -1 })),
      ArrowRight: ({ type, date }) => this.linkAt(type, moved(date, { days: 1 })),
      PageUp: ({ type, date }) => this.linkAt(type, moved(date, { months: -1 })),
      PageDown: ({ type, date }) => this.linkAt(type, moved(date, { months: 1 })),
      Home: (night) => this.#ofMonth(night).at(0),
      End: (night) => this.#ofMonth(night).at(-1),
    };
  }

  #ofMonth({ type, date }) {
    return this.#links.filter((link) => {
      const night = nightOf(link);
      return night.type === type && night.date.slice(0, 7) === date.slice(0, 7);
    });
  }

  #press(event) {
    const link = event.target.closest('td a');
    const move = this.#moves[event.key];
    if (link === null || move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = move(nightOf(link));
    if (next === undefined) return;
    this.#months.reveal(next);
    next.focus();
  }

  #focus(link) {
    if (!this.#links.includes(link)) return;
    this.#stopAt(link);
    link.setAttribute('aria-label', describe(link));
    this.#said.textContent = describe(link);
  }

  /** The one stop of Tab. */
  #stopAt(link) {
    for (const other of this.#root.querySelectorAll('td a[tabindex="0"], td a:not([tabindex])'))
      other.tabIndex = -1;
    link.tabIndex = 0;
  }

  /** A stop in a month that is not shown could not be reached. */
  #keepStop() {
    const isShown = (link) => link.closest('[hidden]') === null;
    const stop = this.#links.find((link) => link.tabIndex === 0);
    if (stop === undefined || isShown(stop)) return;
    const first = this.#links.find(isShown);
    if (first !== undefined) this.#stopAt(first);
  }

  mark(type, from, to) {
    for (const cell of this.#root.querySelectorAll('td.chosen')) cell.classList.remove('chosen');
    for (let night = from; night <= to; night = moved(night, { days: 1 }))
      this.linkAt(type, night)?.closest('td').classList.add('chosen');
  }

  /** The month of the night, if it is of this view. */
  reveal(type, date) {
    const link = this.linkAt(type, date);
    if (link === undefined) return;
    this.#months.reveal(link);
    this.#stopAt(link);
  }
}

let chosen = [];

/** The first night that is chosen, then the last one; both go into the forms of the panel. */
function choose({ type, date }) {
  chosen = chosen.length === 1 && chosen[0].type === type ? [...chosen, { type, date }] : [{ type, date }];
  const [one, other = one] = chosen.map((night) => night.date);
  const [from, to] = one < other ? [one, other] : [other, one];
  showChosen(type, from, to);
  const values = { type, from, to, checkIn: from, checkOut: moved(to, { days: 1 }) };
  for (const [name, value] of Object.entries(values))
    for (const field of panel.querySelectorAll(`[name="${name}"]:not([type=hidden])`)) field.value = value;
}

/** The panel has the buttons alone: what they act on is said in words. */
function showChosen(type, from, to) {
  for (const view of views) view.mark(type, from, to);
  const days = [from, to].map((date) => new Date(`${date}T00:00:00Z`));
  const count = (days[1] - days[0]) / 86_400_000 + 1;
  const countText = heat.dataset[count === 1 ? 'night' : 'nights'].replace('#', count);
  panel.classList.add('has-nights');
  panel.querySelector('.chosen-nights').textContent =
    `${countText}, ${names[type]}: ${shortDate.formatRange(days[0], days[1])}`;
  const page = panel.querySelector('.chosen-night');
  const link = views.map((view) => view.linkAt(type, from)).find((one) => one !== undefined);
  if (link !== undefined) page.href = link.href;
  page.hidden = count !== 1 || link === undefined;
}

/** The next type of the same month, or beyond the last one the first type of the month after. */
function acrossTypes(view, { type, date }, step) {
  const types = Object.keys(names);
  const next = types.indexOf(type) + step;
  if (next >= 0 && next < types.length) return view.linkAt(types[next], date);
  return view.linkAt(types.at(step > 0 ? 0 : -1), moved(date, { months: step }));
}

const year = new View(
  heat,
  new Months(heat.tBodies, document.querySelector('.overview .months'), () =>
    phone.matches ? MONTHS_ON_A_PHONE : Infinity,
  ),
  {
    said: document.querySelector('.overview .heat-night'),
    movesOf: (view) => ({
      ArrowUp: (night) => acrossTypes(view, night, -1),
      ArrowDown: (night) => acrossTypes(view, night, 1),
    }),
    isChosenBy: (event) => event.shiftKey || touch.matches,
  },
);
const months = new View(
  calendar,
  new Months(calendar.querySelectorAll('.month'), calendar.querySelector('.months'), () =>
    phone.matches ? MONTHS_ON_A_PHONE : MONTHS_ON_A_DESK,
  ),
  {
    said: calendar.querySelector('.heat-night'),
    movesOf: (view) => ({
      ArrowUp: ({ type, date }) => view.linkAt(type, moved(date, { days: -7 })),
      ArrowDown: ({ type, date }) => view.linkAt(type, moved(date, { days: 7 })),
    }),
    isChosenBy: () => true,
  },
);
const views = [months, year];

/** What stands below the nights is folded, unless something was just done or opened there. */
const isDone = document.querySelector('main [role=status].good') !== null;
for (const part of document.querySelectorAll('.below-nights'))
  part.open = isDone || part.querySelector('details[open]') !== null;

/** The nights of a refused form are chosen still, and those that were just changed are in sight. */
function showSent() {
  const form = panel.querySelector('form:has([data-refused])');
  const [type, from, to] = ['type', 'from', 'to'].map((name) => form?.elements[name]?.value ?? '');
  const done = new URLSearchParams(location.search).get('from') ?? '';
  for (const view of views) view.reveal(type || calendar.dataset.type, from || done);
  const isStretch = views.some((view) => view.linkAt(type, from) && view.linkAt(type, to)) && from <= to;
  // A field that is wrong stays in sight.
  const isWrong = form?.querySelector(
    '[name=type][aria-invalid], [name=from][aria-invalid], [name=to][aria-invalid]',
  );
  if (isStretch && !isWrong) showChosen(type, from, to);
}

showSent();
