/** /docs/testing: the sandbox of test tokens, and a call for each problem. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import {
  FIRST_TEST_CALL,
  PROBLEM_CODES,
  type ProblemCode,
  rowOfProblem,
} from '../../contract/partner/problems.ts';
import { breakable, codeText, type Html, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';
import { codeBlock, codeTabs } from '../frame/code-tabs.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { samplePrograms } from '../programs/sample-programs.ts';

const PROPERTIES: Readonly<Record<string, string>> = {
  'test-always': 'is available every night, with a cleaning fee and a city tax',
  'test-sold-out': 'is never available: `STAY_UNAVAILABLE`',
  'test-quote-unavailable': 'is available, without a quote: `QUOTE_UNAVAILABLE`',
  'test-hidden': 'exists, hidden from you: `PROPERTY_NOT_FOUND`',
  'test-two-types': 'has some room type each night, and no type for two nights in a row',
  'test-weekend': 'takes stays with a Friday or Saturday night from two nights on',
  'test-family':
    'takes four travellers of whom two are 1 and 8 (`childAges=1,8`): two nights are 244.00; as four adults they do not fit',
  'test-gap': 'has nothing on the nights 10 to 12 days from today',
  'test-timezone': 'is in `Pacific/Kiritimati`, 14 hours ahead of UTC',
  'test-price-changed': 'costs more when the traveller arrives',
  'test-gone': 'is no longer available when the traveller arrives',
  'test-expired': 'gives quotes that have expired at once',
  'test-null-fields': 'has `null` wherever the contract allows it; without a rate it has no quote',
  'test-long-names': 'has very long texts with many kinds of characters',
  'test-free': 'costs `0.00`',
};

const ANSWERS: Readonly<Record<string, string>> = {
  'rate-limited': '429, with `Retry-After`',
  'internal-error': '500',
  unavailable: '503, with `Retry-After`',
  revoked: '401, as after a revocation',
  'slow=SECONDS':
    'the usual answer after up to 20 seconds; 503 when 20 slow answers are under way in one thread of the server',
  close: 'the connection ends without an answer',
  truncate: 'the connection ends in the middle of the body',
  'today=YYYY-MM-DD':
    'the usual answer, as if it were noon UTC of that day; at most 366 days away; 503 when 8 other days are being made; the handoff of such a quote is checked on the real day',
};

export function testingPage({ publicUrl }: PageSettings, { stay }: ExampleDates): DocsPage {
  return docsFrame({
    path: '/docs/testing',
    title: 'Testing',
    section: 'docs/testing',
    contents: { properties: 'Test properties', header: 'Forced answers', problems: 'Every problem' },
    body: () =>
      html`<h1>Testing</h1>
        <p class="lead">
          A test token begins with <code>sp_test_</code>. It makes the same calls with the same limits, and
          sees only the test properties of this page. Its quotes are marked as tests and counted nowhere. Ask
          the operator for one.
        </p>
        ${codeBlock('bash', `export URL=${publicUrl} TEST_TOKEN=sp_test_...`)}
        ${codeTabs('first-test-call', samplePrograms(FIRST_TEST_CALL))}
        <h2 id="properties">Test properties</h2>
        <p>
          They are in the city <code>Testville</code> (also <code>Cittadiprova</code>), and their dates never
          go stale. 45 are ordinary, <code>testville-01</code> to <code>testville-45</code>. The others each
          do one thing, up to the page that the traveller sees:
        </p>
        ${table(['Property', 'What it does'], rowsOf(PROPERTIES))}
        <p>
          With the scopes <code>prices:read</code> and <code>content:read</code> the token reads their totals
          and pictures too. <code>test-null-fields</code> has neither.
        </p>
        <h2 id="header">Forced answers</h2>
        <p>Send the header <code>Stayport-Test</code> with a test token. A live token can't use it.</p>
        ${table(['Value', 'What comes back'], rowsOf(ANSWERS))}
        <h2 id="problems">Every problem</h2>
        <p>
          Set these once, beside those above. The narrow token is a test token with the scope
          <code>properties:read</code> alone, the full one has every scope.
        </p>
        ${codeBlock('bash', `export NARROW_TEST_TOKEN=sp_test_... FULL_TEST_TOKEN=sp_test_... CHECK_IN=${stay.checkIn} CHECK_OUT=${stay.checkOut}`)}
        <p>The last call is one of the operator, with an operator token.</p>
        ${PROBLEM_CODES.map(callOf)}`,
  });
}

function callOf(code: ProblemCode): Html {
  const { slug, testCall } = rowOfProblem(code);
  return html`<h3><a href="../problems/${slug}">${breakable(code)}</a></h3>
    ${codeTabs(`call-${slug}`, samplePrograms(testCall))} `;
}

function rowsOf(texts: Readonly<Record<string, string>>) {
  return Object.entries(texts).map(([name, text]) => [codeText(name), prose(text)]);
}
