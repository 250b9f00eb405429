/** `/console/properties`: all by id, or the results of a search; `/console/properties/ID`: one, with its nights. */
import { formRow, pageRow, PROPERTY_PATH } from '../../web/page-row.ts';
import type { PageQuestion } from '../../reading/console-page.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { editPath, NEW_PATH } from '../property-form/save.ts';
import type { ActShown } from '../../reading/act-forms.ts';
import { secretPage } from '../../web/secret-page.ts';
import * as nightActs from './acts.ts';
import { type Done, readDone } from './acts.ts';
import type { PropertiesShown, PropertyPage, PropertyShown } from './read.ts';
import { readProperties, readProperty, SEARCH_LENGTH_MAX } from './read.ts';
import { OPEN_NIGHTS, type PropertyFigures, type Sort, SORTS } from '../../reading/property-table.ts';
import type { NightState } from '../../../domain/night-state.ts';
import { formatLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { STAY_GUESTS_MAX } from '../../../domain/stay-limits.ts';
import { breakable, codeText, type Content, type Html, html } from '../../../http/html/html.ts';
import { filledForm, foldedForm, withLabels } from '../../web/act-form.ts';
import { HEAT_MAP_SCRIPT, NIGHTS_STYLE } from '../../web/assets.ts';
import * as elements from '../../web/elements.ts';
import { actForm, field, headedTable, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { heatMap } from './heat-map.ts';
import { FIRST_NIGHT_ID, monthView } from './months.ts';
import { importLink } from '../import/page.ts';
import { feedTable } from '../supply/page.ts';
import { PROPERTIES_TEXTS, PROPERTY_TEXTS } from './messages.ts';
import { PROPERTY_FORM_TEXTS } from '../property-form/messages.ts';

const PATH = '/console/properties';

export function propertiesPage(view: PageView, shown: PropertiesShown): PageParts {
  const { search, sort, unread, isSortable, total, rows, figures, nextPath } = shown;
  const texts = PROPERTIES_TEXTS[view.locale];
  const { frame, bar } = view.messages;
  const newText = PROPERTY_FORM_TEXTS[view.locale].create;
  const asked = { type: 'search', value: search, maxlength: SEARCH_LENGTH_MAX };
  const kept = sort !== undefined && html`<input type="hidden" name="sort" value="${sort}" />`;
  const table = elements.dataTable(view, {
    caption: bar.properties,
    columns: ['name', 'city', 'nextNight', 'nightPrice', 'openShare', 'lastChange', 'source'],
    rows: rows.map((row, index) => ({
      ...row,
      name: nameCell(view, row),
      ...figureCells(view, figures[index]),
    })),
  });
  const count = total !== undefined && texts.count(total, elements.numberText(view, total));
  return {
    title: bar.properties,
    act: rows.length > 0 && maySave(view) ? { path: NEW_PATH, text: newText } : undefined,
    main: html`${elements.askForm(view, PATH, [field(view, 'search', asked), kept])}
    ${rows.length > 0 && html`<p>${importLink(view)}</p>`} ${elements.unreadNote(view, unread)}
    ${rows.length > 0 && (isSortable ? sortLinks(view, shown) : html`<p>${texts.tooMany}</p>`)}
    ${rows.length > 0 && html`<p class="fine" ${search !== '' && html` tabindex="-1" autofocus`}>${count && [count, ' ']}${texts.about(OPEN_NIGHTS)}</p>`}
    ${rows.length === 0 && search === '' ? html`<p>${startHere(view)}</p>` : table}
    ${elements.nextLink(view, nextPath)}
    ${search !== '' && html`<p>${elements.linkTo(view, PATH, frame.all)}</p>`}`,
  };
}

function maySave(view: PageView): boolean {
  return elements.mayUse(view, 'property-save');
}

function startHere(view: PageView): Content {
  const texts = PROPERTIES_TEXTS[view.locale];
  const propertyForm = PROPERTY_FORM_TEXTS[view.locale];
  const { frame } = view.messages;
  if (!maySave(view)) return frame.nobodyMay;
  return texts.start(elements.linkTo(view, NEW_PATH, propertyForm.create), importLink(view));
}

function nameCell(view: PageView, { propertyId, name }: PropertiesShown['rows'][number]): Html {
  return html`${elements.linkTo(view, pathOf('properties', propertyId), elements.named(name))}
    <small class="fine">${breakable(propertyId)}</small>`;
}

/** Dashes for a property that disappeared while the page was made. */
function figureCells(view: PageView, figures: PropertyFigures | undefined) {
  if (figures === undefined)
    return { nextNight: null, nightPrice: null, openShare: null, lastChange: null, source: null };
  const { nextNight, price, currency, openNights, ofNights, changedAtMs, source } = figures;
  const amount = price !== null && view.messages.decimal(formatMoney(price));
  return {
    nextNight:
      nextNight === null
        ? PROPERTIES_TEXTS[view.locale].noNight
        : elements.dateElement(view, formatLocalDate(nextNight)),
    nightPrice: amount ? html`<span class="whole">${amount} ${currency}</span>` : null,
    openShare: elements.shareText(view, openNights, ofNights),
    lastChange: elements.timeText(view, new Date(changedAtMs).toISOString()),
    source,
  };
}

const SORT_WORDS = {
  name: 'name',
  next: 'nextNight',
  open: 'openShare',
  price: 'nightPrice',
  changed: 'lastChange',
  source: 'source',
} as const satisfies Readonly<Record<Sort, elements.Word>>;

/** The link of the current order reverses it. */
function sortLinks(view: PageView, { search, sort: shownSort }: PropertiesShown): Html {
  const texts = PROPERTIES_TEXTS[view.locale];
  const { words } = view.messages;
  const hrefOf = (sort: string | undefined): string =>
    elements.hrefOf(view, withQuery(PATH, { search: search === '' ? undefined : search, sort }));
  const links = SORTS.map((sort) => {
    const isRising = shownSort === sort;
    const isShown = isRising || shownSort === `-${sort}`;
    const arrow =
      isShown &&
      html` <span aria-hidden="true">${isRising ? '↑' : '↓'}</span>
        <span class="sr-only">${isRising ? texts.rising : texts.falling}</span>`;
    return html`<a href="${hrefOf(isRising ? `-${sort}` : sort)}" ${isShown && html`aria-current="true"`}
      >${words[SORT_WORDS[sort]]}${arrow}</a
    > `;
  });
  const byId = html`<a href="${hrefOf(undefined)}" ${shownSort === undefined && html`aria-current="true"`}
    >${search === '' ? texts.byId : texts.byMatch}</a
  > `;
  return html`<p class="switch">${words.sort}: ${byId}${links}</p>`;
}

export function propertyPage(view: PageView, shown: PropertyShown, { query }: PageQuestion): PageParts {
  const { rows: property, nextPath } = shown;
  const texts = PROPERTY_TEXTS[view.locale];
  const { words } = view.messages;
  const { propertyId, city, country, timezone, source } = property;
  const done = readDone(query);
  const today = `${elements.dateText(view, property.today)}, ${elements.localClockTime(view, timezone)}`;
  return {
    title: property.name,
    act: { path: `#${FIRST_NIGHT_ID}`, text: texts.toNights, isInPage: true },
    main: html`<p>
        ${query.has('after') ? elements.idLink(view, 'properties', propertyId) : codeText(propertyId)} ·
        ${texts.place(city, country, today, timezone, source)}
      </p>
      <p>
        ${elements.linkTo(view, editPath(propertyId), PROPERTY_FORM_TEXTS[view.locale].change)}
        ${maySave(view) && [' · ', elements.linkTo(view, withQuery(NEW_PATH, { from: propertyId }), PROPERTY_FORM_TEXTS[view.locale].copy)]}
      </p>
      ${done && doneNote(view, property, done)} ${freeNote(view, property)}
      <p class="switch">
        <a href="#${FIRST_NIGHT_ID}">${words.nights}</a> <a href="#year">${texts.wholeYear}</a>
        <a href="#sources">${texts.sourcesAndCalendars}</a>
      </p>
      <h2 id="nights">${words.nights}</h2>
      <div class="by-month">${monthView(view, shown)} ${nightPanel(view, shown)}</div>
      <h2 id="year">${texts.wholeYear}</h2>
      ${heatMap(view, shown)} ${elements.nextLink(view, nextPath)}
      <details class="below-nights" open>
        <summary id="sources">${texts.sourcesAndCalendars}</summary>
        ${sourceTables(view, shown)}
      </details>`,
    command: `property show ${propertyId}`,
    scripts: [HEAT_MAP_SCRIPT.path],
    stylesheets: [NIGHTS_STYLE.path],
  };
}

/** Nights that sell for nothing, by the first of them: often a rate that somebody forgot. */
function freeNote(view: PageView, { inventoryTypes }: PropertyPage): Content {
  const free = inventoryTypes.filter(({ sellForNothing }) => sellForNothing.length > 0);
  if (free.length === 0) return false;
  const texts = PROPERTY_TEXTS[view.locale];
  return free.map(
    ({ inventoryTypeId, name, sellForNothing }) =>
      html`<p class="warn" data-free="${inventoryTypeId}">
        <bdi>${name}</bdi>,
        ${elements.nightsText(view, sellForNothing[0]!)}${sellForNothing.length > 1 && ' …'}:
        ${texts.sellsForNothing}
      </p>`,
  );
}

/** Price, units and minimum stay of the chosen nights. Offers one unit where no type was ever given any. */
function saveForm(view: PageView, { rows: { propertyId, inventoryTypes }, month }: PropertyShown): Content {
  const choices = { type: inventoryTypes.map((one) => [one.inventoryTypeId, one.name] as const) };
  const isNew = inventoryTypes.every(({ nights }) => nights.every(({ state }) => UNITLESS.has(state)));
  const values = { type: month.inventoryTypeId, ...(isNew && { units: '1' }) };
  const button = PROPERTY_TEXTS[view.locale].save;
  return filledForm(view, 'nights-save', pathOf('properties', propertyId), { choices, values, button });
}

/** States of nights whose units nobody has set, or may not have. */
const UNITLESS: ReadonlySet<NightState> = new Set(['past', 'closed', 'not_set_up']);

/** Manual closings, the other sources of the nights, and the systems that read them. */
function sourceTables(view: PageView, { rows: property, failures }: PropertyShown): Content {
  const texts = PROPERTY_TEXTS[view.locale];
  const { propertyId, confirmed, feeds, calendars } = property;
  const path = pathOf('properties', propertyId);
  const choices = { type: property.inventoryTypes.map((one) => [one.inventoryTypeId, one.name] as const) };
  return [
    closedTable(view, property),
    headedTable(view, { caption: texts.sources, columns: ['source', 'confirmedAt'], rows: confirmed }),
    feedTable(view, { feeds, failures }),
    foldedForm(view, 'feed-add', path, { choices, ofPath: ['propertyId'] }),
    headedTable(view, {
      caption: texts.published,
      columns: ['inventoryTypeId', 'publishedAt', 'changes'],
      rows: calendars.map((row) => {
        const fields = { type: row.inventoryTypeId };
        return { ...row, changes: actForm(view, 'unpublish', path, { fields, look: 'quiet' }) };
      }),
      firstAct: 'publish',
    }),
    foldedForm(view, 'publish', path, { choices, ofPath: ['propertyId'] }),
    foldedForm(view, 'property-withdraw', path, { look: 'danger' }),
  ];
}

const OPPOSITE = { close: 'open', open: 'close', 'nights-save': 'nights-save' } as const;

/** The result of the last act, and the form that undoes it. */
function doneNote(view: PageView, { propertyId, inventoryTypes }: PropertyPage, done: Done): Html {
  const texts = PROPERTY_TEXTS[view.locale];
  const { acts } = view.messages;
  const { action, nights, type, isChanged, sellsForNothing, lacksUnits, isMixed, stillClosedBy } = done;
  const name = inventoryTypes.find((one) => one.inventoryTypeId === type)?.name ?? texts.allTypes;
  const said = nights ? elements.nightsText(view, nights) : !isChanged && texts.unchanged;
  const stretch = nights && { type, from: nights.dateFrom, to: nights.dateTo };
  const fields = isMixed ? undefined : stretch && { ...done.before, ...stretch };
  const undo = { button: texts.undo, look: 'quiet' } as const;
  const path = pathOf('properties', propertyId);
  return html`<div class="${isChanged ? 'good' : 'warn'}" tabindex="-1" autofocus role="status">
    <p>${isChanged ? texts.did[action] : acts[action]}: <bdi>${name}</bdi>${said && `, ${said}`}</p>
    ${sellsForNothing && html`<p class="warn">${texts.sellsForNothing}</p>`}
    ${stillClosedBy.length > 0 && html`<p>${texts.otherSource(stillClosedBy.join(', '))}</p>`}
    ${lacksUnits && html`<p class="warn">${texts.lacksUnits}</p>`}
    ${lacksUnits && stretch && actForm(view, 'nights-save', path, { fields: { ...stretch, units: '1' }, button: texts.setOneUnit })}
    ${isChanged && fields && actForm(view, OPPOSITE[action], path, { ...undo, fields })}
  </div>`;
}

/** `query` has the previous input; `min` is the earliest day allowed. */
export function stayForm(
  view: PageView,
  propertyId: string,
  query: URLSearchParams,
  min?: string,
  button?: string,
): Html {
  const dates = (['checkIn', 'checkOut'] as const).map((name) =>
    field(view, name, { type: 'date', value: query.get(name) ?? '', min, required: true }),
  );
  const value = query.get('guests') ?? '2';
  const guests = { type: 'number', min: 1, max: STAY_GUESTS_MAX, required: true, value } as const;
  const path = `${pathOf('properties', propertyId)}/explain`;
  const childAges = { type: 'text', value: query.get('childAges') ?? '', autocomplete: 'off' } as const;
  const party = [field(view, 'guests', guests), field(view, 'childAges', childAges)];
  return elements.askForm(view, path, [dates, ...party], button);
}

/** The forms for the nights that are chosen in the calendar, or typed as dates. */
function nightPanel(view: PageView, shown: PropertyShown): Html {
  const { chosen, chooseFirst, openNight, priceAndExplain } = PROPERTY_TEXTS[view.locale];
  const { propertyId, today } = shown.rows;
  const form = stayForm(view, propertyId, new URLSearchParams(), today, priceAndExplain);
  return html`<section class="night-acts" aria-label="${chosen}">
    <p class="chosen-nights" role="status">${chooseFirst}</p>
    <a class="chosen-night" hidden>${openNight}</a>
    ${saveForm(view, shown)} ${closeForm(view, shown)}
    <details>
      <summary>${priceAndExplain}</summary>
      ${form}
    </details>
  </section>`;
}

/** Closes nights or opens them: one pair of dates where no script fills them in. */
function closeForm(view: PageView, { rows: { propertyId, inventoryTypes }, month }: PropertyShown): Content {
  const { allTypes } = PROPERTY_TEXTS[view.locale];
  const types = inventoryTypes.map((type) => [type.inventoryTypeId, type.name] as const);
  // With one type there is no choice, and "all types" means the same.
  const choices = { type: types.length > 1 ? [...types, ['', allTypes] as const] : types };
  const values = { type: month.inventoryTypeId };
  const parts = { choices, values, orElse: 'open', look: 'quiet' } as const;
  return filledForm(view, 'close', pathOf('properties', propertyId), parts);
}

function closedTable(view: PageView, property: PropertyPage): Html {
  const { propertyId, inventoryTypes } = property;
  const path = pathOf('properties', propertyId);
  const rows = inventoryTypes.flatMap(({ inventoryTypeId, name, closedManually }) =>
    closedManually.map((nights) => {
      const fields = { type: inventoryTypeId, from: nights.dateFrom, to: nights.dateTo };
      const changes = actForm(view, 'open', path, { fields, look: 'quiet' });
      return { inventoryTypeId: elements.named(name), nights: elements.nightsText(view, nights), changes };
    }),
  );
  const caption = PROPERTY_TEXTS[view.locale].closed;
  const columns = ['inventoryTypeId', 'nights', 'changes'] as const;
  return headedTable(view, { caption, columns, rows });
}

/** The URL of a calendar. */
function publishedPage(view: PageView, { view: made, notes }: ActShown, back: string): PageParts {
  const { forms } = view.messages;
  const below = notes.map((note) => html`<p class="warn" lang="en">${withLabels(view, note)}</p>`);
  return secretPage(view, forms.newUrl, forms.keepUrl, (made as { readonly url: string }).url, below, back);
}

export const PROPERTIES_PAGE = pageRow('properties', '/console/properties', readProperties, propertiesPage);

export const PROPERTY_PAGE = pageRow('property', PROPERTY_PATH, readProperty, propertyPage, [
  { ...formRow('close'), run: nightActs.changeNights('close') },
  { ...formRow('nights-save'), run: nightActs.saveNights },
  { ...formRow('open'), run: nightActs.changeNights('open') },
  formRow('property-withdraw', {
    exists: nightActs.isProperty,
    typed: nightActs.namesOfProperty,
    leadsTo: () => '/console/properties',
  }),
  formRow('feed-add', { exists: nightActs.isProperty }),
  formRow('publish', { exists: nightActs.isProperty, isShown: true }, publishedPage),
  formRow('unpublish', { exists: nightActs.isProperty }),
]);
