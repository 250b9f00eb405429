/** /docs: the reference of the API on one page, made from the contract's own tables. */
import { ISSUE_CODES } from '../../contract/partner/issue-codes.ts';
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { OPERATIONS } from '../../contract/partner/operations.ts';
import { firstCallGuide, generalRules, limitsSection } from './guide.ts';
import { operationsSection } from './operations.ts';
import { html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { docsFrame } from './docs-frame.ts';
import type { PageSettings } from './pages.ts';
import { problemsTable } from './problem-pages.ts';
import { table } from '../kit/table.ts';

export function docsPage(settings: PageSettings, dates: ExampleDates): Page {
  const issueRows = Object.entries(ISSUE_CODES).map(([code, meaning]) => [
    html`<code>${code}</code>`,
    meaning,
  ]);
  return docsFrame(
    '/docs',
    'Partner API',
    html`<h1>Partner API</h1>
      <p>
        Find properties, ask whether a stay is available, get an indicative quote, and send the traveller on
        with one link. The same as a document for machines: <a href="./openapi.json">openapi.json</a> (OpenAPI
        3.1).
      </p>
      <nav>
        <ul>
          <li><a href="#first-call">Your first call</a></li>
          <li><a href="#rules">Rules for every call</a></li>
          <li>
            <a href="#operations">Operations</a>
            <ul>
              ${OPERATIONS.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li> `)}
            </ul>
          </li>
          <li><a href="#problems">Problems</a></li>
          <li><a href="#limits">Limits</a></li>
        </ul>
      </nav>
      ${firstCallGuide(settings, dates)} ${generalRules()} ${operationsSection(dates)}
      <h2 id="problems">Problems</h2>
      <p>
        Every failure is <code>application/problem+json</code> (RFC 9457). Let your program decide by
        <code>code</code>; <code>title</code> and <code>detail</code> are for people.
      </p>
      ${problemsTable()}
      <h3 id="issues">Issues of a VALIDATION_ERROR</h3>
      <p><code>errors</code> names every field that is wrong, all at once.</p>
      ${table(['Code', 'Meaning'], issueRows)} ${limitsSection(settings)}`,
  );
}
