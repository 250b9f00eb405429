/** The heat-map: types by nights, month by month, a letter and a colour each. A cell is the link to its night. */
import { type EpochDay, formatLocalDate, getLocalDate } from '../../domain/local-date.ts';
import { NIGHT_STATES, type NightState } from '../../domain/night-state.ts';
import type { Locale } from '../../domain/property.ts';
import type { PropertyPage, PropertyType } from '../../console/property.ts';
import { Html, html } from '../kit/html.ts';
import { consoleAsset } from './asset.ts';
import type { PageView } from './elements.ts';

/** Loaded by the page beside its HTML; the name has the content's hash. */
export const HEAT_MAP_SCRIPT = consoleAsset('heat-map.js');

export function heatMap({ messages }: PageView, property: PropertyPage): Html {
  const { letters, states } = messages.night;
  const { caption, hint } = messages.heatMap;
  const names = Object.fromEntries(property.inventoryTypes.map((type) => [type.inventoryTypeId, type.name]));
  const used = NIGHT_STATES.filter((state) =>
    property.inventoryTypes.some(({ nights }) => nights.some((row) => row.state === state)),
  );
  return html`<ul class="legend">
      ${used.map((state) => html`<li><b class="s-${state}">${letters[state]}</b> ${states[state]}</li>`)}
    </ul>
    <p class="fine">${caption}</p>
    <div class="heat-box">
      <table class="heat" data-words="${JSON.stringify(states)}" data-names="${JSON.stringify(names)}">
        <caption class="sr-only">
          ${caption}
        </caption>
        ${monthRows(messages.locale, letters, property)}
      </table>
    </div>
    <p class="heat-night fine">${hint}</p>`;
}

type Letters = Readonly<Record<NightState, string>>;

/**
 * Thousands of cells in one pass, from texts that are made once for each type and state: ids, dates and letters have no
 * character that HTML or a URL escapes.
 */
function monthRows(locale: Locale, letters: Letters, property: PropertyPage): Html {
  const { propertyId, firstNight, lastNight, inventoryTypes } = property;
  const first = getLocalDate(firstNight);
  const title = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const rows = inventoryTypes.map((type) => ({
    head: html`<th scope="row"><bdi>${type.name}</bdi></th>`.text,
    states: statesOf(type, first),
    cell: makeCell(propertyId, type, letters),
  }));
  let text = '';
  for (const { dates, from } of monthsOf(first, getLocalDate(lastNight))) {
    const month = dates[0]!.slice(0, 7);
    const before = Number(dates[0]!.slice(8)) - 1;
    const gap = before === 0 ? '' : `<td colspan="${before}"></td>`;
    text += `<tbody><tr><th scope="rowgroup">${title.format(new Date(`${month}-01`))}</th>`;
    for (let day = 1; day <= before + dates.length; day += 1)
      text += `<th${isWeekend(from - before - 1 + day) ? ' class="we"' : ''} scope="col">${day}</th>`;
    text += '</tr>';
    for (const { head, states, cell } of rows) {
      text += `<tr>${head}${gap}`;
      for (let index = 0; index < dates.length; index += 1)
        text += cell(dates[index]!, states[from - first + index]!);
      text += '</tr>\n';
    }
    text += '</tbody>\n';
  }
  // The one stop of Tab is the first cell.
  return new Html(text.replace(NO_STOP, ''));
}

const NO_STOP = ' tabindex="-1"';

/** From the first night of each month that is shown, with the dates of those that are. */
function monthsOf(first: EpochDay, last: EpochDay) {
  const nights = Array.from({ length: last - first + 1 }, (_, index) => ({
    ...{ night: first + index, date: formatLocalDate(first + index) },
  }));
  return [...Map.groupBy(nights, ({ date }) => date.slice(0, 7)).values()].map((own) => ({
    ...{ from: own[0]!.night, dates: own.map(({ date }) => date) },
  }));
}

/** Saturdays and Sundays; 1970-01-01 was a Thursday. */
function isWeekend(day: EpochDay): boolean {
  return (day + 5) % 7 < 2;
}

/** One for each night from `first` on. */
function statesOf({ nights }: PropertyType, first: EpochDay): readonly NightState[] {
  const states: NightState[] = [];
  for (const { dateTo, state } of nights)
    for (let last = getLocalDate(dateTo) - first; states.length <= last;) states.push(state);
  return states;
}

function makeCell(propertyId: string, { inventoryTypeId }: PropertyType, letters: Letters) {
  const start = `<td data-type="${inventoryTypeId}" data-date="`;
  const href = `${propertyId}/nights/${inventoryTypeId}/`;
  const middles = eachState((state) => `" data-state="${state}"><a href="${href}`);
  const ends = eachState((state) => `"${NO_STOP}>${letters[state]}</a></td>`);
  return (date: string, state: NightState): string => start + date + middles[state] + date + ends[state];
}

function eachState(make: (state: NightState) => string): Readonly<Record<NightState, string>> {
  return Object.fromEntries(NIGHT_STATES.map((state) => [state, make(state)])) as Record<NightState, string>;
}
