/** The operator listener's own credential: an operator token with the right that the operation needs (RFC 6750). */
import type { AccessDirectory } from '../../access/access-directory.ts';
import { authorizeOperator } from '../../access/operator-tokens.ts';
import type { OperatorScope } from '../../contract/operator/operator-scopes.ts';
import type { Clock } from '../../runtime/clock.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { findBearerToken } from '../listener/request-head.ts';
import type { OperatorHook } from './operator-exchange.ts';

const REALM = 'Bearer realm="operator"';

export function operatorHook(
  access: () => AccessDirectory,
  scope: OperatorScope,
  clock: Clock,
): OperatorHook {
  return (exchange) => {
    const { request, response } = exchange;
    const token = findBearerToken(request.headers.authorization);
    const authorization = authorizeOperator(access(), token, scope, clock());
    if (authorization.ok) {
      exchange.operator = authorization.operator;
      response.caller = authorization.operator;
      return;
    }
    switch (authorization.reason) {
      case 'missing':
        return presentProblem(response, 'OPERATOR_AUTH_REQUIRED', { headers: ['WWW-Authenticate', REALM] });
      case 'invalid':
        return presentProblem(response, 'OPERATOR_TOKEN_INVALID', {
          headers: ['WWW-Authenticate', `${REALM}, error="invalid_token"`],
        });
      case 'scope':
        return presentProblem(response, 'OPERATOR_SCOPE_INSUFFICIENT', {
          detail: `The operation needs the scope ${scope}.`,
          headers: ['WWW-Authenticate', `${REALM}, error="insufficient_scope", scope="${scope}"`],
        });
    }
  };
}
