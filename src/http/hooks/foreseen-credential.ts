/**
 * Which credential's quota a request will be counted for, told before the ingress limit has judged it: so that both can
 * be counted with one question where the windows are held elsewhere. Nothing is decided here, and nothing that costs
 * anything is done: a token that was not accepted before is left to its turn.
 */
import type { Authenticator } from './authenticate-hook.ts';
import { findBearerToken } from './bearer-token.ts';
import type { ForeseenCredential } from './ingress-hook.ts';
import { isOperation } from './partner-exchange.ts';
import type { Readiness } from '../../runtime/readiness.ts';

/** Foresees what the hooks between the two limits will say; undefined when one of them will answer. */
export function foreseeCredential(
  authenticator: Authenticator,
  readiness: () => Readiness,
): ForeseenCredential {
  return ({ request, route }) => {
    if (route.found !== 'operation' || !isOperation(route.operation)) return undefined;
    const token = findBearerToken(request.headers.authorization);
    if (token === undefined || readiness() !== 'ready') return undefined;
    return authenticator.findAccepted(token);
  };
}
