/** /problems and a page for each code: the target of a problem's `type` (RFC 9457 3.1.1). */
import { buildProblemExample } from '../../contract/openapi/problem-examples.ts';
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { createPartnerQuote } from '../../contract/partner/operations.ts';
import { ALL_OPERATIONS, listChanges } from '../../contract/partner/extra-operations.ts';
import {
  OPERATOR_TOKEN,
  PROBLEM_CODES,
  type ProblemCode,
  rowOfProblem,
} from '../../contract/partner/problems.ts';
import type { ProblemBody } from '../../contract/problem-body.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';
import { codeTabs, jsonBlock } from '../frame/code-tabs.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { samplePrograms } from '../programs/sample-programs.ts';
import { issuesTable, problemsTable, statusText } from './problem-tables.ts';

export function problemPages(settings: PageSettings, dates: ExampleDates): readonly DocsPage[] {
  return [listPage(), ...PROBLEM_CODES.map((code) => problemPage(code, settings, dates))];
}

function listPage(): DocsPage {
  return docsFrame({
    path: '/problems',
    title: 'Problems',
    section: 'problems',
    body: () =>
      html`<h1>Problems</h1>
        <p class="lead">Every failure has a code. The page of a code says what it means and what to check.</p>
        ${problemsTable('./')}`,
  });
}

/** Programs that ask for JSON get an example of the problem. */
function problemPage(code: ProblemCode, { problemsBaseUrl }: PageSettings, dates: ExampleDates): DocsPage {
  const { title, detail, remedy, slug, checks, retry } = rowOfProblem(code);
  const example = buildProblemExample(code, { operation: createPartnerQuote, problemsBaseUrl, dates });
  return docsFrame({
    path: `/problems/${slug}`,
    title,
    section: 'problems',
    body: () =>
      html`<h1>${title}</h1>
        <p>Status ${statusText(code)}, code ${codeText(code)}</p>
        <p class="lead">${prose(detail)}</p>
        <h2 id="remedy">What to do</h2>
        <p>${prose(remedy)}</p>
        <h2 id="checks">What to check</h2>
        <ul>
          ${checks.map((check) => html`<li>${prose(check)}</li> `)}
        </ul>
        <h2 id="retry">May I try again?</h2>
        <p>${prose(retry)}</p>
        <h2 id="example">What it looks like</h2>
        ${jsonBlock(example)} ${testPart(code)} ${issuesPart(code)} ${operationsPart(code)}
        <p>
          If it goes on, give the operator the <code>correlationId</code> of the answer. ·
          <a href="../problems">All problems</a>
        </p>`,
    json: { mediaType: 'application/problem+json', body: bytesOf(example) },
  });
}

function bytesOf(example: ProblemBody): Uint8Array {
  return Buffer.from(JSON.stringify(example));
}

function testPart(code: ProblemCode): Html {
  const { slug, testCall } = rowOfProblem(code);
  const tokens = testCall.token === OPERATOR_TOKEN ? 'an operator token' : 'a test token';
  return html`<h2 id="test">How to get it on purpose</h2>
    <p>With ${tokens}, and the variables of the page about <a href="../docs/testing">testing</a>:</p>
    ${codeTabs(`call-${slug}`, samplePrograms(testCall))}`;
}

function issuesPart(code: ProblemCode): Html {
  if (code !== 'VALIDATION_ERROR') return html``;
  return html`<h2 id="issues">The code of each issue</h2>
    <p>Each field has at most one issue; all fields come at once. <code>errors[].code</code> is one of:</p>
    ${issuesTable()}`;
}

function operationsPart(code: ProblemCode): Html {
  const operations = ALL_OPERATIONS.filter(({ problemCodes }) => problemCodes.includes(code));
  if (operations.length === 0) return html``;
  const rows = operations.map(({ method, path }) => html`<li>${codeText(`${method} ${path}`)}</li> `);
  return html`<h2 id="operations">Operations that answer with it</h2>
    <ul>
      ${rows}
    </ul>
    ${operations.includes(listChanges) ? html`<p><a href="../docs/changes">How to follow changes</a></p>` : ''}`;
}
