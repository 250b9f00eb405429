/** Whether the credential may use this operation (SPEC 5). The challenge names the scope (RFC 6750 3.1). */
import type { Operation } from '../../contract/partner/operations.ts';
import { getCredential, type PartnerHook } from './partner-exchange.ts';
import { REALM } from './authenticate-hook.ts';
import { presentProblem } from '../answers/present-problem.ts';

export function scopeHook(operation: Operation): PartnerHook {
  const challenge = [
    'WWW-Authenticate',
    `${REALM}, error="insufficient_scope", scope="${operation.scope}"`,
  ] as const;
  return (exchange) => {
    if (getCredential(exchange).scopes.has(operation.scope)) return;
    presentProblem(exchange.response, 'PARTNER_SCOPE_INSUFFICIENT', {
      detail: `The operation needs the scope ${operation.scope}.`,
      headers: challenge,
    });
  };
}
