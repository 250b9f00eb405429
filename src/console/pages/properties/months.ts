/**
 * One inventory type by month: weeks below their weekdays, the price in the cell of its night, grey for what is not for
 * sale. A cell is the link to its night.
 */
import { formatLocalDate, getLocalDate } from '../../../domain/local-date.ts';
import type { NightState } from '../../../domain/night-state.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { type Content, Html, html } from '../../../http/html/html.ts';
import { hrefOf, nightsText, type PageView } from '../../web/elements.ts';
import type { PropertyShown } from './read.ts';
import { MONTH_TEXTS, PROPERTY_TEXTS } from './messages.ts';

/** The id of the night that is the stop of Tab. */
export const FIRST_NIGHT_ID = 'first-night';

export function monthView(view: PageView, shown: PropertyShown): Html {
  const { earlierMonths, laterMonths, monthHint, tapHint } = PROPERTY_TEXTS[view.locale];
  return html`<div>
    ${typeSwitch(view, shown)} ${minimumStays(view, shown)}
    <div class="calendar" data-type="${shown.month.inventoryTypeId}">
      <div class="months-of">${months(view, shown)}</div>
      <p class="months" hidden>
        <button type="button" class="quiet">${earlierMonths}</button>
        <button type="button" class="quiet">${laterMonths}</button>
      </p>
      <p class="heat-night fine">${monthHint}</p>
      <p class="tap-hint fine">${tapHint}</p>
    </div>
  </div>`;
}

/** Links: which type is shown is in the address, so it works without script. */
function typeSwitch(view: PageView, { rows, month, show }: PropertyShown): Content {
  const { propertyId, inventoryTypes } = rows;
  if (inventoryTypes.length === 1) return false;
  const links = inventoryTypes.map(({ inventoryTypeId, name }) => {
    const path = withQuery(pathOf('properties', propertyId), { type: inventoryTypeId, show });
    const isShown = inventoryTypeId === month.inventoryTypeId;
    return html`<a href="${hrefOf(view, path)}" ${isShown && html`aria-current="true"`}
      ><bdi>${name}</bdi></a
    > `;
  });
  return html`<p class="switch">${view.messages.words.inventoryType}: ${links}</p>`;
}

/** Said once for all their nights. */
function minimumStays(view: PageView, { month }: PropertyShown): Content {
  const { minimum, more } = MONTH_TEXTS[view.locale];
  const { minStays, moreMinStays } = month;
  if (minStays.length === 0) return false;
  const said = minStays.map(({ nightCount, ...nights }) =>
    minimum(view.messages.nights(nightCount), nightsText(view, nights)),
  );
  return html`<p class="fine" data-minimum-stays>
    ${said.map((text) => html`<span>${text}</span> `)}${moreMinStays > 0 && more(moreMinStays)}
  </p>`;
}

const NO_STOP = ' tabindex="-1"';
/** States of nights that are for sale. */
const FOR_SALE: ReadonlySet<NightState> = new Set(['open', 'restricted']);

function months(view: PageView, { rows, month, currency }: PropertyShown): readonly Html[] {
  const { locale } = view;
  const { inventoryTypeId: type, states, prices } = month;
  const first = getLocalDate(rows.firstNight);
  const title = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const price = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 });
  const { words } = MONTH_TEXTS[locale];
  const cells = states.map((state, index) => {
    const date = formatLocalDate(first + index);
    const amount = prices[index];
    const isPriced = FOR_SALE.has(state) && typeof amount === 'number';
    // Without its blank, `120 €` stays on one line of a phone.
    const text = isPriced ? price.format(amount).replaceAll(/\s/g, '') : words[state];
    const stop = index === 0 ? ` id="${FIRST_NIGHT_ID}"` : NO_STOP;
    // Ids, dates and states have no character that HTML or a URL escapes.
    return `<td data-night="${date}" data-look="${state}"><a href="${rows.propertyId}/nights/${type}/${date}"${stop}><b>${Number(date.slice(8))}</b> <span>${html`${text}`.text}</span></a></td>`;
  });
  const heads = weekdays(locale);
  return [...Map.groupBy(cells.keys(), (index) => formatLocalDate(first + index).slice(0, 7))].map(
    ([name, own]) => {
      const before = weekdayOf(first + own[0]!) - 1;
      const padded = [
        ...Array.from({ length: before }, () => '<td></td>'),
        ...own.map((index) => cells[index]!),
      ];
      const weeks = Array.from({ length: Math.ceil(padded.length / 7) }, (_none, week) =>
        padded.slice(week * 7, week * 7 + 7).join(''),
      );
      return html`<table class="month" data-month="${name}">
        <caption>
          ${title.format(new Date(name))}
        </caption>
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${weeks.map(
            (week) =>
              html`<tr>
                ${new Html(week)}
              </tr>`,
          )}
        </tbody>
      </table> `;
    },
  );
}

/** From Monday on; the first day of the count, 1970-01-01, was a Thursday. */
function weekdays(locale: PageView['locale']): readonly Html[] {
  const name = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const monday = Date.UTC(1970, 0, 5);
  return Array.from(
    { length: 7 },
    (_none, day) => html`<th scope="col">${name.format(monday + day * 86_400_000)}</th>`,
  );
}

/** Monday is 1. */
function weekdayOf(day: number): number {
  return ((day + 3) % 7) + 1;
}
