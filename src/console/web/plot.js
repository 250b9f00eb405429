// Draws columns of the table of numbers by day as lines. The table stays: it has the same numbers.
import uPlot from './uplot.js';

const HEIGHT = 260;
const COLOURS = {
  light: ['#0b5c8a', '#7a4b00', '#17653a', '#8a2b76', '#a3231b', '#565f6c', '#1a2029'],
  dark: ['#7cc4ee', '#f0c070', '#7fd3a0', '#e39bd3', '#ff9a90', '#a2acb9', '#e6e9ee'],
};
const DASHES = [[], [8, 4], [2, 3], [12, 3, 3, 3], [5, 5], [1, 5], [14, 6]];
/** Between the lines of a grid: seconds of whole days, and counts. */
const DAY_STEPS = [1, 2, 7, 14, 28].map((count) => count * 86400);
const COUNT_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6, 1e7, 1e8];
const dark = matchMedia('(prefers-color-scheme: dark)');

for (const box of document.querySelectorAll('[data-plot]')) {
  const table = document.querySelector('.by-day table');
  if (table) start(box, table);
}

function start(box, table) {
  const place = document.createElement('div');
  place.className = 'plot';
  place.setAttribute('role', 'img');

  box.prepend(place);
  const { names, days, columns } = read(table, box.dataset);
  place.setAttribute('aria-label', `${table.caption.textContent.trim()}: ${names.join(', ')}`);
  let plot;
  const draw = () => {
    plot?.destroy();
    plot = new uPlot(options(names, place.clientWidth), [days, ...columns], place);
  };
  draw();
  dark.addEventListener('change', draw);
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place);
}

/** Columns of the table, ascending by day; a day that the table leaves out is a gap, as on Today. */
function read(table, { plot, from, to }) {
  const picked = plot.split(' ').map(Number);
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const byDay = new Map(
    [...table.tBodies[0].rows].map((row) => [row.querySelector('time').dateTime, row.cells]),
  );
  const days = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) days.push(day / 1000);
  const count = (seconds, column) => {
    const cells = byDay.get(new Date(seconds * 1000).toISOString().slice(0, 10));
    return cells === undefined ? null : Number(cells[column + 1].textContent);
  };
  return {
    names: picked.map((column) => heads[column].textContent.trim()),
    days,
    columns: picked.map((column) => days.map((day) => count(day, column))),
  };
}

/** Places of counts between two gaps, which no line would show. */
function lonePoints(plot, series) {
  const counts = plot.data[series];
  const isLone = (count, place) => count !== null && counts[place - 1] == null && counts[place + 1] == null;
  return counts.flatMap((count, place) => (isLone(count, place) ? [place] : []));
}

function options(names, width) {
  const style = getComputedStyle(document.documentElement);
  const [ink, line] = ['--muted', '--line'].map((name) => style.getPropertyValue(name).trim());
  const colours = dark.matches ? COLOURS.dark : COLOURS.light;
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const { lang } = document.documentElement;
  const days = new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const dayText = (seconds) => days.format(new Date(seconds * 1000));
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(high, 1)] } },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map(dayText), incrs: DAY_STEPS },
      { ...axis, incrs: COUNT_STEPS, size: 60 },
    ],
    series: [
      {
        label: document.querySelector('.by-day th').textContent.trim(),
        value: (_plot, seconds) => (seconds == null ? '–' : dayText(seconds)),
      },
      ...names.map((label, index) => ({
        label,
        value: (_plot, count) => count ?? '–',
        width: 2,
        stroke: colours[index % colours.length],
        dash: DASHES[index % DASHES.length],
        points: { show: true, filter: lonePoints },
      })),
    ],
  };
}
