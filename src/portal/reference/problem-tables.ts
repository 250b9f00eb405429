/** The tables of problems and issues in the guide and on the problem pages. */
import { ISSUE_CODES } from '../../contract/partner/issue-codes.ts';
import {
  METHOD_NOT_ALLOWED_STATUS,
  PROBLEM_CODES,
  type ProblemCode,
  PROBLEMS,
} from '../../contract/partner/problems.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';

/** `root` is the path from the page to the root: a setting may point a problem's `type` elsewhere. */
export function problemsTable(root: string): Html {
  const rows = PROBLEM_CODES.map((code) => [
    statusText(code),
    html`<a href="${root}problems/${PROBLEMS[code].slug}">${codeText(code)}</a>`,
    html`${prose(PROBLEMS[code].detail)} <strong>${prose(PROBLEMS[code].remedy)}</strong>`,
  ]);
  return table(['Status', 'Code', 'When, and what to do'], rows);
}

export function issuesTable(): Html {
  const rows = Object.entries(ISSUE_CODES).map(([code, meaning]) => [codeText(code), prose(meaning)]);
  return table(['Code', 'Meaning'], rows);
}

export function statusText(code: ProblemCode): string {
  const { status } = PROBLEMS[code];
  return code === 'PARTNER_OPERATION_NOT_FOUND'
    ? `${status} or ${METHOD_NOT_ALLOWED_STATUS}`
    : String(status);
}
