/** What was thrown becomes a problem here. A thrown value is never asked for its status, message or headers. */
import { StorageUnavailable } from '../../storage/storage.ts';
import type { AppReply, AppRequest } from './app.ts';
import { presentIssues, presentProblem, presentUnavailable } from '../answers/present-problem.ts';

/** A media type that the framework can't parse at all; it looks before our own check can. */
const MEDIA_TYPE_CODE = 'FST_ERR_CTP_INVALID_MEDIA_TYPE';

export const MEDIA_TYPE_ISSUE = {
  field: 'header.content-type',
  code: 'NOT_ALLOWED',
  detail: 'Must be application/json, in UTF-8.',
} as const;

export function handleError(error: unknown, _request: AppRequest, reply: AppReply): void {
  const response = reply.raw;
  if (error instanceof StorageUnavailable) {
    presentUnavailable(response, error.message);
  } else if (isMediaTypeError(error)) {
    presentIssues(response, [MEDIA_TYPE_ISSUE]);
  } else {
    response.failureCause = { err: error };
    presentProblem(response, 'INTERNAL_ERROR');
  }
}

function isMediaTypeError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === MEDIA_TYPE_CODE;
}
