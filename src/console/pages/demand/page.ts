/** `/console/demand`: what was searched and could not be met. */
import { pageRow } from '../../web/page-row.ts';
import {
  type CityDemand,
  type DemandShown,
  OTHER_NAME,
  readDemand,
  type UnmetEntry,
  type UnmetStay,
} from './read.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { withWrittenAges } from '../../../domain/child-ages.ts';
import { formatLocalDate, mondayOf } from '../../../domain/local-date.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import * as elements from '../../web/elements.ts';
import {
  commandText,
  dateText,
  headedTable,
  type PageView,
  shellCommand,
  thereAreMore,
} from '../../web/elements.ts';
import { askAct, type PageParts } from '../../web/frame.ts';
import { DEMAND_TEXTS, UNMET_TEXTS } from './messages.ts';

const PATH = '/console/demand';
const CAUSES_SHOWN = 5;

export function demandPage(view: PageView, shown: DemandShown): PageParts {
  const texts = DEMAND_TEXTS[view.locale];
  const { bar, frame } = view.messages;
  const { asked, unread, isCut, rows, stays } = shown;
  const { from, to, city } = asked;
  const command = shellCommand('demand', asked);
  const ofUnmet = shellCommand('demand --unmet', { city });
  const ofUnknown = shellCommand('demand --unknown', { from, to });
  const unmet = {
    caption: texts.unmet,
    rows: (stays?.shown ?? []).map((stay) => unmetCells(view, stay)),
    columns: ['city', 'checkIn', 'stay', 'searches', 'causes', 'whereToOpen', 'nearest'] as const,
  };
  const unknown = { caption: texts.unknown, columns: ['text', 'searches'] as const, rows: rows.unknown };
  return {
    title: bar.demand,
    act: askAct(frame.chooseDays),
    command,
    main: [
      elements.daysForm(view, PATH, asked, unread),
      shareMap(view, shown),
      isCut && thereAreMore(view, command),
      headedTable(view, unmet, html`<p class="fine">${texts.unmetWhy} ${commandText(ofUnmet)}</p>`),
      stays !== undefined && stays.solved > 0 && html`<p class="fine">${texts.solved(stays.solved)}</p>`,
      stays?.isCut === true && thereAreMore(view, ofUnmet),
      headedTable(view, unknown, html`<p class="fine">${commandText(ofUnknown)}</p>`),
    ],
  };
}

function shareMap(view: PageView, { weeks, cities }: DemandShown): Html {
  const texts = DEMAND_TEXTS[view.locale];
  const { words, frame } = view.messages;
  const monday = (week: string): string => dateText(view, formatLocalDate(mondayOf(week)));
  const heads = [words.city, texts.all, ...weeks.map((week) => html`${week} <small>${monday(week)}</small>`)];
  const most = {
    all: Math.max(0, ...cities.map(({ empty }) => empty)),
    week: Math.max(0, ...cities.flatMap(({ byWeek }) => weeks.map((week) => byWeek.get(week)?.empty ?? 0))),
  };
  const rows = cities.map((city) => cityRow(view, weeks, city, most));
  return html`<h2>${texts.map}</h2>
    ${rows.length === 0 ? html`<p>${frame.none}</p>` : elements.scrolling(texts.map, heads, rows, 'share')}`;
}

/** The most searches without a result in one cell. */
interface MostLost {
  readonly all: number;
  readonly week: number;
}

function cityRow(view: PageView, weeks: readonly string[], city: CityDemand, most: MostLost): Html {
  const { city: name, country, byWeek } = city;
  const link = elements.linkTo(view, withQuery(PATH, { city: name, country }), name);
  return html`<tr data-city="${name}" data-country="${country}">
    <th scope="row"><bdi>${name === OTHER_NAME ? name : link}</bdi> ${country}</th>
    ${lostCell(view, 'all', most.all, city)}${weeks.map((week) => lostCell(view, week, most.week, byWeek.get(week)))}
  </tr> `;
}

/** Parts of the most in a cell: from nothing over up to a quarter, a half and three quarters. */
const LOST_STEPS = [0, 0.25, 0.5, 0.75];

/** Shaded by the searches that were lost, not by their share: all of two are fewer than a tenth of a hundred. */
function lostCell(
  view: PageView,
  week: string,
  most: number,
  sums?: Pick<CityDemand, 'searches' | 'empty'>,
): Html {
  if (sums === undefined || sums.searches === 0) return html`<td data-week="${week}"></td>`;
  const { searches, empty } = sums;
  const step = LOST_STEPS.filter((bound) => empty > bound * most).length;
  const demand = DEMAND_TEXTS[view.locale];
  const { decimal } = view.messages;
  const head = week === 'all' ? demand.all : week;
  const counts = html`data-searches="${searches}" data-empty="${empty}"`;
  return html`<td class="m${step}" data-head="${head}" data-week="${week}" ${counts}>
    ${decimal(String(empty))} <small>${demand.of(decimal(String(searches)))}</small>
  </td>`;
}

function unmetCells(view: PageView, { entry, openAt }: UnmetStay) {
  const demand = DEMAND_TEXTS[view.locale];
  const { nights, party } = view.messages;
  const { city, country, checkIn, searches, nearest } = entry;
  const isStay = entry.nights !== null && entry.guests !== null;
  return {
    searches,
    checkIn,
    causes: causesText(view, entry.causes),
    city: isStay ? html`${elements.named(city)}, ${country}` : html`${demand.otherStays}`,
    stay: isStay
      ? `${nights(entry.nights)}, ${party({ guests: entry.guests, ...withWrittenAges(entry.childAges) })}`
      : null,
    whereToOpen:
      openAt.length === 0
        ? ''
        : openAt.map((place, index) => [index > 0 && html`<br />`, openLink(view, place)]),
    nearest: nearest && demand.nearest(dateText(view, nearest.checkIn), nearest.properties),
  };
}

/** Leads to the night that stands in the way. */
function openLink(
  view: PageView,
  { propertyId, inventoryTypeId, date, name }: UnmetStay['openAt'][number],
): Html {
  const path = `${pathOf('properties', propertyId)}/nights/${encodeURIComponent(inventoryTypeId)}/${date}`;
  return elements.linkTo(view, path, html`<bdi>${name}</bdi>, ${dateText(view, date)}`);
}

/** `nights not free, sold out (pms): 3; minimum stay is longer: 1` */
function causesText({ locale }: PageView, causes: UnmetEntry['causes']): Content | null {
  if (causes.length === 0) return null;
  const texts = causes.slice(0, CAUSES_SHOWN).map(({ rule, source, properties }, index) => {
    const by = source !== null && html` (<bdi>${source}</bdi>)`;
    return html`${index > 0 && '; '}${UNMET_TEXTS[locale][rule]}${by}: ${properties}`;
  });
  return [texts, causes.length > CAUSES_SHOWN && '; …'];
}

export const DEMAND_PAGE = pageRow('demand', '/console/demand', readDemand, demandPage);
