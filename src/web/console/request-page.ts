/** `/console/requests/CORRELATION_ID`: one answer and why; and the page of the same question asked again. */
import type { AskedAgain } from '../../console/ask-again.ts';
import type { Explained, ExplainedCity, RequestShown } from '../../console/request.ts';
import { type RequestEntry, REQUESTS_PATH } from '../../console/requests.ts';
import { pathOf, withQuery } from '../../console/paths.ts';
import type { QuoteExplanation } from '../../quotes/explain-quote.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { idLink, linkTo, type PageView } from './elements.ts';
import { refusalTable } from './explain-page.ts';
import type { PageParts } from './frame.ts';
import { answerText, askedText, durationText } from './requests-page.ts';

/** Of an answer, as indented JSON. */
const ANSWER_LENGTH_MAX = 30_000;

export function requestPage(view: PageView, { rows, explained, curl }: RequestShown): PageParts {
  const texts = view.messages.request;
  const row = rows[0]!;
  return {
    title: texts.title,
    main: html`<p>${linkTo(view, REQUESTS_PATH, view.messages.requests.all)}</p>
      ${requestFields(view, row)} ${explained.length > 0 && html`<h2>${texts.why}</h2>`}
      ${explained.map((one) => explanation(view, row, one))} ${curl !== null && askingForms(view, row, curl)}`,
    command: elements.shellCommand('requests', { correlation: row.correlationId }),
  };
}

function askingForms(view: PageView, { correlationId }: RequestEntry, curl: string): Html {
  const texts = view.messages.request;
  const path = `${pathOf('requests', correlationId)}/ask-again`;
  const again = html`<p>${elements.actForm(view, { act: 'ask-again', path, button: texts.again })}</p>
    <p class="fine">${texts.againWhy}</p>`;
  return html`${elements.mayAct(view, 'operator') && again}
    <p>${texts.curl}</p>
    <p><code class="secret">${curl}</code></p>`;
}

function requestFields(view: PageView, row: RequestEntry): Html {
  const property = row.propertyId === null ? undefined : idLink(view, 'properties', row.propertyId);
  return elements.fieldList(view, {
    ...{ at: row.at, partner: row.partnerId, operation: row.operation, answer: answerText(row) },
    ...{ asked: askedText(view, row, property), found: row.total, duration: durationText(view, row) },
    ...{ quote: row.quoteId, credential: row.credentialId },
  });
}

function explanation(view: PageView, row: RequestEntry, one: Explained): Content {
  const texts = view.messages.request;
  switch (one.kind) {
    case 'problem':
      return html`<p lang="en"><b>${one.title}.</b> ${one.remedy}</p>`;
    case 'emptySearch':
      return [html`<p class="fine">${texts.now}</p>`, one.cities.map((city) => citySection(view, row, city))];
    case 'refusedQuote':
      return [html`<p class="fine">${texts.now}</p>`, staySection(view, one.explanation)];
    case 'noSuchProperty':
    case 'hiddenProperty':
    case 'unknownPlace':
      return html`<p class="warn">${texts.says[one.kind]}</p>`;
  }
}

function citySection(view: PageView, row: RequestEntry, city: ExplainedCity): Html {
  const { request: texts, unmet } = view.messages;
  const { causes, judged, properties } = city;
  const nearest = nearestText(view, row, city);
  const table = elements.dataTable(view, {
    ...{ caption: texts.someJudged(judged, properties), rows: causes },
    cells: ({ rule, source, properties: count }) => ({
      ...{ reason: unmet[rule], setBy: source, properties: count },
    }),
  });
  return html`<section data-city="${city.city}">
    <h3><bdi>${city.city}</bdi>, ${city.country}</h3>
    ${table} ${nearest !== '' && html`<p>${nearest}</p>`}
  </section>`;
}

function nearestText(view: PageView, { checkIn }: RequestEntry, city: ExplainedCity): string {
  const texts = view.messages.request;
  const { nearest, properties, isPassed } = city;
  if (properties === 0) return texts.none;
  if (checkIn === null) return texts.says.undated;
  if (isPassed) return texts.passed;
  if (nearest === null) return '';
  if (nearest.checkIn === checkIn) return texts.opens;
  const opening = elements.dateText(view, nearest.checkIn);
  return texts.nearest(view.messages.demand.nearest(opening, nearest.properties));
}

function staySection(view: PageView, { propertyId, stay, inventoryTypes }: QuoteExplanation): Html {
  const { checkIn, checkOut, guests } = stay;
  const query = { checkIn, checkOut, guests: String(guests) };
  const path = withQuery(`${pathOf('properties', propertyId)}/explain`, query);
  const refused = inventoryTypes.filter(({ eligible }) => !eligible);
  return html`${refused.map(
      (type) =>
        html`<h3><bdi>${type.name}</bdi></h3>
          ${refusalTable(view, propertyId, type)}`,
    )}
    <p>${linkTo(view, path, view.messages.request.explain)}</p>`;
}

export function askedAgainPage(view: PageView, shown: AskedAgain): PageParts {
  const texts = view.messages.request;
  const { correlationId, partnerId, before, status, code, answer } = shown;
  const isSame = before.status === status && before.code === code;
  const text = answer === null ? '' : JSON.stringify(answer, null, 1);
  const fields = elements.fieldList(view, {
    partner: elements.named(partnerId),
    before: answerText(before),
    answer: answerText(shown),
  });
  return {
    title: texts.askedAgain,
    main: html`<p>${linkTo(view, pathOf('requests', correlationId), texts.title)}</p>
      ${fields}
      <p class="${isSame ? 'good' : 'warn'}">${isSame ? texts.same : texts.other}</p>
      <p class="fine">${texts.againWhy}</p>
      ${text !== '' && html`<pre class="wide" tabindex="0">${text.slice(0, ANSWER_LENGTH_MAX)}</pre>`}
      ${text.length > ANSWER_LENGTH_MAX && html`<p>${texts.cut}</p>`}`,
  };
}
