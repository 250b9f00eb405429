/** The heat-map: types by nights, month by month, a letter and a colour each. A cell is the link to its night. */
import { formatLocalDate, getLocalDate } from '../../domain/local-date.ts';
import { NIGHT_STATES, type NightState } from '../../domain/night-state.ts';
import type { Locale } from '../../domain/property.ts';
import type { PropertyPage } from '../../console/property.ts';
import { Html, html } from '../kit/html.ts';
import type { PageView } from './elements.ts';

export function heatMap({ messages }: PageView, property: PropertyPage): Html {
  const { letters, states } = messages.night;
  const { caption, hint } = messages.property;
  const names = Object.fromEntries(property.inventoryTypes.map((type) => [type.inventoryTypeId, type.name]));
  const used = NIGHT_STATES.filter((state) =>
    property.inventoryTypes.some(({ nights }) => nights.some((row) => row.state === state)),
  );
  return html`<ul class="legend">
      ${used.map((state) => html`<li><b class="s-${state}">${letters[state]}</b> ${states[state]}</li>`)}
    </ul>
    <p class="fine">${caption}</p>
    <div>
      <div class="heat-box">
        <table class="heat" data-words="${JSON.stringify(states)}" data-names="${JSON.stringify(names)}">
          <caption class="sr-only">
            ${caption}
          </caption>
          ${monthRows(messages.locale, letters, property)}
        </table>
      </div>
      <p class="heat-night fine">${hint}</p>
    </div>`;
}

type Letters = Readonly<Record<NightState, string>>;
const NO_STOP = ' tabindex="-1"';

function monthRows(locale: Locale, letters: Letters, property: PropertyPage): readonly Html[] {
  const { propertyId, firstNight, lastNight, inventoryTypes } = property;
  const title = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const first = getLocalDate(firstNight);
  const dates = datesOf(firstNight, lastNight);
  // Thousands of cells: ids, dates and letters have no character that HTML or a URL escapes.
  const rows = inventoryTypes.map(({ inventoryTypeId: type, name, nights }) => ({
    name,
    cells: nights.flatMap(({ dateFrom, dateTo, state }) => {
      const start = `<td data-type="${type}" data-state="${state}" data-date="`;
      const end = `"${NO_STOP}>${letters[state]}</a></td>`;
      const href = `"><a href="${propertyId}/nights/${type}/`;
      const own = dates.slice(getLocalDate(dateFrom) - first, getLocalDate(dateTo) - first + 1);
      return own.map((date) => start + date + href + date + end);
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
    return html`<tbody>
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

/** Saturdays and Sundays. */
function isWeekend(date: string): boolean {
  return new Date(date).getUTCDay() % 6 === 0;
}
