/** The heat-map: types by nights, month by month, a letter and a colour each. A cell is the link to its night. */
import { formatLocalDate, getLocalDate } from '../../../domain/local-date.ts';
import { NIGHT_STATES, type NightState } from '../../../domain/night-state.ts';
import type { Locale } from '../../../domain/property.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { NIGHT_FIGURES, type PropertyShown } from './read.ts';
import { Html, html } from '../../../http/html/html.ts';
import { hrefOf, type PageView } from '../../web/elements.ts';
import { NIGHT_STATE_TEXTS, PROPERTY_TEXTS } from './messages.ts';

export function heatMap(view: PageView, shown: PropertyShown): Html {
  const { messages, locale } = view;
  const property = shown.rows;
  const { letters, states } = NIGHT_STATE_TEXTS[locale];
  const { caption, hint, earlierMonths, laterMonths } = PROPERTY_TEXTS[locale];
  const names = Object.fromEntries(property.inventoryTypes.map((type) => [type.inventoryTypeId, type.name]));
  const used = NIGHT_STATES.filter((state) =>
    property.inventoryTypes.some(({ nights }) => nights.some((row) => row.state === state)),
  );
  return html`<ul class="legend">
      ${used.map((state) => html`<li><b class="s-${state}">${letters[state]}</b> ${states[state]}</li>`)}
    </ul>
    <p class="fine">${caption}</p>
    ${figureSwitch(view, shown)}
    <div class="overview">
      <div class="heat-box">
        <table
          class="heat${shown.show && ' figures'}"
          data-night="${messages.nights(1)}"
          data-nights="${messages.nights(2).replace('2', '#')}"
          data-words="${JSON.stringify(states)}"
          data-names="${JSON.stringify(names)}"
        >
          <caption class="sr-only">
            ${caption}
          </caption>
          ${monthRows(locale, letters, shown)}
        </table>
        <p class="months" hidden>
          <button type="button" class="quiet">${earlierMonths}</button>
          <button type="button" class="quiet">${laterMonths}</button>
        </p>
      </div>
      <p class="heat-night fine">${hint}</p>
    </div>`;
}

/** Links: what the cells show is in the address, so it works without script. */
function figureSwitch(view: PageView, { show, currency, rows }: PropertyShown): Html {
  const { showInCells, figures, figureNote } = PROPERTY_TEXTS[view.locale];
  const path = pathOf('properties', rows.propertyId);
  const links = (['state', ...NIGHT_FIGURES] as const).map((name) => {
    const isShown = name === (show ?? 'state');
    const href = hrefOf(view, name === 'state' ? path : withQuery(path, { show: name }));
    return html`<a href="${href}" ${isShown && html`aria-current="true"`}>${figures[name]}</a> `;
  });
  return html`<p class="switch">${showInCells}: ${links} ${show && figureNote[show](currency)}</p>`;
}

type Letters = Readonly<Record<NightState, string>>;
const NO_STOP = ' tabindex="-1"';

function monthRows(locale: Locale, letters: Letters, shown: PropertyShown): readonly Html[] {
  const { propertyId, firstNight, lastNight, inventoryTypes } = shown.rows;
  const title = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const first = getLocalDate(firstNight);
  const dates = datesOf(firstNight, lastNight);
  // Thousands of cells: ids, dates and letters have no character that HTML or a URL escapes.
  const rows = inventoryTypes.map(({ inventoryTypeId: type, name, nights }, row) => ({
    name,
    cells: nights.flatMap(({ dateFrom, dateTo, state }) => {
      const start = `<td data-type="${type}" data-state="${state}" data-date="`;
      const href = `"><a href="${propertyId}/nights/${type}/`;
      const from = getLocalDate(dateFrom) - first;
      const own = dates.slice(from, getLocalDate(dateTo) - first + 1);
      const figures = shown.figures[row];
      return own.map((date, index) => {
        const text = figures === undefined ? letters[state] : (figures[from + index] ?? '–');
        const look = isWeekend(date) ? '" class="we"' : '"';
        return `${start}${date}${href}${date}${look}${NO_STOP}>${text}</a></td>`;
      });
    }),
  }));
  // The one stop of Tab is the first cell.
  rows[0]?.cells.splice(0, 1, rows[0].cells[0]!.replace(NO_STOP, ''));
  return [...Map.groupBy(dates, (date) => date.slice(0, 7))].map(([month, own]) => {
    const from = getLocalDate(own[0]!) - first;
    const days = own.map(
      (date) => html`<th${isWeekend(date) && html` class="we"`} scope="col">${Number(date.slice(8))}</th>`,
    );
    const rowOf = ({ name, cells }: (typeof rows)[number]): Html =>
      html`<tr>
        <th scope="row"><bdi>${name}</bdi></th>
        ${new Html(cells.slice(from, from + own.length).join(''))}
      </tr>`;
    return html`<tbody class="from-${Number(own[0]!.slice(8))} on-${weekdayOf(own[0]!)}">
      <tr>
        <th scope="rowgroup">${title.format(new Date(month))}</th>
        ${days}
      </tr>
      ${rows.map(rowOf)}
    </tbody> `;
  });
}

function datesOf(first: string, last: string): readonly string[] {
  const from = getLocalDate(first);
  return Array.from({ length: getLocalDate(last) - from + 1 }, (_, index) => formatLocalDate(from + index));
}

/** Monday is 1. */
function weekdayOf(date: string): number {
  return new Date(date).getUTCDay() || 7;
}

/** Saturdays and Sundays. */
function isWeekend(date: string): boolean {
  return weekdayOf(date) > 5;
}
