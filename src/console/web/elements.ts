/** Elements of the console's pages: links, dates, times, tables, lists of fields, forms. */
import { mayAct, type Role, type SignedIn } from '../../access/console-sessions.ts';
import {
  CONSOLE_FORMS,
  FORM_ID_FIELD,
  type ActName,
  type ConsoleActName,
  type FormOfAct,
} from '../reading/console-forms.ts';
import type { RefusedForm } from '../reading/act-forms.ts';
import type { Folder } from '../reading/paths.ts';
import { NAME_LENGTH_MAX, pathOf } from '../reading/paths.ts';
import type { NightsRow } from '../reading/night-rows.ts';
import { connectionOf } from '../../domain/layers.ts';
import { getLocalDate, DAY_MS } from '../../domain/local-date.ts';
import type { Locale } from '../../domain/property.ts';
import { type PresentedReason, sayReason } from '../../domain/stay-reasons.ts';
import { breakable, codeText, type Content, type Html, html } from '../../http/html/html.ts';
import { MESSAGES, type Messages } from './messages/messages.ts';

/** The reader of a page: language, and path to the root. */
export interface PageReader {
  readonly locale: Locale;
  /** The path from the page to the root of the listener: `../`. */
  readonly root: string;
  readonly nowMs: number;
  /** 32 random bytes, base64url: names the forms of this page. */
  readonly formId: string;
  /** The operator's name and logo; undefined on pages outside an exchange of the console. */
  readonly brand?: { readonly name: string; readonly iconPath: string } | undefined;
  /** The session's person, and the token for its forms; undefined on the sign-in pages. */
  readonly person: (SignedIn & { readonly formToken: string }) | undefined;
  /** Steps of the set-up are left: it stands in the bar. */
  readonly leadsToSetup: boolean;
}

export interface PageView extends PageReader {
  readonly messages: Messages;
  /** The folded form that the page was asked to open, by its act. */
  readonly opened?: string | undefined;
  /** The form that was sent to this page, and is refused. */
  readonly refused?: RefusedForm | undefined;
}

export function viewOf(reader: PageReader): PageView {
  return { ...reader, messages: MESSAGES[reader.locale] };
}

// Links.

/** `path` is from the root. Links are relative, so they work behind any prefix. */
export function hrefOf({ root }: PageView, path: string): string {
  return `${root}${path.slice(1)}`;
}

export function linkTo(view: PageView, path: string, content: Content): Html {
  return html`<a href="${hrefOf(view, path)}">${content}</a>`;
}

/** A link that looks like a button; `act` is the one that people come for. */
export function linkButton(view: PageView, path: string, content: Content, look: 'act' | 'quiet'): Html {
  return html`<a class="${look}" href="${hrefOf(view, path)}">${content}</a>`;
}

/** The way back for those who are setting up; nothing once all is done. */
export function onToSetup(view: PageView): Content {
  return view.leadsToSetup && linkTo(view, '/console/setup', view.messages.frame.toSetup);
}

/** A link to the page of this id. */
export function idLink(view: PageView, folder: Folder, id: string): Html {
  return linkTo(view, pathOf(folder, id), id);
}

/** A source by its name; a connection as people call it, with a link to its page. */
export function sourceText(view: PageView, source: string): Html {
  const of = connectionOf(source);
  return of === undefined
    ? codeText(source)
    : linkTo(view, pathOf('connections', of.name), sourceName(view, source));
}

export function sourceName({ messages }: PageView, source: string): string {
  const of = connectionOf(source);
  return of === undefined ? source : messages.frame.connectionSource(of.name, of.withPrices);
}

export function backLink(view: PageView, path: string): Html {
  return html`<p>${linkTo(view, path, view.messages.frame.back)}</p>`;
}

/** A link to the rows after those of this page; nothing if there are none. */
export function nextLink(view: PageView, path: string | undefined, text = view.messages.frame.next): Content {
  return path !== undefined && html`<p><a rel="next" href="${hrefOf(view, path)}" id="next">${text}</a></p>`;
}

/** A page with a link to more rows below its own. */
export const HAS_NEXT = /<a rel="next" href="[^"]*" id="next">/;

// Texts.

/** Longer words would take space from other columns. */
const WHOLE_WORD_MAX = 24;

/** A name that people typed, in any writing direction; in a wide table its words don't break. */
export function named(text: string): Html {
  const isWhole = text.split(' ').every((word) => word.length <= WHOLE_WORD_MAX);
  return html`<bdi${isWhole && html` class="word"`}>${text}</bdi>`;
}

/** Shortened with an ellipsis if it is longer. */
export function cutText(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax).toWellFormed()}…` : text;
}

/** A command to type. Options don't break across lines: a `--` at a line's end would look like a separate word. */
export function commandText(command: string): Html {
  const words = command
    .split(' ')
    .map((word) => [' ', word.startsWith('--') ? html`<span>${word}</span>` : breakable(word)]);
  return html`<code>stayport${words}</code>`;
}

/** The command that makes a sign-in link for this role; with the person's name if it is known. */
export function linkCommand(role: Role | 'ROLE', name = 'NAME'): Html {
  return html`<p>${commandText(shellCommand('console link', { name, role }))}</p>`;
}

/**
 * A command with the values of the page's query: `shellCommand('requests', { partner: 'acme', code: undefined })` is
 * `requests --partner acme`.
 */
export function shellCommand(command: string, options: Readonly<Record<string, string | undefined>>): string {
  const texts = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(value)],
  );
  return [command, ...texts].join(' ');
}

/** A shell expands nothing in single quotes. */
function quoted(value: string): string {
  return /^[\w.:@%+,/-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

/** Created once: creating one takes longer than formatting a table of dates. */
function formatsOf(options: Intl.DateTimeFormatOptions): Readonly<Record<Locale, Intl.DateTimeFormat>> {
  const formatOf = (locale: Locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return { 'en-GB': formatOf('en-GB'), 'it-IT': formatOf('it-IT') };
}

function numberFormatsOf(options: Intl.NumberFormatOptions): Readonly<Record<Locale, Intl.NumberFormat>> {
  const formatOf = (locale: Locale) => new Intl.NumberFormat(locale, { useGrouping: 'always', ...options });
  return { 'en-GB': formatOf('en-GB'), 'it-IT': formatOf('it-IT') };
}

const NUMBERS = numberFormatsOf({ maximumFractionDigits: 1 });
const PERCENTS = numberFormatsOf({ style: 'percent', maximumFractionDigits: 1 });
const CHANGES = numberFormatsOf({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const DAYS = formatsOf({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const TIMES = formatsOf({ hour: '2-digit', minute: '2-digit' });
const INSTANTS = formatsOf({ dateStyle: 'medium', timeStyle: 'short' });

/** An RFC 3339 instant in the reader's language, UTC. */
export function timeText({ locale }: PageView, instant: string): Html {
  const text = INSTANTS[locale].format(new Date(instant));
  return html`<time datetime="${instant}">${text} UTC</time>`;
}

/** `18:43 UTC`: when the page's data was read, or another instant whose day is said beside it. */
export function clockTime({ locale, nowMs }: PageView, instant = new Date(nowMs).toISOString()): Html {
  return html`<time datetime="${instant}">${TIMES[locale].format(new Date(instant))} UTC</time>`;
}

/** `19:43`: the same moment in the property's timezone. */
export function localClockTime({ locale, nowMs }: PageView, timezone: string): string {
  const time = { hour: '2-digit', minute: '2-digit', timeZone: timezone } as const;
  return new Intl.DateTimeFormat(locale, time).format(nowMs);
}

/** `Fri 14 Aug 2026` of `2026-08-14`. */
export function dateText({ locale }: PageView, date: string): string {
  return DAYS[locale].format(getLocalDate(date) * DAY_MS).replace(',', '');
}

/** The sentence that partners and travellers get of it, with all its dates. */
export function reasonText(view: PageView, reason: PresentedReason): string {
  const { locale, nights, guests, days } = view.messages;
  return sayReason(reason, locale, {
    guestsMax: guests,
    date: (date) => dateText(view, date),
    days,
    dates: (dates) => dates.map((date) => dateText(view, date)).join(', '),
    nights,
  });
}

/** The date as an element that programs can read. */
export function dateElement(view: PageView, date: string): Html {
  return html`<time datetime="${date}">${dateText(view, date)}</time>`;
}

/** With thousands separators, and at most one decimal. */
export function numberText({ locale }: PageView, value: number): string {
  return NUMBERS[locale].format(value);
}

/** `12.5%` of 0.125. */
export function percentText({ locale }: PageView, share: number): string {
  return PERCENTS[locale].format(share);
}

/** `+12.5%` of 0.125. */
export function changeText({ locale }: PageView, share: number): string {
  return CHANGES[locale].format(share);
}

/** A share rounds to 0% or 100% only if it is exactly nothing or all. */
export function shareText(view: PageView, part: number, whole: number): string {
  const share = part === 0 || part === whole ? part / whole : Math.min(Math.max(part / whole, 0.001), 0.999);
  return percentText(view, share);
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

export type Word = keyof Messages['words'];
/** By its name in JSON: `confirmedAt` has the heading `confirmed`, and `partnerId` has `partner`. */
export type Column = Word | `${Word}At` | `${Word}Id`;
type Value = Content | true | null;
/** Columns whose values can be shown without conversion. */
type Showable<Row> = {
  [Key in Column & keyof Row]: Row[Key] extends Value ? Key : never;
}[Column & keyof Row];
type Look = (view: PageView, text: string) => Content;

/**
 * How a column shows its text, unless it is HTML already. `...At` is an instant; columns that are not listed show their
 * text unchanged.
 */
const LOOKS = new Map<Column, Look>([
  ...looking(timeText, ['at']),
  ...looking(dateElement, ['day', 'date', 'checkIn']),
  ...looking((_view, text) => codeText(text), ['messageId']),
  ...looking(sourceText, ['source']),
  ...looking((_view, text) => named(text), ['name', 'city', 'person', 'on', 'text']),
  ...looking((_view, text) => breakable(text), ['operation', 'credentialId', 'host', 'origins']),
  ...looking(amountText, ['rate', 'extraGuests', 'discount', 'price', 'amount', 'included', 'accommodation']),
  ...looking(amountText, ['cleaningFee', 'taxes', 'total']),
  ...looking((view, id) => idLink(view, 'partners', id), ['partnerId']),
  ...looking((view, id) => idLink(view, 'properties', id), ['propertyId']),
  ...looking((view, id) => idLink(view, 'quotes', id), ['quoteId']),
  ...looking((view, id) => idLink(view, 'requests', id), ['correlationId']),
]);

function looking(look: Look, columns: readonly Column[]) {
  return columns.map((column) => [column, look] as const);
}

/** A dash for null. */
function shown(view: PageView, column: Column, value: Value | undefined): Content {
  if (typeof value === 'string') {
    const look = column.endsWith('At') ? timeText : LOOKS.get(column);
    return look === undefined ? value : look(view, value);
  }
  if (typeof value === 'boolean') return view.messages.words[value ? 'yes' : 'no'];
  if (typeof value === 'number') return view.messages.decimal(String(value));
  return value === null ? '–' : value;
}

function headOf(view: PageView, column: Column): string {
  return findHead(view, column)!;
}

/** The heading of any field by its name in JSON; undefined where there is none. */
export function findHead({ messages: { words } }: PageView, name: string): string | undefined {
  const word = name.replace(/(?:At|Id)$/, '');
  return Object.hasOwn(words, word) ? words[word as Word] : undefined;
}

export interface DataTableParts<Row> {
  readonly caption: string;
  /** Columns that are empty in all rows are left out. */
  readonly columns: readonly Showable<Row>[];
  readonly rows: readonly Row[];
  /** Attributes of a row; must be our own HTML: html` data-source="${source}"`. */
  readonly attributes?: (row: Row) => Content;
  /** CSS class of the table. */
  readonly look?: string;
  /** The form below that makes the first row, said to those who may use it. */
  readonly firstAct?: ConsoleActName;
}

/**
 * A table that scrolls by itself on a narrow screen; a phone shows each row as a list of its fields. The first cell of
 * a row is its heading.
 */
export function dataTable<Row>(view: PageView, parts: DataTableParts<Row>): Html {
  const { caption, columns, rows, attributes, look } = parts;
  if (rows.length === 0) return html`<p>${nothingYet(view, parts)}</p>`;
  const used = columns.filter((column) => rows.some((row) => row[column] !== ''));
  const heads = used.map((column) => headOf(view, column));
  const rowOf = (row: Row): Html => {
    const [first, ...others] = used.map((column) => shown(view, column, row[column] as Value));
    const further = others.map((cell, at) => html`<td data-head="${heads[at + 1]}">${cell}</td>`);
    return html`<tr${attributes?.(row)}><th scope="row">${first}</th>${further}</tr> `;
  };
  return scrolling(caption, heads, rows.map(rowOf), look);
}

/** In place of rows, with the act that makes the first one for those who may use it. */
export function nothingYet(view: PageView, { firstAct }: Pick<DataTableParts<never>, 'firstAct'>): Content {
  const { acts, frame } = view.messages;
  const { none, useForm } = frame;
  const isOffered = firstAct !== undefined && mayUse(view, firstAct);
  return isOffered ? useForm(acts[firstAct]) : none;
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

/** A table under its caption as a heading. */
export function headedTable<Row>(view: PageView, parts: DataTableParts<Row>, about?: Content): Html {
  return html`<h2>${parts.caption}</h2>
    ${about} ${dataTable(view, parts)}`;
}

/** The note on a page that leaves rows out. */
export function thereAreMore({ messages }: PageView, command: string): Html {
  return html`<p>${messages.frame.thereAreMore} ${commandText(command)}</p>`;
}

type Fields<Row> = { readonly [Key in keyof Row]: Key extends Column ? Value | undefined : never };

/** A list of fields in their order; fields without a value are left out. */
export function fieldList<Row extends Fields<Row>>(view: PageView, row: Row): Html {
  const fields = Object.entries<Value | undefined>(row)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        html`<dt>${headOf(view, name as Column)}</dt>
          <dd>${shown(view, name as Column, value)}</dd> `,
    );
  return html`<dl>${fields}</dl>`;
}

// Forms.

type Attributes = Readonly<Record<string, string | number | true | undefined>>;

/** An input within its label. */
export function field({ messages }: PageView, label: Word, attributes: Attributes = {}): Html {
  const all: Attributes = { name: label, ...attributes };
  const texts = Object.entries(all).map(
    ([name, value]) => value !== undefined && html` ${name}${value !== true && html`="${value}"`}`,
  );
  return html`<label>${messages.words[label]} <input${texts} /></label> `;
}

type Choices = readonly (readonly [value: string, text: string])[];

/** A choice between values, each with its text, in their order; a chosen one that is none of them, from a link, too. */
export function choice(view: PageView, label: Word, name: string, choices: Choices, chosen = ''): Html {
  const isListed = chosen === '' || choices.some(([value]) => value === chosen);
  const all = isListed ? choices : [...choices, [chosen, chosen] as const];
  const options = all.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
  );
  return html`<label
    >${view.messages.words[label]}
    <select name="${name}">
      ${options}
    </select></label
  > `;
}

/** The id of the form for a question, the main act of a page that is only read. */
export const ASK_ID = 'ask';

/** A form for a question: its fields become the query of the page at its path. */
export function askForm(
  view: PageView,
  path: string,
  inputs: Content,
  button = view.messages.frame.show,
): Html {
  return html`<form method="get" action="${hrefOf(view, path)}" id="${ASK_ID}">
    ${inputs}<button>${button}</button>
  </form>`;
}

/** The search form of a list, and the link back to all of it. */
export function searchForm(view: PageView, path: string, search: string | undefined): Content {
  const asked = { type: 'search', value: search ?? '', maxlength: NAME_LENGTH_MAX };
  return [
    askForm(view, path, field(view, 'search', asked)),
    search !== undefined && html`<p>${linkTo(view, path, view.messages.frame.all)}</p>`,
  ];
}

type Unread = readonly Word[];

/** The form of a report: its days, its filters, and a note of the filters it ignored. */
export function daysForm(view: PageView, path: string, asked: Attributes, unread: Unread): Content {
  const inputs = Object.entries(asked).map(([name, value]) => {
    const kind = name === 'from' || name === 'to' ? { type: 'date' } : { maxlength: NAME_LENGTH_MAX };
    return field(view, name as Word, { ...kind, value });
  });
  return [askForm(view, path, inputs), unreadNote(view, unread)];
}

/** A note that lists the filters that could not be read. */
export function unreadNote({ messages: { frame, words } }: PageView, unread: Unread): Content {
  return (
    unread.length > 0 &&
    html`<p class="warn">${frame.unread(unread.map((name) => words[name]).join('; '))}</p>`
  );
}

export interface ActFormParts {
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];
  /** Inputs, each within its label. */
  readonly inputs?: Content;
  /** Replaces the name of the act. */
  readonly button?: string;
  /** Beside the button. */
  readonly beside?: Content;
  /** A second button, for another act that takes the same fields. */
  readonly orElse?: ActName;
  readonly look?: 'quiet' | 'danger';
  /** Fields below each other, each with its hint. */
  readonly isTall?: boolean;
  /** As wide as the page, for a table of fields. */
  readonly isBroad?: boolean;
  /** Its button has the focus when the page opens. */
  readonly isFocused?: boolean;
  /** The page then asks for a recent sign-in before the form is filled in. */
  readonly needsFresh?: boolean;
  /** Replaces the token of the session. */
  readonly formToken?: string;
  /** Sends a file, in the last field. */
  readonly takesFile?: true;
}

/** Whether the reader of the page may use the form of an act. */
export function mayUse({ person }: Pick<PageView, 'person'>, act: ConsoleActName): boolean {
  return person !== undefined && mayAct(person.role, CONSOLE_FORMS[act].role);
}

/** A form that changes something, on the page at `path`; nothing for roles that may not use it. */
export function actForm(view: PageView, act: ConsoleActName, path: string, parts: ActFormParts): Html | '' {
  const { role, isOnce }: FormOfAct = CONSOLE_FORMS[act];
  if (!mayUse(view, act)) return '';
  const given = pairsOf(parts.fields);
  // A refused form keeps its id: it has done nothing yet.
  const needsId = isOnce === true && !given.some(([name]) => name === FORM_ID_FIELD);
  const fields = needsId ? [...given, [FORM_ID_FIELD, view.formId] as const] : given;
  return postForm(view, act, path, { ...parts, fields, needsFresh: role === 'admin' });
}

/** Marks a form that needs a recent sign-in. Typed text has its quotes escaped in HTML, so it never matches. */
export const NEEDS_FRESH = /<form\s[^<>]*\sdata-fresh[\s>]/;

function pairsOf(fields: ActFormParts['fields'] = {}): readonly (readonly [name: string, value: string])[] {
  return Array.isArray(fields)
    ? (fields as readonly (readonly [string, string])[])
    : Object.entries(fields as Readonly<Record<string, string>>);
}

/** Sent to the name of the act after `path`. */
export function postForm(view: PageView, act: ActName, path: string, parts: ActFormParts): Html {
  const {
    fields = {},
    inputs,
    button = view.messages.acts[act],
    beside,
    orElse,
    look,
    isTall = false,
    isBroad = false,
    needsFresh = false,
    isFocused = false,
    formToken = view.person?.formToken ?? '',
    takesFile,
  } = parts;
  const given = pairsOf(fields);
  const hidden = [...given, ['form', formToken] as const].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form
    method="post"
    action="${hrefOf(view, `${path}/${act}`)}"
    data-act="${act}"
    ${needsFresh && html`data-fresh`}
    ${takesFile === true && html` enctype="multipart/form-data"`}
    ${isTall && html` class="tall"`}
    ${isBroad && html` class="broad"`}
  >
    ${hidden} ${inputs}<button class="${look ?? ''}" ${isFocused && html` autofocus`}>${button}</button>
    ${beside}
    ${
      orElse !== undefined &&
      html`<button class="${look ?? ''}" formaction="${hrefOf(view, `${path}/${orElse}`)}">
        ${view.messages.acts[orElse]}
      </button>`
    }
  </form>`;
}
