/**
 * The heat-map where scripts run: arrows go from night to night, a line says which one, and Space or Shift+click fills
 * the dates of the forms. Each cell is a link, so that without script the page is whole.
 */
const table = document.querySelector('table.heat');
const links = [...table.querySelectorAll('td a')];
const said = document.querySelector('.heat-night');
const words = JSON.parse(table.dataset.words);
const names = JSON.parse(table.dataset.names);
const { lang } = document.documentElement;
const longDate = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeZone: 'UTC' });

const cellOf = (link) => link.closest('td');
const nights = links.map((link) => cellOf(link).dataset);
const byKey = new Map(nights.map(({ type, date }, index) => [`${type} ${date}`, links[index]]));
const linkAt = (type, date) => byKey.get(`${type} ${date}`);
const types = [...new Set(nights.map(({ type }) => type))];

function describe(link) {
  const { type, date, state } = cellOf(link).dataset;
  return `${longDate.format(new Date(`${date}T00:00:00Z`))} · ${names[type]}: ${words[state]}`;
}

function moved(date, { days = 0, months = 0 }) {
  const [year, month, day] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last) + days);
  return first.toISOString().slice(0, 10);
}

/** The next type of the same month, or beyond the last one the first type of the month after. */
function acrossTypes(type, date, step) {
  const next = types.indexOf(type) + step;
  if (next >= 0 && next < types.length) return linkAt(types[next], date);
  return linkAt(types.at(step > 0 ? 0 : -1), moved(date, { months: step }));
}

const rowEnd = (link, index) => [...link.closest('tr').querySelectorAll('a')].at(index);

/** On a phone two months at a time, and what stands below the nights is folded, unless something was just done there. */
const phone = matchMedia('(max-width: 48rem)');
const MONTHS_SHOWN = 2;
const months = [...table.tBodies];
const pager = document.querySelector('.months');
const [earlier, later] = pager.querySelectorAll('button');
let firstMonth = 0;

function showMonths(first) {
  firstMonth = Math.max(0, Math.min(first, months.length - MONTHS_SHOWN));
  const end = firstMonth + MONTHS_SHOWN;
  for (const [index, month] of months.entries())
    month.hidden = phone.matches && (index < firstMonth || index >= end);
  pager.hidden = !phone.matches || months.length <= MONTHS_SHOWN;
  earlier.disabled = firstMonth === 0;
  later.disabled = end >= months.length;
}

function fitScreen() {
  showMonths(firstMonth);
  const isDone = document.querySelector('main [role=status].good') !== null;
  for (const part of document.querySelectorAll('.below-nights')) part.open = isDone || !phone.matches;
}

earlier.addEventListener('click', () => showMonths(firstMonth - MONTHS_SHOWN));
later.addEventListener('click', () => showMonths(firstMonth + MONTHS_SHOWN));
phone.addEventListener('change', fitScreen);
fitScreen();

/** A night of a month that is not shown can't have the focus. */
function reveal(link) {
  const index = months.indexOf(link.closest('tbody'));
  if (months[index].hidden) showMonths(index < firstMonth ? index : index - MONTHS_SHOWN + 1);
}

/** Where a key leads to; Space chooses, and stays. */
const MOVES = {
  ' ': (_type, _date, link) => choose(link),
  ArrowLeft: (type, date) => linkAt(type, moved(date, { days: -1 })),
  ArrowRight: (type, date) => linkAt(type, moved(date, { days: 1 })),
  ArrowUp: (type, date) => acrossTypes(type, date, -1),
  ArrowDown: (type, date) => acrossTypes(type, date, 1),
  PageUp: (type, date) => linkAt(type, moved(date, { months: -1 })),
  PageDown: (type, date) => linkAt(type, moved(date, { months: 1 })),
  Home: (_type, _date, link) => rowEnd(link, 0),
  End: (_type, _date, link) => rowEnd(link, -1),
};

/** The one stop of Tab. */
let stop = links.find((link) => link.tabIndex === 0);

table.addEventListener('keydown', (event) => {
  const link = event.target.closest('td a');
  if (link === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const move = MOVES[event.key];
  if (move === undefined) return;
  event.preventDefault();
  const { type, date } = cellOf(link).dataset;
  const next = move(type, date, link);
  if (next === undefined) return;
  reveal(next);
  next.focus();
});

table.addEventListener('focusin', ({ target }) => {
  if (!links.includes(target)) return;
  stop.tabIndex = -1;
  target.tabIndex = 0;
  stop = target;
  target.setAttribute('aria-label', describe(target));
  said.textContent = describe(target);
});

table.addEventListener('mouseover', ({ target }) => {
  const link = target.closest('td a');
  if (link !== null) said.textContent = describe(link);
});

table.addEventListener('click', (event) => {
  const link = event.target.closest('td a');
  if (link === null || !(event.shiftKey || touch.matches)) return;
  event.preventDefault();
  choose(link);
});

/** On a phone a tap chooses; the bar leads to the page of the night. */
const touch = matchMedia('(hover: none)');
const bar = document.querySelector('.night-bar');
let chosen = [];

/** The first night that is chosen, then the last one; both go into the forms of the bar. */
function choose(link) {
  const { type, date } = cellOf(link).dataset;
  chosen = chosen.length === 1 && chosen[0].type === type ? [...chosen, { type, date }] : [{ type, date }];
  const [one, other = one] = chosen.map((night) => night.date);
  const [from, to] = one < other ? [one, other] : [other, one];
  for (const cell of table.querySelectorAll('td.chosen')) cell.classList.remove('chosen');
  for (let night = from; night <= to; night = moved(night, { days: 1 })) {
    cellOf(linkAt(type, night)).classList.add('chosen');
  }
  tell(type, from, to, link);
  const values = { type, from, to, checkIn: from, checkOut: moved(to, { days: 1 }) };
  for (const [name, value] of Object.entries(values)) {
    for (const field of document.querySelectorAll(`main form [name="${name}"]:not([type=hidden])`))
      field.value = value;
  }
}

const shortDate = new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The bar has the buttons alone: what they act on is said in words. */
function tell(type, from, to, link) {
  const days = [from, to].map((date) => new Date(`${date}T00:00:00Z`));
  const count = (days[1] - days[0]) / 86_400_000 + 1;
  const countText = table.dataset[count === 1 ? 'night' : 'nights'].replace('#', count);
  bar.classList.add('has-nights');
  bar.querySelector('.chosen-nights').textContent =
    `${countText}, ${names[type]}: ${shortDate.formatRange(days[0], days[1])}`;
  const page = bar.querySelector('.chosen-night');
  page.href = link.href;
  page.hidden = count !== 1;
}
