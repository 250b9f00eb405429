/**
 * Which credential's quota a request will be counted for, told before the ingress limit has judged it: so that both can
 * be counted with one question where the windows are held elsewhere. Nothing is decided here, and nothing that costs
 * anything is done: a token that was not accepted before is left to its turn.
 */
import type { AppRequest } from '../listener/app.ts';
import type { Authenticator } from './authenticate-hook.ts';
import { findBearerToken } from './bearer-token.ts';
import type { ForeseenCredential } from './ingress-hook.ts';
import { hasEmptySegment } from './operation-known-hook.ts';
import type { Readiness } from '../../runtime/readiness.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is one of the contract's operations; only these have a quota. */
    readonly isOperation?: boolean;
  }
}

/** In the configuration of each operation's route. */
export const OPERATION_CONFIG = { isOperation: true } as const;

/** Foresees what the hooks between the two limits will say; undefined when one of them will answer. */
export function foreseeCredential(
  authenticator: Authenticator,
  readiness: () => Readiness,
): ForeseenCredential {
  return (request) => {
    const token = findBearerToken(request.headers.authorization);
    if (token === undefined || !isOperation(request) || readiness() !== 'ready') return undefined;
    return authenticator.findAccepted(token);
  };
}

function isOperation(request: AppRequest): boolean {
  return request.routeOptions.config?.isOperation === true && !hasEmptySegment(request.params);
}
