/** `/console/properties/ID/nights/TYPE/DATE`: why the night is for sale or not, since when, by whom. */
import type { NightShown } from '../../console/night.ts';
import { pathOf, withQuery } from '../../console/paths.ts';
import type { PresentedValue } from '../../domain/calendar-fields.ts';
import { formatLocalDate, getLocalDate } from '../../domain/local-date.ts';
import { type Content, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { linkTo, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';

export function nightPage(view: PageView, { rows, night, ifGone }: NightShown): PageParts {
  const texts = view.messages.night;
  const { propertyId, inventoryTypeId, date, state, name, typeName } = night;
  const shifted = (days: number): string => formatLocalDate(getLocalDate(date) + days);
  const nightLink = (days: number, text: string): Content =>
    linkTo(view, nightPath(propertyId, inventoryTypeId, shifted(days)), text);
  const stay = { checkIn: date, checkOut: shifted(1), guests: '1' };
  const explainPath = withQuery(`${pathOf('properties', propertyId)}/explain`, stay);
  const isByHand = rows.some(({ source }) => source === 'manual');
  return {
    title: `${elements.dateText(view, date)}, ${typeName}`,
    main: html`<p>
        ${linkTo(view, pathOf('properties', propertyId), name)} · ${nightLink(-1, texts.before)} ·
        ${nightLink(1, texts.after)}
      </p>
      <p><b class="s-${state} night-state">${texts.is} ${texts.states[state]}.</b> ${texts.whys[state]}</p>
      ${settingsTable(view, rows)} ${isByHand && html`<p>${linkTo(view, '/console/audit', texts.byHand)}</p>`}
      ${goneTable(view, ifGone)}
      <p>${linkTo(view, explainPath, texts.stay)}</p>`,
    command: `quote explain --property ${propertyId} --check-in ${date} --check-out ${shifted(1)} --guests 1`,
  };
}

/** The page of a night, from the root. */
export function nightPath(propertyId: string, inventoryTypeId: string, date: string): string {
  return `${pathOf('properties', propertyId)}/nights/${encodeURIComponent(inventoryTypeId)}/${date}`;
}

function settingsTable(view: PageView, rows: NightShown['rows']): Content {
  const { night: texts, words } = view.messages;
  return elements.headedTable(view, {
    ...{ ...texts.settings, rows },
    cells: ({ field, value, source, at, messageId, decides }) => ({
      ...{ field: words[field], value: valueText(view, value), source, setAt: at, message: messageId },
      decides: decides ? words.yes : texts.stricter,
    }),
    attributes: ({ field, source, decides }) =>
      html` data-field="${field}" data-source="${source}" data-decides="${String(decides)}"`,
  });
}

function goneTable(view: PageView, rows: NightShown['ifGone']): Content {
  const { night: texts, words } = view.messages;
  return elements.headedTable(view, {
    ...{ caption: texts.ifGone, rows },
    cells: ({ source, state, changes }) => ({
      ...{ without: source, stateThen: texts.states[state] },
      changesThen:
        changes.length === 0
          ? texts.noChange
          : changes.map(
              ({ field, before, after }) =>
                html`${words[field]}: ${valueText(view, before)} → ${valueText(view, after)}<br />`,
            ),
    }),
  });
}

/** As a calendar entry has it, in words. */
function valueText(view: PageView, value: PresentedValue | null): Content {
  const { night, words, decimal } = view.messages;
  if (value === null) return night.notSet;
  if (typeof value === 'boolean') return words[value ? 'yes' : 'no'];
  if (typeof value === 'string') return decimal(value);
  return typeof value === 'object' ? amountsByGuests(view, value) : value;
}

/** `1: 90.00; 2: 120.00` */
export function amountsByGuests({ messages }: PageView, amounts: Readonly<Record<string, string>>): string {
  const texts = Object.entries(amounts).map(([guests, amount]) => `${guests}: ${messages.decimal(amount)}`);
  return texts.join('; ');
}
