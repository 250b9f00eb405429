/** The operations of the reference, written from the contract's table. */
import { OPERATIONS, type Operation } from '../../contract/partner/operations.ts';
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import type { Parameter } from '../../contract/partner/parameters.ts';
import { PROBLEMS } from '../../contract/partner/problems.ts';
import { type Html, html, prose } from '../kit/html.ts';
import { problemLink } from './problem-pages.ts';
import { schemaRows, type ShownSchema, typeText } from './schema-rows.ts';
import { table } from '../kit/table.ts';

export function operationsSection(dates: ExampleDates): Html {
  return html`<h2 id="operations">Operations</h2>
    ${OPERATIONS.map((operation) => operationSection(operation, dates))}`;
}

function operationSection(operation: Operation, dates: ExampleDates): Html {
  const { operationId, method, path, summary, description, scope, cacheControl } = operation;
  const example = Object.values(operation.examples(dates).successes)[0]?.value;
  return html`<h2 id="${operationId}">${summary}</h2>
    <p><span class="method">${method}</span> <code>${path}</code></p>
    <p>${prose(description)}</p>
    <p>Needs the scope <code>${scope}</code>. Success has <code>Cache-Control: ${cacheControl}</code>.</p>
    ${parametersPart(operation)} ${bodyPart(operation)}
    <h3>Answer: ${operation.successStatus}</h3>
    <p>${operation.successDescription}</p>
    <pre><code>${JSON.stringify(example, null, 2)}</code></pre>
    ${fieldsTable(operation.successSchema)}
    <h3>Problems</h3>
    ${problemsTable(operation)}`;
}

function parametersPart({ pathParameters, query }: Operation): Html {
  const rows = [
    ...pathParameters.map((parameter) => parameterRow(parameter, 'path')),
    ...query.parameters.map((parameter) => parameterRow(parameter, 'query')),
  ];
  if (rows.length === 0) return html``;
  return html`<h3>Parameters</h3>
    ${table(['Name', 'In', 'Type', 'Meaning'], rows)}`;
}

function parameterRow({ name, required, schema }: Parameter, place: string): readonly (Html | string)[] {
  const shown: ShownSchema = schema;
  const meaning = html`${required ? html`<strong>Required.</strong> ` : ''}${prose(shown.description ?? '')}`;
  return [html`<code>${name}</code>`, place, typeText(shown), meaning];
}

function bodyPart({ bodySchema }: Operation): Html {
  if (bodySchema === undefined) return html``;
  return html`<h3>Body</h3>
    <p>JSON; every field is required.</p>
    ${fieldsTable(bodySchema)}`;
}

function fieldsTable(schema: ShownSchema): Html {
  const rows = schemaRows(schema).map(({ field, type, description }) => [
    html`<code>${field}</code>`,
    type,
    prose(description),
  ]);
  return table(['Field', 'Type', 'Meaning'], rows);
}

function problemsTable({ problemCodes }: Operation): Html {
  const codes = problemCodes.toSorted((a, b) => PROBLEMS[a].status - PROBLEMS[b].status);
  const rows = codes.map((code) => [
    PROBLEMS[code].status,
    html`<a href="${problemLink(code)}"><code>${code}</code></a>`,
    PROBLEMS[code].detail,
  ]);
  return table(['Status', 'Code', 'When'], rows);
}
