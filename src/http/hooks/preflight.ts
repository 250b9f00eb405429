/**
 * CORS preflights (Fetch 3.2.2). They carry no credential, so they are judged by whether any partner lists the
 * origin; which partner calls is checked by `originHook` when the request itself comes.
 */
import type { AccessDirectory } from '../../access/access-directory.ts';
import { preflightHeaders } from '../answers/cors-headers.ts';
import { presentProblem, presentUnavailable } from '../answers/present-problem.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import { matchOperation } from '../../contract/reading/operation-match.ts';
import { rawPathOf } from '../answers/request-target.ts';
import type { Hook } from '../listener/exchange.ts';

/** Answers a preflight of an operation's path; leaves everything else alone, an OPTIONS that is not a preflight included. */
export function preflightHook(access: () => AccessDirectory, readiness: () => Readiness): Hook {
  return ({ request, response }) => {
    if (request.method !== 'OPTIONS') return;
    const route = matchOperation('OPTIONS', rawPathOf(request.url ?? '/'));
    const { origin, 'access-control-request-method': requestedMethod } = request.headers;
    if (origin === undefined || requestedMethod === undefined || route.found !== 'path') return;
    const state = readiness();
    if (state !== 'ready') return presentUnavailable(response, state.reason);
    if (!access().isKnownOrigin(origin)) return presentProblem(response, 'ORIGIN_NOT_ALLOWED');
    response.answer({
      status: 204,
      cacheControl: 'no-store',
      headers: preflightHeaders(route.allowedMethods),
    });
  };
}
