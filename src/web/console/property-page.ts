/** `/console/properties/ID`: its nights as a heat-map, what a person can do about them, and who speaks for them. */
import type { PageQuestion } from '../../console/console-page.ts';
import { type Done, readDone } from '../../console/property-acts.ts';
import type { PropertyPage, PropertyShown } from '../../console/property.ts';
import { pathOf } from '../../console/paths.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { codeText, type Content, type Html, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { actForm, field, headedTable, type PageView } from './elements.ts';
import { feedTable } from './feed-table.ts';
import type { PageParts } from './frame.ts';
import { HEAT_MAP_SCRIPT, heatMap } from './heat-map.ts';

const OPPOSITE = { close: 'open', open: 'close' } as const;

export function propertyPage(view: PageView, shown: PropertyShown, { query }: PageQuestion): PageParts {
  const { rows: property, nextPath } = shown;
  const { property: texts, bar, words } = view.messages;
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
      <h2>${words.nights}</h2>
      ${heatMap(view, property)} ${elements.nextLink(view, nextPath)}
      <h2>${texts.stay}</h2>
      ${stayForm(view, propertyId, new URLSearchParams(), property.today)}
      ${elements.mayAct(view, 'operator') && nightForms(view, property)} ${closedTable(view, property)}
      ${sourceTables(view, property)}`,
    command: `property show ${propertyId}`,
    scripts: [HEAT_MAP_SCRIPT.path],
  };
}

/** Who speaks for the nights, and who is told of them. */
function sourceTables(view: PageView, { propertyId, confirmed, feeds, calendars }: PropertyPage): Content {
  const texts = view.messages.property;
  const option = `--property ${propertyId} --type TYPE`;
  const sources = headedTable(view, {
    ...{ ...texts.confirmed, rows: confirmed },
    cells: ({ source, confirmedAt: calendarConfirmed }) => ({ source, calendarConfirmed }),
  });
  const calendarTable = headedTable(view, {
    ...{ caption: texts.published, rows: calendars },
    cells: ({ inventoryTypeId: type, publishedAt: published }) => ({ type, published }),
    empty: [texts.notPublished, ' ', elements.commandText(`ical publish ${option}`)],
  });
  return html`${sources}
    <h2>${view.messages.feeds.caption}</h2>
    ${feedTable(view, feeds, `ical subscribe ${option} --url URL`)} ${calendarTable}`;
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
    ${form && elements.mayAct(view, 'operator') && actForm(view, { ...form, look: 'quiet' })}
  </div>`;
}

/** `query` has what was asked before; `min` is the first day that may be asked for. */
export function stayForm(view: PageView, propertyId: string, query: URLSearchParams, min?: string): Html {
  const date = (name: 'checkIn' | 'checkOut'): Html =>
    field(view, name, { type: 'date', name, value: query.get(name) ?? '', min, required: true });
  const guests = { type: 'number', name: 'guests', min: 1, max: STAY_GUESTS_MAX, required: true } as const;
  const inputs = [
    ...[date('checkIn'), date('checkOut')],
    field(view, 'guests', { ...guests, value: query.get('guests') ?? '2' }),
  ];
  const path = `${pathOf('properties', propertyId)}/explain`;
  return elements.askForm(view, path, inputs, view.messages.property.explain);
}

function nightForms(view: PageView, { propertyId, today: min, inventoryTypes }: PropertyPage): Html {
  const { allTypes, acts } = view.messages.property;
  const types = inventoryTypes.map((type) => [type.inventoryTypeId, type.name] as const);
  // With one type there is nothing to choose, and all of them is the same.
  const choices = types.length > 1 ? [...types, ['', allTypes] as const] : types;
  const inputs = [
    elements.choice(view, 'type', choices),
    field(view, 'firstNight', { type: 'date', name: 'from', min, required: true }),
    field(view, 'lastNight', { type: 'date', name: 'to', min, required: true }),
  ];
  const forms = (['close', 'open'] as const).map((act) => {
    const path = `${pathOf('properties', propertyId)}/${act}`;
    return html`<section>
      <h3>${acts[act]}</h3>
      ${actForm(view, { act, path, inputs, button: acts[act] })}
    </section>`;
  });
  return html`<div class="acts">${forms}</div>`;
}

function closedTable(view: PageView, { propertyId, inventoryTypes }: PropertyPage): Content {
  const { closed, acts } = view.messages.property;
  const mayAct = elements.mayAct(view, 'operator');
  const path = `${pathOf('properties', propertyId)}/open`;
  return headedTable(view, {
    ...closed,
    rows: inventoryTypes.flatMap((type) => type.closedManually.map((nights) => ({ type, nights }))),
    cells: ({ type, nights }) => {
      const fields = { type: type.inventoryTypeId, from: nights.dateFrom, to: nights.dateTo };
      const form = actForm(view, { act: 'open', path, fields, button: acts.open, look: 'quiet' });
      return {
        ...{ type: elements.named(type.name), nights: elements.nightsText(view, nights) },
        ...(mayAct && { takeBack: form }),
      };
    },
  });
}
