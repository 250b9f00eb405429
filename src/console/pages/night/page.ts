/** `/console/properties/ID/nights/TYPE/DATE`: why the night is for sale or not, since when, by whom. */
import { pageRow, PROPERTY_PATH } from '../../web/page-row.ts';
import { type NightShown, readNight } from './read.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { type AnyField, isRestriction, type PresentedValue } from '../../../domain/calendar-fields.ts';
import { formatLocalDate, getLocalDate } from '../../../domain/local-date.ts';
import { codeText, type Content, html } from '../../../http/html/html.ts';
import { foldedForm, formAct } from '../../web/act-form.ts';
import { NIGHTS_STYLE } from '../../web/assets.ts';
import * as elements from '../../web/elements.ts';
import { headedTable, linkTo, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { NIGHT_TEXTS } from './messages.ts';
import { NIGHT_STATE_TEXTS, PROPERTY_TEXTS } from '../properties/messages.ts';

export function nightPage(view: PageView, { rows, night, ifGone }: NightShown): PageParts {
  const texts = NIGHT_TEXTS[view.locale];
  const property = PROPERTY_TEXTS[view.locale];
  const { words } = view.messages;
  const { propertyId, currency, inventoryTypeId, date, state, name, typeName } = night;
  const fieldText = (field: AnyField): string =>
    isRestriction(field) ? words[field] : `${words[field]} (${currency})`;
  const shifted = (days: number): string => formatLocalDate(getLocalDate(date) + days);
  const nightLink = (days: number, text: string): Content =>
    linkTo(view, nightPath(propertyId, inventoryTypeId, shifted(days)), text);
  const oneNight = { checkIn: date, checkOut: shifted(1), guests: '1' };
  const path = pathOf('properties', propertyId);
  const fields = { type: inventoryTypeId, from: date, to: date };
  const settings = {
    caption: texts.setBy,
    columns: ['field', 'value', 'source', 'at', 'messageId', 'decides'] as const,
    rows: rows.map((row) => ({
      ...row,
      field: fieldText(row.field),
      value: valueText(view, row.value),
      row,
    })),
    attributes: ({ row: { field, source, decides } }: { readonly row: (typeof rows)[number] }) =>
      html` data-field="${field}" data-source="${source}" data-decides="${String(decides)}"`,
  };
  const gone = ifGone.map(({ source, state: stateThen, changes }) => ({
    source,
    state: NIGHT_STATE_TEXTS[view.locale].states[stateThen],
    changes:
      changes.length > 0
        ? changes.map(
            ({ field, before, after }) =>
              html`${fieldText(field)}: ${valueText(view, before)} → ${valueText(view, after)}<br />`,
          )
        : null,
  }));
  return {
    title: `${elements.dateText(view, date)}, ${typeName}`,
    act: formAct(view, 'nights-save', nightPath(propertyId, inventoryTypeId, date)),
    above: [{ path, text: elements.named(name) }],
    main: html`<p>
        ${codeText(inventoryTypeId)} · ${nightLink(-1, texts.before)} · ${nightLink(1, texts.after)}
      </p>
      <p><b class="s-${state} night-state">${NIGHT_STATE_TEXTS[view.locale].states[state]}</b></p>
      <div class="night-acts">
        ${foldedForm(view, 'nights-save', path, {
          fields,
          values: state === 'not_set_up' ? { units: '1' } : {},
        })}
        ${(['close', 'open'] as const).map((act) => [elements.actForm(view, act, path, { fields }), ' '])}
        ${linkTo(view, withQuery(`${path}/explain`, oneNight), property.explain)}
      </div>
      ${headedTable(view, settings, html`<p>${texts.why}</p>`)}
      ${headedTable(view, { caption: texts.ifGone, columns: ['source', 'state', 'changes'], rows: gone })}`,
    stylesheets: [NIGHTS_STYLE.path],
    command: `quote explain --property ${propertyId} --check-in ${date} --check-out ${shifted(1)} --guests 1`,
  };
}

/** The page of a night, from the root. */
export function nightPath(propertyId: string, inventoryTypeId: string, date: string): string {
  return `${pathOf('properties', propertyId)}/nights/${encodeURIComponent(inventoryTypeId)}/${date}`;
}

/** As a calendar entry has it, in words; `1: 90.00; 2: 120.00` of rates by guests. */
export function valueText({ messages }: PageView, value: PresentedValue | null): Content {
  if (value === null) return '–';
  if (typeof value === 'boolean') return messages.words[value ? 'yes' : 'no'];
  if (typeof value === 'string') return messages.decimal(value);
  if (typeof value === 'number') return value;
  const amounts = Object.entries(value).map(([guests, amount]) => `${guests}: ${messages.decimal(amount)}`);
  return amounts.join('; ');
}

export const NIGHT_PAGE = pageRow(
  'night',
  `${PROPERTY_PATH}/nights/{inventoryTypeId}/{date}`,
  readNight,
  nightPage,
);
