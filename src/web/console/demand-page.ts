/** `/console/demand`: what was searched and could not be met. */
import { type CityDemand, type DemandShown, OTHER_NAME, type UnmetEntry } from '../../console/demand.ts';
import { withQuery } from '../../console/paths.ts';
import { formatLocalDate, mondayOf } from '../../domain/local-date.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { commandText, dateText, headedTable, type PageView, shellCommand } from './elements.ts';
import type { PageParts } from './frame.ts';

const PATH = '/console/demand';
const UNMET_SHOWN = 40;
const CAUSES_SHOWN = 5;

export function demandPage(view: PageView, shown: DemandShown): PageParts {
  const { demand: texts, bar } = view.messages;
  const { asked, cities, leftOut, rows } = shown;
  const { from, to } = asked;
  const isCut = leftOut.cities + leftOut.weeks > 0;
  const unknown = headedTable(
    view,
    {
      ...{ ...texts.unknown, rows: rows.unknown },
      cells: ({ text: place, searches }) => ({ place, searches }),
    },
    html`<p class="fine">${commandText(shellCommand('demand --unknown', { from, to }))}</p>`,
  );
  return {
    title: bar.demand,
    main: html`${elements.daysForm(view, PATH, asked)}
    ${cities.length === 0 ? html`<p>${texts.noSearches}</p>` : shareMap(view, shown)}
    ${isCut && html`<p class="fine">${texts.leftOut(leftOut.cities, leftOut.weeks)}</p>`}
    ${unmetTable(view, shown)} ${unknown}`,
    command: shellCommand('demand', asked),
  };
}

function shareMap(view: PageView, { weeks, cities }: DemandShown): Html {
  const { demand: texts, words } = view.messages;
  const monday = (week: string): string => dateText(view, formatLocalDate(mondayOf(week)));
  const heads = [words.city, texts.all, ...weeks.map((week) => html`${week} <small>${monday(week)}</small>`)];
  const rows = cities.map((city) => cityRow(view, weeks, city));
  return html`<h2>${texts.map}</h2>
    <p class="fine">${texts.mapWhy}</p>
    ${elements.scrolling(texts.map, heads, rows, 'share')}`;
}

function cityRow(view: PageView, weeks: readonly string[], city: CityDemand): Html {
  const { city: name, country, byWeek } = city;
  const link = elements.linkTo(view, withQuery(PATH, { city: name, country }), name);
  const cells = weeks.map((week) => shareCell(view, week, byWeek.get(week)));
  return html`<tr data-city="${name}" data-country="${country}">
    <th scope="row"><bdi>${name === OTHER_NAME ? name : link}</bdi> ${country}</th>
    ${shareCell(view, 'all', city)}${cells}
  </tr> `;
}

/** From nothing over up to a quarter, a half and three quarters. */
const SHARE_STEPS = [0, 0.25, 0.5, 0.75];

function shareCell(view: PageView, week: string, sums?: Pick<CityDemand, 'searches' | 'empty'>): Html {
  if (sums === undefined || sums.searches === 0) return html`<td data-week="${week}"></td>`;
  const { searches, empty } = sums;
  const share = empty / searches;
  const step = SHARE_STEPS.filter((bound) => share > bound).length;
  return html`<td class="m${step}" data-week="${week}" data-searches="${searches}" data-empty="${empty}">
    ${Math.round(share * 100)}% <small>${view.messages.demand.of(empty, searches)}</small>
  </td>`;
}

function unmetTable(view: PageView, { rows, asked }: DemandShown): Content {
  const texts = view.messages.demand;
  const command = commandText(shellCommand('demand --unmet', { city: asked.city }));
  const table: elements.DataTableParts<UnmetEntry> = {
    ...{ ...texts.unmet, rows: rows.unmet.slice(0, UNMET_SHOWN) },
    cells: (entry) => {
      const { searches, nearest } = entry;
      const opening = nearest && texts.nearest(dateText(view, nearest.checkIn), nearest.properties);
      return {
        ...stayCells(view, entry),
        searches,
        causes: causesText(view, entry.causes),
        nearest: opening,
      };
    },
  };
  return html`${headedTable(view, table, html`<p class="fine">${texts.unmetWhy} ${command}</p>`)}
  ${rows.unmet.length > UNMET_SHOWN && html`<p>${view.messages.frame.thereAreMore} ${command}</p>`}`;
}

function stayCells(view: PageView, { city, country, checkIn, nights, guests }: UnmetEntry) {
  const { messages } = view;
  if (checkIn === null || nights === null || guests === null)
    return { city: html`${messages.demand.otherStays}`, arrival: null, stay: null };
  return {
    city: html`<bdi>${city}</bdi>, ${country}`,
    arrival: checkIn,
    stay: `${messages.nights(nights)}, ${messages.guests(guests)}`,
  };
}

/** `sold out (pms): 3; minimum stay is longer: 1` */
function causesText({ messages }: PageView, causes: UnmetEntry['causes']): Content | null {
  if (causes.length === 0) return null;
  const texts = causes.slice(0, CAUSES_SHOWN).map(({ rule, source, properties }, index) => {
    const by = source !== null && html` (<bdi>${source}</bdi>)`;
    return html`${index > 0 && '; '}${messages.unmet[rule]}${by}: ${properties}`;
  });
  return [texts, causes.length > CAUSES_SHOWN && '; …'];
}
