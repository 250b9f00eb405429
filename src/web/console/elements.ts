/** What the pages of the console are made of: links, dates, times, tables, lists of fields, forms. */
import { mayAct as roleMayAct, type Role } from '../../access/console-sessions.ts';
import { type Folder, pathOf } from '../../console/paths.ts';
import { NAME_LENGTH_MAX } from '../../console/asked-days.ts';
import type { DemandShown } from '../../console/demand.ts';
import type { NightsRow } from '../../console/property.ts';
import { getLocalDate, DAY_MS } from '../../domain/local-date.ts';
import type { Locale } from '../../domain/property.ts';
import { breakable, codeText, type Content, type Html, html } from '../kit/html.ts';
import { MESSAGES, type Messages } from './messages/messages.ts';

/** Who reads a page, in which language, from where. */
export interface PageReader {
  readonly locale: Locale;
  /** The way from the page to the root of the listener: `../`. */
  readonly root: string;
  readonly nowMs: number;
  /** Whose session it is, with what is in every form of it; undefined on the pages of the sign-in. */
  readonly person: { readonly name: string; readonly role: Role; readonly formToken: string } | undefined;
}

export interface PageView extends PageReader {
  readonly messages: Messages;
}

export function viewOf(reader: PageReader): PageView {
  return { ...reader, messages: MESSAGES[reader.locale] };
}

/** What the role of the reader does not include is not offered. */
export function mayAct({ person }: PageView, needed: Role): boolean {
  return person !== undefined && roleMayAct(person.role, needed);
}

// Links.

/** `path` is from the root; links are relative, so that they hold whatever is in front. */
export function hrefOf({ root }: PageView, path: string): string {
  return `${root}${path.slice(1)}`;
}

export function linkTo(view: PageView, path: string, content: Content): Html {
  return html`<a href="${hrefOf(view, path)}">${content}</a>`;
}

/** To the page of what has this id. */
export function idLink(view: PageView, folder: Folder, id: string): Html {
  return linkTo(view, pathOf(folder, id), id);
}

/** Leads to the rows behind those of this page; nothing where there are none. */
export function nextLink(view: PageView, path: string | undefined, text = view.messages.frame.next): Content {
  return path !== undefined && html`<p><a rel="next" href="${hrefOf(view, path)}">${text}</a></p>`;
}

// Texts.

/** What somebody typed, in whichever direction it is written. */
export function named(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** With an ellipsis where it is longer. */
export function cutText(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax).toWellFormed()}…` : text;
}

/** A command for people to type. An option stays on one line: at its end `--` would look like a word of its own. */
export function commandText(command: string): Html {
  const words = command
    .split(' ')
    .map((word) => [' ', word.startsWith('--') ? html`<span>${word}</span>` : breakable(word)]);
  return html`<code>stayport${words}</code>`;
}

/**
 * A command with the values that a page was asked for: `shellCommand('requests', { partner: 'acme', code: undefined })` is
 * `requests --partner acme`.
 */
export function shellCommand(command: string, options: Readonly<Record<string, string | undefined>>): string {
  const texts = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(value)],
  );
  return [command, ...texts].join(' ');
}

/** In single quotes a shell expands nothing. */
function quoted(value: string): string {
  return /^[\w.:@%+,/-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

/** Made once: making one takes longer than a table of dates. */
function formatsOf(options: Intl.DateTimeFormatOptions): Readonly<Record<Locale, Intl.DateTimeFormat>> {
  const formatOf = (locale: Locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return { 'en-GB': formatOf('en-GB'), 'it-IT': formatOf('it-IT') };
}

const DAYS = formatsOf({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const INSTANTS = formatsOf({ dateStyle: 'medium', timeStyle: 'short' });

/** An RFC 3339 instant in the words of the language, UTC. */
export function timeText({ locale }: PageView, instant: string): Html {
  const text = INSTANTS[locale].format(new Date(instant));
  return html`<time datetime="${instant}">${text} UTC</time>`;
}

/** `Fri 14 Aug 2026` of `2026-08-14`. */
export function dateText({ locale }: PageView, date: string): string {
  return DAYS[locale].format(getLocalDate(date) * DAY_MS);
}

/** The same for programs too. */
export function dateElement(view: PageView, date: string): Html {
  return html`<time datetime="${date}">${dateText(view, date)}</time>`;
}

function amountText({ messages }: PageView, amount: string): string {
  return messages.decimal(amount);
}

/** One night, or the first and the last of several. */
export function nightsText(view: PageView, { dateFrom, dateTo }: NightsRow): string {
  const first = dateText(view, dateFrom);
  return dateFrom === dateTo ? first : `${first} – ${dateText(view, dateTo)}`;
}

// Tables and lists.

/** What a column, a field or a part is called. */
export type Word = keyof Messages['words'];
type Words = Readonly<Partial<Record<Word, Content | null>>>;
type Look = (view: PageView, text: string) => Content;

/** How a text is shown under its word, unless it is HTML already; under other words it is shown as it is. */
const LOOKS_OF_WORDS = new Map<string, Look>([
  ...looking(timeText, ['at', 'issued', 'expires', 'lastUse', 'quoted', 'setAt', 'newest', 'oldest']),
  ...looking(timeText, ['received', 'confirmed', 'calendarConfirmed', 'next', 'published']),
  ...looking(dateElement, ['day', 'night', 'arrival']),
  ...looking((_view, text) => codeText(text), ['source', 'message', 'without']),
  ...looking((_view, text) => named(text), ['name', 'city', 'person', 'on', 'place']),
  ...looking((_view, text) => breakable(text), ['operation', 'credential', 'from']),
  ...looking(amountText, ['rate', 'extraGuests', 'discount', 'price', 'amount', 'added', 'included']),
  ...looking(amountText, ['accommodation', 'cleaningFee', 'taxes', 'total']),
  ...looking((view, id) => idLink(view, 'partners', id), ['partner']),
  ...looking((view, id) => idLink(view, 'properties', id), ['property']),
  ...looking((view, id) => idLink(view, 'quotes', id), ['quote']),
  ...looking((view, id) => idLink(view, 'requests', id), ['correlation']),
]);

function looking(look: Look, words: readonly Word[]) {
  return words.map((word) => [word, look] as const);
}

/** A dash for null. */
function shown(view: PageView, word: Word, value: Content | null): Content {
  if (typeof value === 'string') return LOOKS_OF_WORDS.get(word)?.(view, value) ?? value;
  return value === null ? '–' : value;
}

export interface DataTableParts<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  /** Under the words that head their columns, in the order of the columns: the same ones in each row; a dash for null. */
  readonly cells: (row: Row) => Words;
  /** Of the row, ours: html` data-source="${source}"`. */
  readonly attributes?: (row: Row) => Content;
  /** What is said, and what to do, when there are no rows. */
  readonly empty?: Content;
}

/**
 * A table that scrolls by itself where the screen is narrow; a phone shows a row as a list of its fields. The first cell
 * of a row is its head.
 */
export function dataTable<Row>(view: PageView, parts: DataTableParts<Row>): Content {
  const { caption, rows, cells, attributes, empty } = parts;
  if (rows.length === 0) return empty !== undefined && html`<p>${empty}</p>`;
  const contents = rows.map(cells).map((own) => wordsOf(own).map((word) => shown(view, word, own[word])));
  const heads = wordsOf(cells(rows[0]!)).map((word) => view.messages.words[word]);
  const rowOf = ([first, ...others]: readonly Content[], index: number): Html => {
    const further = others.map((cell, at) => html`<td data-head="${heads[at + 1]}">${cell}</td>`);
    return html`<tr${attributes?.(rows[index]!)}><th scope="row">${first}</th>${further}</tr> `;
  };
  return scrolling(caption, heads, contents.map(rowOf));
}

/** A table within what scrolls it; `heads` are in the one row above. */
export function scrolling(caption: string, heads: readonly Content[], body: Content, look?: string): Html {
  const ofLook = look !== undefined && html` class="${look}"`;
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0">
    <table${ofLook}>
      <caption class="sr-only">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

function wordsOf(values: Words): readonly Word[] {
  return Object.keys(values) as Word[];
}

/** A table under its caption as a heading; nothing where it has neither rows nor something to say. */
export function headedTable<Row>(view: PageView, parts: DataTableParts<Row>, about?: Content): Content {
  if (parts.rows.length === 0 && parts.empty === undefined) return '';
  return html`<h2>${parts.caption}</h2>
    ${about} ${dataTable(view, parts)}`;
}

/** Names and what they have; a field without a value is left out. */
export function fieldList(view: PageView, values: Words): Html {
  const given = wordsOf(values).filter((word) => values[word] !== undefined);
  const fieldOf = (word: Word): Html =>
    html`<dt>${view.messages.words[word]}</dt>
      <dd>${shown(view, word, values[word])}</dd> `;
  return html`<dl>${given.map(fieldOf)}</dl>`;
}

// Forms.

type Attributes = Readonly<Record<string, string | number | true | undefined>>;

/** A field that people fill in, within its label. */
export function field({ messages }: PageView, label: Word, attributes: Attributes): Html {
  const texts = Object.entries(attributes).map(
    ([name, value]) => value !== undefined && html` ${name}${value !== true && html`="${value}"`}`,
  );
  return html`<label>${messages.words[label]} <input${texts} /></label> `;
}

type Choices = readonly (readonly [value: string, text: string])[];

/** Choices with their texts, in their order; the label is the word of the name. */
export function choice(view: PageView, name: Word, choices: Choices, chosen?: string): Html {
  const options = choices.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
  );
  return html`<label
    >${view.messages.words[name]}
    <select name="${name}">
      ${options}
    </select></label
  > `;
}

/** A form that asks: its fields are the query of the page that it leads to. */
export function askForm(view: PageView, path: string, inputs: Content, button?: string): Html {
  const text = button ?? view.messages.frame.show;
  return html`<form method="get" action="${hrefOf(view, path)}">${inputs}<button>${text}</button></form>`;
}

/** Of a report: its days, and what it is narrowed to. */
export function daysForm(view: PageView, path: string, asked: Partial<DemandShown['asked']>): Html {
  const { from, to, ...others } = asked;
  const names = Object.keys(others) as (keyof typeof others)[];
  return askForm(view, path, [
    field(view, 'fromDay', { type: 'date', name: 'from', value: from }),
    field(view, 'toDay', { type: 'date', name: 'to', value: to }),
    names.map((name) => field(view, name, { name, value: others[name], maxlength: NAME_LENGTH_MAX })),
  ]);
}

export interface ActFormParts {
  /** `data-act`. */
  readonly act: string;
  /** Where it is sent to, from the root: the path of the act's row. */
  readonly path: string;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields that people fill in, each within its label. */
  readonly inputs?: Content;
  readonly button: string;
  readonly look?: 'quiet' | 'danger';
}

/** A form that changes something; a page offers it to those whose role may. */
export function actForm(view: PageView, parts: ActFormParts): Html {
  const { act, path, fields = {}, inputs, button, look } = parts;
  const hidden = Object.entries({ ...fields, form: view.person?.formToken ?? '' }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${hrefOf(view, path)}" data-act="${act}">
    ${hidden} ${inputs}<button class="${look ?? ''}">${button}</button>
  </form>`;
}
