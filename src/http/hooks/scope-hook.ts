/** Whether the credential may use this operation (SPEC 5). The challenge names the scope (RFC 6750 3.1). */
import type { Operation } from '../../contract/partner/operations.ts';
import type { Hook } from '../listener/app.ts';
import { getCredential, REALM } from './authenticate-hook.ts';
import { presentProblem } from '../answers/present-problem.ts';

export function scopeHook(operation: Operation): Hook {
  const challenge = [
    'WWW-Authenticate',
    `${REALM}, error="insufficient_scope", scope="${operation.scope}"`,
  ] as const;
  return (request, reply, done) => {
    reply.raw.operationName = operation.operationId;
    if (getCredential(request).scopes.has(operation.scope)) return done();
    presentProblem(reply.raw, 'PARTNER_SCOPE_INSUFFICIENT', {
      detail: `The operation needs the scope ${operation.scope}.`,
      headers: challenge,
    });
  };
}
