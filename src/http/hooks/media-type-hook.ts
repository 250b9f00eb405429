/** What form a body comes in: one of the operation's, or nothing said; never compressed. Judged before a byte is read. */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { Hook } from '../listener/exchange.ts';
import { presentIssues } from '../answers/present-problem.ts';

const ENCODING_ISSUE: ValidationIssue = {
  field: 'header.content-encoding',
  code: 'NOT_ALLOWED',
  detail: 'Bodies must be sent without a content encoding.',
};

export function mediaTypeHook(mediaTypes: readonly string[]): Hook {
  const mediaTypeIssue: ValidationIssue = {
    field: 'header.content-type',
    code: 'NOT_ALLOWED',
    detail: `Must be ${mediaTypes.join(' or ')}, in UTF-8.`,
  };
  return ({ request, response }) => {
    const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
    const issues: ValidationIssue[] = [];
    if (mediaType !== undefined && !isOneOf(mediaTypes, mediaType)) issues.push(mediaTypeIssue);
    if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') issues.push(ENCODING_ISSUE);
    if (issues.length > 0) presentIssues(response, issues);
  };
}

/** JSON has no charset parameter (RFC 8259 11), but many clients send one; UTF-8 is the only true one. */
function isOneOf(mediaTypes: readonly string[], mediaType: string): boolean {
  const [essence = '', ...parameters] = mediaType.toLowerCase().split(';');
  if (!mediaTypes.includes(essence.trim())) return false;
  return parameters.every((parameter) => {
    const [name, value] = parameter.split('=', 2);
    return name?.trim() !== 'charset' || /^\s*"?utf-?8"?\s*$/.test(value ?? '');
  });
}
