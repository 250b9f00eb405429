/** `/console/requests`: what partners asked, and what they were answered. */
import {
  type RequestEntry,
  REQUEST_FILTERS,
  REQUESTS_PATH,
  type RequestQuery,
  type RequestsShown,
} from '../../console/requests.ts';
import { NAME_LENGTH_MAX } from '../../console/asked-days.ts';
import { OPERATIONS } from '../../contract/partner/operations.ts';
import { PROBLEM_CODES } from '../../contract/partner/problems.ts';
import { breakable, type Content, type Html, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { linkTo, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';

export function requestsPage(view: PageView, { rows, asked, unread, nextPath }: RequestsShown): PageParts {
  const { requests: texts, bar, words } = view.messages;
  const isFiltered = Object.keys(asked).length > 0;
  const table = elements.dataTable(view, {
    ...{ caption: bar.requests, rows },
    cells: (row) => requestCells(view, row),
    empty: isFiltered
      ? texts.nothing
      : [texts.empty, ' ', elements.commandText('credential issue --partner ID')],
  });
  const inputs = REQUEST_FILTERS.map((name) => filter(view, name, asked));
  return {
    title: bar.requests,
    main: html`${elements.askForm(view, REQUESTS_PATH, inputs)}
      ${unread.length > 0 && html`<p class="warn">${texts.unread(unread.map((name) => words[name]).join('; '))}</p>`}
      ${table} ${elements.nextLink(view, nextPath, texts.next)}
      ${isFiltered && html`<p>${linkTo(view, REQUESTS_PATH, texts.all)}</p>`}
      <p class="fine">${texts.about}</p>`,
    command: elements.shellCommand('requests', asked),
  };
}

const CHOICES: Readonly<Partial<Record<keyof RequestQuery, readonly string[]>>> = {
  code: PROBLEM_CODES,
  operation: OPERATIONS.map(({ operationId }) => operationId),
};

function filter(view: PageView, name: keyof RequestQuery, { [name]: value = '' }: RequestQuery): Html {
  const { [name]: choices } = CHOICES;
  if (choices === undefined)
    return elements.field(view, name, { name, value, maxlength: NAME_LENGTH_MAX, autocomplete: 'off' });
  const any = ['', view.messages.requests.any] as const;
  return elements.choice(view, name, [any, ...choices.map((one) => [one, one] as const)], value);
}

function requestCells(view: PageView, row: RequestEntry) {
  return {
    ...{ at: row.at, partner: elements.named(row.partnerId), operation: row.operation },
    ...{ answer: answerText(row), asked: askedText(view, row), found: row.total },
    ...{ duration: durationText(view, row), correlation: row.correlationId },
  };
}

export function answerText({ status, code }: Pick<RequestEntry, 'status' | 'code'>): Content {
  return code === null ? status : html`${status} ${breakable(code)}`;
}

/** `link` stands for the id of a property, where there is one. */
export function askedText({ messages }: PageView, row: RequestEntry, link?: Content): Content {
  const { city, propertyId, checkIn, checkOut, guests, page } = row;
  const stay = checkIn === null ? '' : ` ${checkIn} → ${checkOut}`;
  const people = guests === null ? '' : `, ${messages.guests(guests)}`;
  const later = page === null || page === 1 ? '' : ` (p. ${page})`;
  const place = city ?? propertyId;
  return place === null ? '–' : html`<bdi>${link ?? breakable(place)}</bdi>${stay}${people}${later}`;
}

export function durationText({ messages }: PageView, { durationUs }: RequestEntry): string {
  return `${messages.decimal((durationUs / 1_000).toFixed(1))}\u00A0ms`;
}
