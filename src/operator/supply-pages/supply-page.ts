/** /supply/docs: the reference of the supply API on one page, made from the table of its operations. */
import { type OperatorOperation, problemCodesOf } from '../../contract/operator/operation.ts';
import { OPERATOR_PROBLEMS } from '../../contract/operator/problems.ts';
import type { Parameter } from '../../contract/partner/parameters.ts';
import { dateAfter, type ExampleDates } from '../../contract/partner/example-dates.ts';
import { EXAMPLE_INVENTORY_TYPE_ID, EXAMPLE_PROPERTY_ID } from '../../contract/partner/examples.ts';
import { codeBlock, codeTabs, type Snippet } from '../../portal/frame/code-tabs.ts';
import { docsFrame, type DocsPage, type DocsSite } from '../../portal/frame/docs-frame.ts';
import { scriptPage } from '../../portal/frame/page-script.ts';
import { samplePrograms } from '../../portal/programs/sample-programs.ts';
import { searchPages } from '../../portal/frame/search-pages.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import type { Page } from '../../http/html/page.ts';
import { table } from '../../http/html/table.ts';
import { requiredFields, schemaRows, type ShownSchema, typeText } from './schema-rows.ts';

/** A placeholder for the address of the page's request; `supplyDocsHandler` replaces it. */
export const OWN_URL = 'http://stayport.invalid';

const SITE: DocsSite = {
  title: 'Stayport supply API',
  home: 'supply/docs',
  folder: 'supply',
  sections: { 'supply/docs': 'Reference', 'supply/openapi.json': 'OpenAPI', 'openapi.json': 'Operator API' },
};

/** The reference, and what searches it: made together. */
export function supplyPages(operations: readonly OperatorOperation[], dates: ExampleDates): readonly Page[] {
  const page = supplyDocsPage(operations, dates);
  return [page, ...searchPages(SITE, [page]), scriptPage(SITE.folder)];
}

/** The reference, with a first call for the sample catalogue on nights that can still be closed. */
function supplyDocsPage(operations: readonly OperatorOperation[], dates: ExampleDates): DocsPage {
  const titles = operations.map(({ operationId, summary }) => [operationId, summary] as const);
  return docsFrame({
    site: SITE,
    path: '/supply/docs',
    title: SITE.title,
    section: 'supply/docs',
    contents: { 'first-call': 'Your first call', layers: 'Layers', ...Object.fromEntries(titles) },
    body: () => pageContent(operations, dates),
  });
}

/** `/` of the operator listener: where its pages are. */
export function operatorStartPage(): Page {
  return docsFrame({
    site: SITE,
    path: '/',
    title: 'Stayport operator listener',
    body: () =>
      html`<h1>Stayport operator listener</h1>
        <p class="lead">
          This address is for the systems of the operator. It has no pages for partners or travellers.
        </p>
        <ul>
          <li>
            <a href="./supply/docs">Supply API</a>: how your systems send properties, availability and prices
          </li>
          <li><a href="./console">Console</a>: pages to look and act, after signing in</li>
          <li>
            <a href="./livez">livez</a>, <a href="./readyz">readyz</a> and <a href="./metrics">metrics</a>
          </li>
          <li>
            For machines: <a href="./openapi.json">openapi.json</a> of all calls,
            <a href="./supply/openapi.json">supply/<wbr />openapi.json</a>
          </li>
        </ul>`,
  });
}

/** The line for a shell has its entry on two lines, to be read and changed. */
function firstCall({ stay: { checkIn, checkOut } }: ExampleDates): Snippet {
  const entry = {
    propertyId: EXAMPLE_PROPERTY_ID,
    inventoryTypeId: EXAMPLE_INVENTORY_TYPE_ID,
    dateFrom: checkIn,
    dateTo: dateAfter(checkOut, -1),
    availability: 0,
  };
  const url = `${OWN_URL}/supply/v1/calendars`;
  const body = { mediaType: 'application/json', json: { entries: [entry] } };
  const json = JSON.stringify(body.json).replace(',"dateFrom"', ',\n       "dateFrom"');
  const curl = `curl -sS --fail-with-body -X PATCH "${url}" \\
  -H "Authorization: Bearer $SUPPLY_TOKEN" -H "Content-Type: application/json" \\
  -d '${json}'`;
  return { ...samplePrograms({ method: 'PATCH', url, token: '$SUPPLY_TOKEN', body }), curl };
}

function pageContent(operations: readonly OperatorOperation[], dates: ExampleDates): Html {
  return html`<h1>Supply API</h1>
    <p class="lead">
      Your systems send properties, availability and prices; partners see them within a second.
    </p>
    <p>The same as a document for machines: <a href="./openapi.json">openapi.json</a>.</p>
    <h2 id="first-call">Your first call</h2>
    <p>A token for a system called <code>pms</code>, which is then the source of what it sends:</p>
    ${codeBlock('bash', 'bin/stayport operator-token issue --name pms --source pms\nexport SUPPLY_TOKEN=sp_oper_...')}
    <p>
      Close three nights. The ids are those of the sample catalogue, which <code>npm run demo</code> imports:
      put yours in their place.
    </p>
    ${codeTabs('first-call-program', firstCall(dates))}
    <p>
      The answer names the revision from which on partners see it. With <code>"availability":1</code> the same
      call opens the nights again, as far as other sources have them open.
    </p>
    <h2 id="layers">Layers</h2>
    <p>
      Each source has a calendar of its own for each inventory type. Partners see them combined, night by
      night: the fewest units, a stop-sell or closing where any source has one, the longest minimum and the
      shortest maximum stays. Prices come from the type's <code>priceSource</code> only, which is the owner of
      the document unless it says otherwise. So it never matters who speaks first, and a repeated message
      changes nothing.
    </p>
    ${operations.map(operationSection)}`;
}

function operationSection(operation: OperatorOperation): Html {
  const { operationId, method, path, summary, description, scope = '', body, successes } = operation;
  return html`<h2 id="${operationId}">${summary}</h2>
    <p><span class="method">${method}</span> ${codeText(path)}</p>
    <p>${prose(description)}</p>
    <p>Needs the scope ${codeText(scope)}.</p>
    ${parametersPart(operation)}
    ${
      body === undefined
        ? html``
        : html`<h3>Body</h3>
            ${bodyPart(body.mediaTypes[0]!, body.schema)}`
    }
    ${successes.map(
      ({ status, description: meaning, schema }) =>
        html`<h3>Answer: ${status}</h3>
          <p>${meaning}</p>
          ${fieldsTable(schema)}`,
    )}
    <details>
      <summary>Problems of this call</summary>
      ${problemsTable(operation)}
    </details>`;
}

/** Required fields stand above the table: those that only another page describes have no row in it. */
function bodyPart(mediaType: string, schema: ShownSchema = {}): Html {
  const required = requiredFields(schema);
  return html`<p>${codeText(mediaType)} ${prose(schema.description ?? '')}</p>
    ${
      required.length === 0
        ? ''
        : html`<p>
            Required: ${required.map((field, index) => html`${index === 0 ? '' : ', '}${codeText(field)}`)}.
          </p>`
    }
    ${fieldsTable(schema)}`;
}

function parametersPart({
  pathParameters = [],
  queryParameters = [],
  headerParameters = [],
}: OperatorOperation): Html {
  const rows = [
    ...pathParameters.map((parameter) => parameterRow(parameter, 'path')),
    ...queryParameters.map((parameter) => parameterRow(parameter, 'query')),
    ...headerParameters.map((parameter) => parameterRow(parameter, 'header')),
  ];
  if (rows.length === 0) return html``;
  return html`<h3>Parameters</h3>
    ${table(['Name', 'In', 'Type', 'Meaning'], rows)}`;
}

function parameterRow(
  { name, schema }: Parameter,
  place: string,
): readonly (Html | string | readonly Html[])[] {
  const shown: ShownSchema = schema;
  return [codeText(name), place, typeText(shown), prose(shown.description ?? '')];
}

function fieldsTable(schema: object | undefined): Html {
  const rows = schemaRows((schema ?? {}) as ShownSchema).map(({ field, type, description }) => [
    codeText(field),
    type,
    prose(description),
  ]);
  return rows.length === 0 ? html`` : table(['Field', 'Type', 'Meaning'], rows);
}

function problemsTable(operation: OperatorOperation): Html {
  const codes = problemCodesOf(operation);
  const sorted = codes.toSorted((a, b) => OPERATOR_PROBLEMS[a].status - OPERATOR_PROBLEMS[b].status);
  const rows = sorted.map((code) => {
    const { status, detail, remedy } = OPERATOR_PROBLEMS[code];
    return [status, codeText(code), detail, remedy];
  });
  return table(['Status', 'Code', 'When', 'What to do'], rows);
}
