/** The operator listener's own credential: an operator token with the right that the operation needs. */
import type { AccessDirectory } from '../../access/access-directory.ts';
import { authorizeOperator } from '../../access/operator-tokens.ts';
import type { OperatorScope } from '../../contract/operator/operator-scopes.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Hook } from '../listener/app.ts';
import { findBearerToken } from '../hooks/bearer-token.ts';
import { presentProblem } from '../answers/present-problem.ts';

const REALM = 'Bearer realm="operator"';

export function operatorHook(access: () => AccessDirectory, scope: OperatorScope, clock: Clock): Hook {
  return (request, reply, done) => {
    const token = findBearerToken(request.headers.authorization);
    const authorization = authorizeOperator(access(), token, scope, clock());
    if (authorization.ok) return done();
    switch (authorization.reason) {
      case 'missing':
        return presentProblem(reply.raw, 'PARTNER_AUTH_REQUIRED', {
          detail: 'The request carries no operator token.',
          headers: ['WWW-Authenticate', REALM],
        });
      case 'invalid':
        return presentProblem(reply.raw, 'INVALID_PARTNER_CREDENTIAL', {
          detail: 'The operator token is unknown, expired or revoked.',
          headers: ['WWW-Authenticate', `${REALM}, error="invalid_token"`],
        });
      case 'scope':
        return presentProblem(reply.raw, 'PARTNER_SCOPE_INSUFFICIENT', {
          detail: `The operation needs the scope ${scope}.`,
          headers: ['WWW-Authenticate', `${REALM}, error="insufficient_scope", scope="${scope}"`],
        });
    }
  };
}
