/** The rooms of an account in one form, and the page of a dry run. */
import { breakable, type Content, type Html, html } from '../../../http/html/html.ts';
import type { MappedRoom } from '../../../supply/connections/map-rooms.ts';
import { type ActShown, SURE_FIELD } from '../../reading/act-forms.ts';
import type { Mistake } from '../../reading/console-page.ts';
import { pathOf } from '../../reading/paths.ts';
import * as elements from '../../web/elements.ts';
import { actForm, dataTable, mayUse, named, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { reasonDetail, reasonText, storedReason } from '../../web/reason-text.ts';
import { chosenText, ROOM_FIELDS, roomText } from './acts.ts';
import { CONNECTION_TEXTS } from './messages.ts';
import { type ConnectionShown, type RoomShown, typeKey, typeOf } from './read.ts';

type Table = Pick<ConnectionShown, 'shownRooms' | 'names' | 'choices'>;

const COLUMNS = [
  ...(['name', 'mappedTo', 'prices', 'guests', 'currency'] as const),
  ...(['unpriced', 'byHand', 'state'] as const),
];

/** All rooms of the page in one form, whose button stands before and behind them. */
export function roomsForm(view: PageView, path: string, table: Table): Content {
  const texts = CONNECTION_TEXTS[view.locale];
  const rows = table.shownRooms.map((room) => roomRow(view, room, table));
  const shown = dataTable(view, {
    caption: texts.rooms,
    columns: COLUMNS,
    rows,
    attributes: ({ room }: (typeof rows)[number]) => html` data-room="${room}"`,
  });
  const isMine = mayUse(view, 'rooms-save') && rows.length > 0;
  const note = refusal(view, table);
  if (!isMine) return shown;
  const first = html`<p><button>${view.messages.acts['rooms-save']}</button></p>`;
  return actForm(view, 'rooms-save', path, { inputs: [note, first, shown], isBroad: true });
}

function roomRow(view: PageView, room: RoomShown, table: Table) {
  const { choices, names } = table;
  const isMine = mayUse(view, 'rooms-save');
  const type = typeOf(room);
  const held = room.held;
  const texts = CONNECTION_TEXTS[view.locale];
  const mistake = mistakesOf(view).find(({ field }) => field === `${ROOM_FIELDS.type}${room.room}`);
  const chosen = isMine && choiceOf(view, room, { choices, names });
  return {
    room: room.room,
    name: html`${named(room.name || room.room)} <small class="fine">${breakable(room.room)}</small>`,
    mappedTo: [
      isMine ? chosen : type === null ? '–' : named(names.get(typeKey(type)) ?? typeKey(type)),
      mistake && html`<p class="wrong" id="wrong-${room.room}">${mistakeText(view, mistake, table)}</p>`,
    ],
    prices: isMine ? pricesBox(view, room) : room.prices === null ? null : room.prices,
    guests: room.guests,
    currency: room.currency ?? '',
    unpriced: unpricedText(view, room),
    byHand: room.byHand.length === 0 ? '' : html`${breakable(room.byHand.join('; '))}`,
    state: orNothing([
      room.failure !== null &&
        html`<span class="refusal-text">${named(reasonText(view, room.failure))}</span>`,
      held !== null && texts.heldRoom[held.cheapens ? 'cheapens' : 'opens'],
      room.name === '' && room.failure === null && texts.gone,
    ]),
  };
}

/** A column that is empty in all rows is left out. */
function orNothing(parts: readonly Content[]): Content {
  const said = parts.filter((part) => part !== false);
  return said.length === 0 ? '' : said;
}

/** As it was typed where the form is refused; else its type, or the one that is suggested. */
function chosenIn(view: PageView, room: RoomShown): { readonly type: string; readonly withPrices: boolean } {
  const { refused } = view;
  const type = typeOf(room) ?? room.suggested;
  const field = `${ROOM_FIELDS.type}${room.room}`;
  if (refused?.act === 'rooms-save' && refused.form.has(field))
    return {
      type: refused.form.get(field) ?? '',
      withPrices: refused.form.has(`${ROOM_FIELDS.prices}${room.room}`),
    };
  return { type: type === null ? '' : typeKey(type), withPrices: room.prices ?? true };
}

function choiceOf(
  view: PageView,
  room: RoomShown,
  { choices, names }: Pick<Table, 'choices' | 'names'>,
): Html {
  const texts = CONNECTION_TEXTS[view.locale];
  const { type: chosen } = chosenIn(view, room);
  const type = typeOf(room);
  const own = [type, room.suggested].filter((one) => one !== null).map(typeKey);
  const listed = choices.map((one) => [typeKey(one), one.name] as const);
  const others = [...new Set([...own, chosen])]
    .filter((key) => key !== '' && !listed.some(([one]) => one === key))
    .map((key) => [key, names.get(key) ?? key] as const);
  const suggested = room.suggested && typeKey(room.suggested);
  const options = [...others, ...listed].toSorted(
    ([one], [other]) => Number(other === suggested) - Number(one === suggested),
  );
  const before = type === null ? '' : roomText(type, { withPrices: room.prices === true });
  const name = room.name || room.room;
  const field = `${ROOM_FIELDS.type}${room.room}`;
  return html`<input type="hidden" name="${ROOM_FIELDS.before}${room.room}" value="${before}" /><select
      name="${field}"
      aria-label="${texts.typeFor(name)}"
      ${mistakesOf(view).some((one) => one.field === field) && html`aria-invalid="true" aria-describedby="wrong-${room.room}"`}
    >
      <option value="">–</option>
      ${options.map(
        ([key, text]) =>
          html`<option value="${key}" ${key === chosen && html`selected`}>
            ${text}${key === suggested && ` (${texts.suggestedIs})`}
          </option>`,
      )}
    </select>`;
}

function pricesBox(view: PageView, room: RoomShown): Html {
  const { withPrices } = chosenIn(view, room);
  const label = CONNECTION_TEXTS[view.locale].pricesOf(room.name || room.room);
  return html`<input
    type="checkbox"
    name="${ROOM_FIELDS.prices}${room.room}"
    value="yes"
    aria-label="${label}"
    ${withPrices && html`checked`}
  />`;
}

/** `12 (no price is set)`, by reason. */
function unpricedText(view: PageView, { unpriced }: RoomShown): Content {
  const texts = CONNECTION_TEXTS[view.locale];
  if (unpriced.length === 0) return '';
  return unpriced.map(
    ({ reason, nights, isUsed }, index) =>
      html`${index > 0 && html`<br />`}<span data-reason-code="${reason}"
          >${elements.numberText(view, nights)}:
          ${reasonOf(view, reason)}${isUsed === true && `; ${texts.usedBound}`}</span
        >`,
  );
}

/** Why nights have no price, in words. */
export function reasonOf({ locale }: PageView, reason: string): string {
  const known: Readonly<Record<string, string>> = CONNECTION_TEXTS[locale].unpricedReasons;
  return known[reason] ?? reason;
}

function mistakesOf({ refused }: PageView): readonly Mistake[] {
  return refused?.act === 'rooms-save' ? (refused.mistakes ?? []) : [];
}

function mistakeText(view: PageView, { reason, now = '' }: Mistake, { names }: Table): string {
  if (reason !== undefined) return reasonDetail(view, reason);
  const type = now.split(' ').slice(0, 2).join(' ');
  return view.messages.forms.meanwhile(names.get(type) ?? type);
}

/** Above the table, what is wrong in it, with the rooms of other pages too. */
function refusal(view: PageView, table: Table): Content {
  const { refused } = view;
  if (refused?.act !== 'rooms-save') return false;
  const { problem } = refused;
  return html`<div class="bad" role="alert" data-refused tabindex="-1" autofocus>
    ${problem !== undefined && html`<p data-reason>${reasonDetail(view, problem)}</p>`}
    ${mistakesOf(view).map((mistake) => {
      const id = mistake.field.slice(ROOM_FIELDS.type.length);
      const room = table.shownRooms.find((one) => one.room === id);
      return html`<p>
        ${named(room?.name || id)}: <span data-reason>${mistakeText(view, mistake, table)}</span>
      </p>`;
    })}
  </div>`;
}

/** The fields that a person changed, for a form that comes back after a sign-in. */
export function typedRooms(form: URLSearchParams) {
  return [...form.keys()]
    .filter((name) => name.startsWith(ROOM_FIELDS.type))
    .map((name) => name.slice(ROOM_FIELDS.type.length))
    .filter((room) => chosenText(form, room) !== form.get(`${ROOM_FIELDS.before}${room}`))
    .map((room) => ({ label: named(room), text: form.get(`${ROOM_FIELDS.type}${room}`) || '–' }));
}

// The outcome of mapping.

const ROWS_SHOWN_MAX = 200;

/** The numbers first, then the rooms; before it is done, the button that does it. */
export function mappedPage(view: PageView, { view: answer, sent }: ActShown, back: string): PageParts {
  const texts = CONNECTION_TEXTS[view.locale];
  const { forms } = view.messages;
  const rows = answer as readonly MappedRoom[];
  const count = (outcome: MappedRoom['outcome']): number =>
    rows.filter((row) => row.outcome === outcome).length;
  const sum = (of: 'closes' | 'prices' | 'unpriced'): number =>
    rows.reduce((all, row) => all + (row[of] ?? 0), 0);
  const numbers = {
    created: count('created'),
    mapped: count('mapped'),
    refused: count('refused'),
    ...(sent !== undefined && { closes: sum('closes'), prices: sum('prices'), unpriced: sum('unpriced') }),
  };
  const { form: _token, ...fields } = sent ?? {};
  const isPossible = numbers.created + numbers.mapped > 0;
  return {
    title: texts.missing,
    act: undefined,
    above: [
      { path: back, text: texts.connection(decodeURIComponent(back.slice(back.lastIndexOf('/') + 1))) },
    ],
    main: [
      sent !== undefined && html`<p class="warn">${forms.preview}</p>`,
      numberList(view, numbers),
      sent !== undefined &&
        isPossible &&
        actForm(view, 'connection-map', back, {
          fields: { ...fields, [SURE_FIELD]: 'yes' },
          button: forms.doIt,
        }),
      elements.headedTable(view, {
        caption: texts.rooms,
        columns: ['name', 'mappedTo', 'state', 'closes', 'prices', 'unpriced', 'reason'],
        rows: rows.slice(0, ROWS_SHOWN_MAX).map((row) => ({
          name: named(row.name || row.room),
          mappedTo:
            row.propertyId === null ? '–' : html`${breakable(`${row.propertyId}, ${row.inventoryTypeId}`)}`,
          state: texts.outcomes[row.outcome],
          closes: row.closes ?? '',
          prices: row.prices ?? '',
          unpriced: row.unpriced ?? '',
          reason: row.note === null ? '' : storedReason(view, row.noteWrong, row.note),
        })),
      }),
      rows.length > ROWS_SHOWN_MAX &&
        html`<p>${view.messages.frame.leftOut(rows.length - ROWS_SHOWN_MAX)}</p>`,
      elements.backLink(view, back),
    ],
  };
}

type Numbers = Readonly<
  Partial<Record<'created' | 'mapped' | 'refused' | 'closes' | 'prices' | 'unpriced', number>>
>;

function numberList(view: PageView, numbers: Numbers): Html {
  const names = CONNECTION_TEXTS[view.locale].foreseen;
  const fields = (Object.keys(names) as (keyof Numbers)[]).map((name) => {
    const value = numbers[name];
    return (
      value !== undefined &&
      html`<dt>${names[name]}</dt>
        <dd data-count="${name}">${elements.numberText(view, value)}</dd> `
    );
  });
  return html`<dl>${fields}</dl>`;
}

/** After the dry run of a removal. */
export function removalPage(view: PageView, { view: answer, sent }: ActShown, back: string): PageParts {
  const texts = CONNECTION_TEXTS[view.locale];
  const { forms, acts } = view.messages;
  const { name, types, closed } = answer as { name: string; types: number; closed: number };
  const sure = { fields: { [SURE_FIELD]: 'yes' }, button: forms.doIt, look: 'danger' } as const;
  return {
    title: acts['connection-remove'],
    act: undefined,
    above: [{ path: pathOf('connections', name), text: texts.connection(name) }],
    main: [
      html`<p class="warn">${forms.preview}</p>
        <dl>
          <dt>${texts.removed.types}</dt>
          <dd data-count="types">${elements.numberText(view, types)}</dd>
          <dt>${texts.removed.closedNights}</dt>
          <dd data-count="closed">${elements.numberText(view, closed)}</dd>
        </dl>`,
      sent !== undefined && actForm(view, 'connection-remove', back, sure),
      elements.backLink(view, back),
    ],
  };
}
