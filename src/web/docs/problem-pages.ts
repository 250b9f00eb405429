/** /problems and a page for each code: where the `type` of a problem leads (RFC 9457 3.1.1). */
import {
  METHOD_NOT_ALLOWED_STATUS,
  PROBLEM_CODES,
  type ProblemCode,
  PROBLEMS,
} from '../../contract/partner/problems.ts';
import { type Html, html, prose } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { docsFrame } from './docs-frame.ts';
import { table } from '../kit/table.ts';

/**
 * Where a problem's page is, seen from a page whose way to the root is `root`: links are relative, so that they hold
 * behind a proxy that puts a prefix in front. The `type` itself may point elsewhere by setting.
 */
export function problemLink(code: ProblemCode, root = './'): string {
  return `${root}problems/${PROBLEMS[code].slug}`;
}

export function problemPages(): readonly Page[] {
  return [listPage(), ...PROBLEM_CODES.map(problemPage)];
}

export function problemsTable(): Html {
  const rows = PROBLEM_CODES.map((code) => [
    statusText(code),
    html`<a href="${problemLink(code)}"><code>${code}</code></a>`,
    PROBLEMS[code].detail,
    PROBLEMS[code].remedy,
  ]);
  return table(['Status', 'Code', 'When', 'What to do'], rows);
}

function listPage(): Page {
  return docsFrame(
    '/problems',
    'Problems',
    html`<h1>Problems</h1>
      ${problemsTable()} ${footer('./')}`,
  );
}

function problemPage(code: ProblemCode): Page {
  const { title, detail, remedy } = PROBLEMS[code];
  return docsFrame(
    `/problems/${PROBLEMS[code].slug}`,
    title,
    html`<h1>${title}</h1>
      <p>Status ${statusText(code)}, code <code>${code}</code></p>
      <h2>What it means</h2>
      <p>${prose(detail)}</p>
      <h2>What to do</h2>
      <p>${prose(remedy)}</p>
      <p>If it goes on, give the operator the <code>correlationId</code> of the answer.</p>
      ${footer('../')}`,
  );
}

function statusText(code: ProblemCode): string {
  const { status } = PROBLEMS[code];
  return code === 'PARTNER_OPERATION_NOT_FOUND'
    ? `${status} or ${METHOD_NOT_ALLOWED_STATUS}`
    : String(status);
}

function footer(root: string): Html {
  return html`<footer>
    <a href="${root}problems">All problems</a> · <a href="${root}docs">Partner API</a>
  </footer>`;
}
