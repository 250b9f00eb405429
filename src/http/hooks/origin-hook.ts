/**
 * A browser may call only from an origin that this very partner lists (SPEC 5), or from our own pages: the reference
 * makes calls with the token that its reader has pasted.
 */
import { getCredential, type PartnerHook } from './partner-exchange.ts';
import { presentProblem } from '../answers/present-problem.ts';

export function originHook(publicUrl: string): PartnerHook {
  const ownOrigin = new URL(publicUrl).origin;
  return (exchange) => {
    const { request, response } = exchange;
    const { origin } = request.headers;
    if (origin === undefined || origin === ownOrigin) return;
    if (getCredential(exchange).origins.has(origin)) return;
    response.isOriginRefused = true;
    presentProblem(response, 'ORIGIN_NOT_ALLOWED');
  };
}
