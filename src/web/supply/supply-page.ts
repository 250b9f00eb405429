/** /supply/docs: the reference of the supply API on one page, made from the table of its operations. */
import { type OperatorOperation, problemCodesOf } from '../../contract/operator/operation.ts';
import { OPERATOR_PROBLEMS } from '../../contract/operator/problems.ts';
import { SUPPLY_OPERATIONS } from '../../contract/operator/supply-operations.ts';
import type { Parameter } from '../../contract/partner/parameters.ts';
import { BASE_STYLE } from '../kit/base-style.ts';
import { formatDocument } from '../kit/document.ts';
import { type Html, html, prose } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../kit/security-headers.ts';
import { makeStylesheet } from '../kit/stylesheet.ts';
import { table } from '../kit/table.ts';
import { schemaRows, type ShownSchema, typeText } from './schema-rows.ts';

const FIRST_CALL = `curl -X PATCH http://127.0.0.1:8081/supply/v1/calendars?source=pms \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"entries":[{"propertyId":"hotel-ponte","inventoryTypeId":"double",
       "dateFrom":"2026-12-24","dateTo":"2026-12-26","availability":0}]}'`;

const STYLESHEET = makeStylesheet(
  BASE_STYLE,
  `
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h2 { margin-top: 3rem; }
pre { overflow-x: auto; padding: .8rem 1rem; background: var(--soft); border-radius: var(--radius); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
.method { font-weight: 600; }
`,
);
const POLICY = contentSecurityPolicy({ 'style-src': STYLESHEET.source });

export function supplyDocsPage(): Page {
  const document = formatDocument({
    language: 'en',
    title: 'Supply API',
    stylesheet: STYLESHEET,
    body: html`<main>${pageContent()}</main>`,
  });
  return {
    path: '/supply/docs',
    mediaType: 'text/html; charset=utf-8',
    body: Buffer.from(document.text),
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', POLICY],
  };
}

function pageContent(): Html {
  return html`<h1>Supply API</h1>
    <p>
      Your systems send properties, availability and prices; partners see them within a second. The same as a
      document for machines: <a href="./openapi.json">openapi.json</a>.
    </p>
    <nav>
      <ul>
        ${SUPPLY_OPERATIONS.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}
      </ul>
    </nav>
    <h2 id="first-call">Your first call</h2>
    <p>
      <code>stayport operator-token issue --name pms --source pms</code> prints a token. Then close three
      nights:
    </p>
    <pre><code>${FIRST_CALL}</code></pre>
    <h2 id="layers">Layers</h2>
    <p>
      Each source has a calendar of its own for each inventory type. Partners see them combined, night by
      night: the fewest units, a stop-sell or closing where any source has one, the longest minimum stays, the
      shortest
      <code>maxStay</code>. Prices come from the type's <code>priceSource</code> only, which is the owner of
      the document unless it says otherwise. So it never matters who speaks first, and a repeated message
      changes nothing.
    </p>
    ${SUPPLY_OPERATIONS.map(operationSection)}`;
}

function operationSection(operation: OperatorOperation): Html {
  const { operationId, method, path, summary, description, scope = '', body, successes } = operation;
  return html`<h2 id="${operationId}">${summary}</h2>
    <p><span class="method">${method}</span> <code>${path}</code></p>
    <p>${prose(description)}</p>
    <p>Needs the scope <code>${scope}</code>.</p>
    ${parametersPart(operation)}
    ${
      body === undefined
        ? html``
        : html`<h3>Body</h3>
            <p><code>${body.mediaTypes[0]!}</code></p>
            ${fieldsTable(body.schema)}`
    }
    ${successes.map(
      ({ status, description: meaning, schema }) =>
        html`<h3>Answer: ${status}</h3>
          <p>${meaning}</p>
          ${fieldsTable(schema)}`,
    )}
    <h3>Problems</h3>
    ${problemsTable(operation)}`;
}

function parametersPart({ pathParameters = [], queryParameters = [] }: OperatorOperation): Html {
  const rows = [
    ...pathParameters.map((parameter) => parameterRow(parameter, 'path')),
    ...queryParameters.map((parameter) => parameterRow(parameter, 'query')),
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
  return [html`<code>${name}</code>`, place, typeText(shown), prose(shown.description ?? '')];
}

function fieldsTable(schema: object | undefined): Html {
  const rows = schemaRows((schema ?? {}) as ShownSchema).map(({ field, type, description }) => [
    html`<code>${field}</code>`,
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
    return [status, html`<code>${code}</code>`, detail, remedy];
  });
  return table(['Status', 'Code', 'When', 'What to do'], rows);
}
