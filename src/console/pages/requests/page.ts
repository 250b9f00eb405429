/** `/console/requests`: partners' requests and our answers; one answer and its reason; the same request replayed. */
import { ownFormRow, pageRow } from '../../web/page-row.ts';
import { type AskedAgain, replayRequest } from './replay-request.ts';
import { NAME_LENGTH_MAX, pathOf, withQuery } from '../../reading/paths.ts';
import type { Explained, ExplainedCity, RequestEntry, RequestShown } from './read.ts';
import { readRequest, readRequests, REQUEST_FILTERS, REQUESTS_PATH, type RequestQuery } from './read.ts';
import type { RequestsShown } from './read.ts';
import { ALL_OPERATIONS } from '../../../contract/partner/extra-operations.ts';
import { PROBLEM_CODES } from '../../../contract/partner/problems.ts';
import { formatAges, withWrittenAges } from '../../../domain/child-ages.ts';
import { REASON_ROWS } from '../../../domain/stay-reasons.ts';
import type { QuoteExplanation } from '../../../partner/quotes/explain-quote.ts';
import { breakable, type Content, type Html, html } from '../../../http/html/html.ts';
import * as elements from '../../web/elements.ts';
import { linkTo, type PageView } from '../../web/elements.ts';
import { reasonList, refusalTable } from '../explain/page.ts';
import { inPageAct } from '../../web/act-form.ts';
import { askAct, type PageParts } from '../../web/frame.ts';
import { DEMAND_TEXTS, UNMET_TEXTS } from '../demand/messages.ts';
import { EXPLAIN_TEXTS } from '../explain/messages.ts';
import type { Said } from '../../web/messages/said.ts';
import { REQUEST_TEXTS } from './messages.ts';

export function requestsPage(view: PageView, shown: RequestsShown): PageParts {
  const { rows, asked, unread, nextPath, partnerIds } = shown;
  const texts = REQUEST_TEXTS[view.locale];
  const { bar, frame } = view.messages;
  const isFiltered = Object.keys(asked).length > 0;
  const days = Map.groupBy(rows, ({ at }) => at.slice(0, 'YYYY-MM-DD'.length));
  const tables = [...days].map(
    ([day, own]) =>
      html`<section>
        <h2>${elements.dateElement(view, day)}</h2>
        ${requestTable(view, `${bar.requests}, ${elements.dateText(view, day)}`, own)}
      </section> `,
  );
  const nobody = isFiltered ? frame.none : texts.nobodyAsked(linkTo(view, '/console/partners', bar.partners));
  const choices = choicesOf(view, partnerIds);
  const inputs = REQUEST_FILTERS.map((name) => filter(view, name, choices[name], asked[name]));
  return {
    title: bar.requests,
    act: askAct(texts.filter),
    main: html`<details${isFiltered && ' open'}>
        <summary>${texts.filter}</summary>
        ${elements.askForm(view, REQUESTS_PATH, inputs)}
      </details>
      ${elements.unreadNote(view, unread)}
      ${isFiltered && html`<p>${linkTo(view, REQUESTS_PATH, frame.all)}</p>`} ${rows.length === 0 ? html`<p>${nobody}</p>` : tables}
      ${elements.nextLink(view, nextPath, texts.next)}
      <p class="fine">${texts.about}</p>`,
    command: elements.shellCommand('requests', asked),
  };
}

/** Answers of one day. Refusals, and searches that found nothing, are marked. */
function requestTable(view: PageView, caption: string, rows: readonly RequestEntry[]): Html {
  return elements.dataTable(view, {
    caption,
    rows: rows.map((row) => ({ ...requestCells(view, row), at: elements.clockTime(view, row.at) })),
    columns: ['at', 'partnerId', 'operation', 'answer', 'asked', 'found', 'duration', 'correlationId'],
    look: 'compact',
  });
}

const STATUSES = ['2xx', '4xx', '5xx'] as const;
const AGES = ['15m', '1h', '24h', '7d'] as const;

type Choices = readonly (readonly [value: string, text: string])[];

/** The choices of each filter; a filter without choices is a text field. */
function choicesOf(
  view: PageView,
  partnerIds: readonly string[],
): Readonly<Partial<Record<keyof RequestQuery, Choices>>> {
  const { statuses, ages, verbs } = REQUEST_TEXTS[view.locale];
  const asItIs = (text: string) => [text, text] as const;
  return {
    partner: partnerIds.map(asItIs),
    status: STATUSES.map((status) => [status, statuses[status]]),
    code: PROBLEM_CODES.map(asItIs),
    operation: ALL_OPERATIONS.map(({ operationId }) => [operationId, verbs[operationId]]),
    since: AGES.map((age) => [age, ages[age]]),
  };
}

function filter(view: PageView, name: keyof RequestQuery, choices: Choices = [], asked = ''): Html {
  if (choices.length === 0)
    return elements.field(view, name, { value: asked, maxlength: NAME_LENGTH_MAX, autocomplete: 'off' });
  const all = [['', REQUEST_TEXTS[view.locale].any] as const, ...choices];
  return elements.choice(view, name, name, all, asked);
}

/** The property's id leads to its page where it is there: by default, unless the answer says that there is none. */
function requestCells(view: PageView, row: RequestEntry, isThere = row.code !== 'PROPERTY_NOT_FOUND') {
  const { city, propertyId, checkIn, checkOut, guests, childAges, page, durationUs } = row;
  const day = (date: string | null): Html =>
    html`<span class="whole">${date === null ? '' : elements.dateText(view, date)}</span>`;
  const stay = checkIn !== null && html`, ${day(checkIn)} – ${day(checkOut)}`;
  const party = guests !== null && view.messages.party({ guests, ...withWrittenAges(childAges) });
  const people = party === false ? '' : `, ${party}`;
  const later = page === null || page === 1 ? '' : ` (p. ${page})`;
  const place = city ?? propertyId;
  const link =
    city === null && propertyId !== null && isThere && elements.idLink(view, 'properties', propertyId);
  return {
    ...row,
    operation: html`${verbText(view, row.operation)}`,
    answer: answerText(row),
    found: row.total === 0 ? html`<b class="refusal">0</b>` : row.total,
    asked: place === null ? null : html`<bdi>${link || breakable(place)}</bdi>${stay}${people}${later}`,
    duration: `${view.messages.decimal((durationUs / 1_000).toFixed(1))}\u00A0ms`,
  };
}

/** Unchanged for an operation of another release. */
function verbText(view: PageView, operation: string): string {
  const verbs: Readonly<Record<string, string>> = REQUEST_TEXTS[view.locale].verbs;
  return verbs[operation] ?? operation;
}

/** Refusals have a mark, so that they do not rely on colour. */
function answerText({ status, code }: Pick<RequestEntry, 'status' | 'code'>): Content {
  return code === null ? status : html`<b class="refusal">✕ ${status}</b> ${breakable(code)}`;
}

// One request.

export function requestPage(view: PageView, { rows, explained, curl, canAskAgain }: RequestShown): PageParts {
  const texts = REQUEST_TEXTS[view.locale];
  const row = rows[0]!;
  const { correlationId } = row;
  const cells = requestCells(view, row, !explained.some(({ kind }) => kind === 'noSuchProperty'));
  const { at, partnerId, operation, answer, asked, found, duration, quoteId, credentialId } = cells;
  const reasons = reasonCodes(view, row);
  const fields = { at, partnerId, operation, answer, reasons, asked, found, duration, quoteId, credentialId };
  const again = elements.actForm(view, 'ask-again', pathOf('requests', correlationId), {});
  const mayAsk = canAskAgain && curl !== null && again !== '';
  return {
    title: `${view.messages.frame.request} ${correlationId}`,
    act: mayAsk ? inPageAct(view, 'ask-again', 'again', view.messages.acts['ask-again']) : undefined,
    main: html`${elements.fieldList(view, fields)} ${explained.length > 0 && html`<h2>${texts.why}</h2>`}
    ${explained.map((one) => explanation(view, row, one))}
    ${mayAsk && [html`<div id="again">${again}</div>`, html`<p class="fine">${texts.againWhy}</p>`]}
    ${curl !== null && [html`<p>${texts.curl}</p>`, html`<p><code class="secret">${curl}</code></p>`]}`,
    command: elements.shellCommand('requests', { correlation: correlationId }),
  };
}

/** The codes that the answer gave; those of another release without words. Null without any. */
function reasonCodes({ locale }: PageView, { reasons }: RequestEntry): Content | null {
  if (reasons === null) return null;
  const rows: Readonly<Record<string, { readonly short: Said }>> = REASON_ROWS;
  return reasons.split(' ').map((code, index) => {
    const short = rows[code]?.short[locale];
    return html`${index > 0 && html`<br />`}${breakable(code)}${short !== undefined && `: ${short}`}`;
  });
}

function explanation(view: PageView, row: RequestEntry, one: Explained): Content {
  const texts = REQUEST_TEXTS[view.locale];
  switch (one.kind) {
    case 'problem':
      return html`<p lang="en"><b>${one.title}.</b> ${one.remedy}</p>`;
    case 'emptySearch':
      return [html`<p class="fine">${texts.now}</p>`, one.cities.map((city) => citySection(view, row, city))];
    case 'refusedQuote':
      return [html`<p class="fine">${texts.now}</p>`, staySection(view, row, one.explanation)];
    case 'noSuchProperty':
    case 'hiddenProperty':
    case 'unknownPlace':
      return html`<p class="warn">${texts.says[one.kind]}</p>`;
  }
}

function citySection(view: PageView, row: RequestEntry, city: ExplainedCity): Html {
  const texts = REQUEST_TEXTS[view.locale];
  const unmet = UNMET_TEXTS[view.locale];
  const nearest = nearestText(view, row, city);
  const causes = city.causes.map(({ rule, source, properties }) => ({
    reason: unmet[rule],
    setBy: source,
    properties,
  }));
  const caption = texts.judged(city.judged, city.properties);
  return html`<section data-city="${city.city}">
    <h3><bdi>${city.city}</bdi>, ${city.country}</h3>
    ${causes.length > 0 && html`<p>${caption}</p>`}
    ${
      causes.length > 0 &&
      elements.dataTable(view, { caption, columns: ['reason', 'setBy', 'properties'], rows: causes })
    }
    ${nearest !== '' && html`<p>${nearest}</p>`}
  </section>`;
}

function nearestText(view: PageView, { checkIn }: RequestEntry, city: ExplainedCity): string {
  const texts = REQUEST_TEXTS[view.locale];
  const demand = DEMAND_TEXTS[view.locale];
  const { nearest, properties, isPassed } = city;
  if (properties === 0) return texts.none;
  if (checkIn === null) return texts.says.undated;
  if (isPassed) return texts.passed;
  if (nearest === null) return '';
  if (nearest.checkIn === checkIn) return texts.opens;
  return texts.nearest(demand.nearest(elements.dateText(view, nearest.checkIn), nearest.properties));
}

function staySection(view: PageView, request: RequestEntry, rows: QuoteExplanation): Content {
  const explain = EXPLAIN_TEXTS[view.locale];
  const { checkIn, checkOut, guests, childAges } = rows.stay;
  const party = { guests: String(guests), childAges: formatAges(childAges) || undefined };
  const query = { checkIn, checkOut, ...party, request: request.correlationId };
  const path = withQuery(`${pathOf('properties', rows.propertyId)}/explain`, query);
  const refused = rows.inventoryTypes.filter(({ reasons }) => reasons.length > 0);
  return [
    reasonList(view, rows.reasons),
    refused.map((type) =>
      refusalTable(
        view,
        rows,
        type,
        html`<bdi>${type.name}</bdi>: ${explain[type.eligible ? 'eligible' : 'notEligible']}`,
      ),
    ),
    html`<p>${linkTo(view, path, explain.title)}</p>`,
  ];
}

/** Characters of an answer as indented JSON. */
const ANSWER_LENGTH_MAX = 30_000;

export function askedAgainPage(view: PageView, shown: AskedAgain): PageParts {
  const texts = REQUEST_TEXTS[view.locale];
  const { acts } = view.messages;
  const { correlationId, partnerId, before, status, code, found, answer } = shown;
  const hasSameStatus = before.status === status && before.code === code;
  const isSame = hasSameStatus && (found === null || found.before === found.now);
  const text = answer === null ? '' : JSON.stringify(answer, null, 1);
  const counted = found === null ? undefined : texts.thenNow(found.before, found.now);
  const fields = { partnerId, before: answerText(before), answer: answerText(shown), found: counted };
  const sameText = code !== null ? texts.same : found !== null ? texts.sameCount : texts.sameStatus;
  return {
    title: acts['ask-again'],
    act: undefined,
    main: html`${elements.backLink(view, pathOf('requests', correlationId))}
      ${elements.fieldList(view, fields)}
      <p class="${isSame ? 'good' : 'warn'}">${isSame ? sameText : texts.other}</p>
      <p class="fine">${texts.againWhy}</p>
      ${
        text !== '' &&
        html`<details>
          <summary>${texts.body}</summary>
          <pre class="wide" tabindex="0">${elements.cutText(text, ANSWER_LENGTH_MAX)}</pre>
        </details>`
      }`,
  };
}

export const REQUESTS_PAGE = pageRow('requests', REQUESTS_PATH, readRequests, requestsPage);

export const REQUEST_PAGE = pageRow('request', `${REQUESTS_PATH}/{correlationId}`, readRequest, requestPage, [
  ownFormRow({ act: 'ask-again', run: replayRequest, render: askedAgainPage }),
]);
