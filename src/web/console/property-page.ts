/** `/console/properties/ID`: its nights as a heat-map, what a person can do about them, and who speaks for them. */
import type { PageQuestion } from '../../console/console-page.ts';
import { type Done, readDone } from '../../console/property-acts.ts';
import type { PropertyPage, PropertyShown } from '../../console/property.ts';
import { pathOf } from '../../console/paths.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { codeText, type Content, type Html, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { actForm, headedTable, labelled, type PageView, timeText } from './elements.ts';
import { feedTable } from './feed-table.ts';
import type { PageParts } from './frame.ts';
import { HEAT_MAP_SCRIPT, HEAT_MAP_STYLE, heatMap } from './heat-map.ts';

const OPPOSITE = { close: 'open', open: 'close' } as const;

export function propertyPage(
  view: PageView,
  { rows: property, nextPath }: PropertyShown,
  { query }: PageQuestion,
): PageParts {
  const { property: texts, bar } = view.messages;
  const { propertyId, city, country, timezone } = property;
  const done = readDone(query);
  const place = texts.place(city, country, elements.dateText(view, property.today), timezone);
  return {
    title: property.name,
    main: html`<p>
        ${elements.linkTo(view, '/console/properties', bar.properties)} · ${codeText(propertyId)}
      </p>
      <p>${place} ${texts.source(property.source)}</p>
      ${done && doneNote(view, property, done)}
      <h2>${texts.nights}</h2>
      ${heatMap(view, property)} ${elements.nextLink(view, nextPath)}
      <h2>${texts.stay}</h2>
      ${stayForm(view, propertyId, new URLSearchParams(), property.today)}
      ${elements.mayAct(view, 'operator') && nightForms(view, property)} ${closedTable(view, property)}
      ${sourceTables(view, property)}`,
    command: `property show ${propertyId}`,
    scripts: [HEAT_MAP_SCRIPT.path],
    stylesheets: [HEAT_MAP_STYLE.path],
  };
}

/** Who speaks for the nights, and who is told of them. */
function sourceTables(view: PageView, { propertyId, confirmed, feeds, calendars }: PropertyPage): Content {
  const texts = view.messages.property;
  const option = `--property ${propertyId} --type TYPE`;
  const sources = headedTable({
    ...{ ...texts.confirmed, rows: confirmed },
    cells: ({ source, confirmedAt }) => ({ source: codeText(source), at: timeText(view, confirmedAt) }),
  });
  const published = headedTable({
    ...{ ...texts.published, rows: calendars },
    cells: ({ inventoryTypeId, publishedAt }) => ({ type: inventoryTypeId, at: timeText(view, publishedAt) }),
    empty: [texts.notPublished, ' ', elements.commandText(`ical publish ${option}`)],
  });
  return html`${sources}
    <h2>${view.messages.feeds.caption}</h2>
    ${feedTable(view, feeds, `ical subscribe ${option} --url URL`)} ${published}`;
}

/** What was done, and the form that takes it back. */
function doneNote(view: PageView, { propertyId, inventoryTypes }: PropertyPage, done: Done): Html {
  const texts = view.messages.property;
  const { action, nights, type, isChanged } = done;
  if (!isChanged) return html`<p class="warn" role="status">${texts.unchanged[action]}</p>`;
  const name = inventoryTypes.find((one) => one.inventoryTypeId === type)?.name ?? texts.allTypes;
  const undo = OPPOSITE[action];
  const form = nights && {
    ...{ act: undo, path: `${pathOf('properties', propertyId)}/${undo}`, button: texts.undo },
    fields: { type, from: nights.dateFrom, to: nights.dateTo },
  };
  return html`<div class="good" role="status">
    <p>${texts.did[action]} <bdi>${name}</bdi>${nights && `, ${elements.nightsText(view, nights)}`}</p>
    ${form && actForm(view, { ...form, look: 'quiet' })}
  </div>`;
}

/** `query` has what was asked before; `today` is the first day that may be asked for. */
export function stayForm(view: PageView, propertyId: string, query: URLSearchParams, today?: string): Html {
  const { fields, explain } = view.messages.property;
  const guests = html`<input
    type="number"
    name="guests"
    min="1"
    max="${STAY_GUESTS_MAX}"
    value="${query.get('guests') ?? '2'}"
    required
  />`;
  const inputs = [
    dateInput('checkIn', fields.checkIn, query.get('checkIn') ?? '', today),
    dateInput('checkOut', fields.checkOut, query.get('checkOut') ?? '', today),
    labelled(fields.guests, guests),
  ];
  return elements.askForm(view, `${pathOf('properties', propertyId)}/explain`, inputs, explain);
}

function dateInput(name: string, label: string, value: string, min: string | undefined): Html {
  const bound = min !== undefined && html`min="${min}"`;
  return labelled(label, html`<input type="date" name="${name}" value="${value}" ${bound} required />`);
}

function nightForms(view: PageView, { propertyId, today, inventoryTypes }: PropertyPage): Html {
  const { fields, allTypes, acts } = view.messages.property;
  const options = inventoryTypes.map(
    (type) => html`<option value="${type.inventoryTypeId}">${type.name}</option>`,
  );
  // With one type there is nothing to choose, and all of them is the same.
  const all = inventoryTypes.length > 1 && html`<option value="">${allTypes}</option>`;
  const inputs = [
    labelled(
      fields.type,
      html`<select name="type">
        ${options}${all}
      </select>`,
    ),
    dateInput('from', fields.from, '', today),
    dateInput('to', fields.to, '', today),
  ];
  return html`<div class="acts">
    ${(['close', 'open'] as const).map(
      (act) =>
        html`<section>
          <h3>${acts[act]}</h3>
          ${actForm(view, { act, path: `${pathOf('properties', propertyId)}/${act}`, inputs, button: acts[act] })}
        </section>`,
    )}
  </div>`;
}

function closedTable(view: PageView, { propertyId, inventoryTypes }: PropertyPage): Content {
  const { closed, takeBack, acts } = view.messages.property;
  const mayAct = elements.mayAct(view, 'operator');
  const path = `${pathOf('properties', propertyId)}/open`;
  return headedTable({
    ...closed,
    heads: { ...closed.heads, open: mayAct ? takeBack : undefined },
    rows: inventoryTypes.flatMap((type) => type.closedManually.map((nights) => ({ type, nights }))),
    cells: ({ type, nights }) => {
      const fields = { type: type.inventoryTypeId, from: nights.dateFrom, to: nights.dateTo };
      return {
        type: elements.named(type.name),
        nights: elements.nightsText(view, nights),
        open: actForm(view, { act: 'open', path, fields, button: acts.open, look: 'quiet' }),
      };
    },
  });
}
