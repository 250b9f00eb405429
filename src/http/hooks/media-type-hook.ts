/** What form a body comes in: JSON or nothing said, never compressed. Judged before a byte of it is read. */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { Hook } from '../listener/app.ts';
import { MEDIA_TYPE_ISSUE } from '../listener/error-handler.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues } from '../answers/present-problem.ts';

const ENCODING_ISSUE: ValidationIssue = {
  field: 'header.content-encoding',
  code: 'NOT_ALLOWED',
  detail: 'Bodies must be sent without a content encoding.',
};

export const mediaTypeHook: Hook = (request, reply, done) => {
  const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
  const issues: ValidationIssue[] = [];
  if (mediaType !== undefined && !isJson(mediaType)) issues.push(MEDIA_TYPE_ISSUE);
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') issues.push(ENCODING_ISSUE);
  if (issues.length > 0) presentIssues(reply.raw, issues);
  else done();
};

/** JSON has no charset parameter (RFC 8259 11), but many clients send one; UTF-8 is the only true one. */
function isJson(mediaType: string): boolean {
  const [essence, ...parameters] = mediaType.toLowerCase().split(';');
  if (essence?.trim() !== JSON_TYPE) return false;
  return parameters.every((parameter) => {
    const [name, value] = parameter.split('=', 2);
    return name?.trim() !== 'charset' || /^\s*"?utf-?8"?\s*$/.test(value ?? '');
  });
}
