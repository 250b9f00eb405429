/**
 * CORS preflights (Fetch 3.2.2). They carry no credential, so they are judged by whether any partner lists the
 * origin; which partner calls is checked by `originHook` when the request itself comes.
 */
import type { AccessDirectory } from '../../access/access-directory.ts';
import type { Hook } from '../listener/app.ts';
import { preflightHeaders } from '../answers/cors-headers.ts';
import type { AllowedMethods } from './operation-known-hook.ts';
import { presentProblem, presentUnavailable } from '../answers/present-problem.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import { rawPathOf } from '../answers/request-target.ts';

/** Answers a preflight of a known path; leaves everything else alone, an OPTIONS that is no preflight included. */
export function preflightHook(
  access: () => AccessDirectory,
  readiness: () => Readiness,
  allowedMethods: AllowedMethods,
): Hook {
  return (request, reply, done) => {
    if (request.method !== 'OPTIONS') return done();
    const { origin, 'access-control-request-method': requestedMethod } = request.headers;
    const methods = allowedMethods(rawPathOf(request.raw.url ?? '/'));
    if (origin === undefined || requestedMethod === undefined || methods.length === 0) return done();
    const state = readiness();
    if (state !== 'ready') return presentUnavailable(reply.raw, state.reason);
    if (!access().isKnownOrigin(origin)) return presentProblem(reply.raw, 'ORIGIN_NOT_ALLOWED');
    reply.raw.answer({ status: 204, cacheControl: 'no-store', headers: preflightHeaders(methods) });
  };
}
